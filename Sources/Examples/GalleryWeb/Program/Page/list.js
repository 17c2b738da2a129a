'use strict';

/** The photos' names, asked for page by page, where somebody looks. */
const list = {
  revision: -1,
  count: 0,
  pages: new Map(),
  isBusy: false,
  /** The photo that was at the top before the last change, and the place to which that has scrolled. */
  anchor: undefined,

  photo(position) {
    const index = Math.floor(position / pageLength);
    const page = this.pages.get(index);
    if (!page) this.fetch(index);
    return page?.[position % pageLength];
  },

  async fetch(index) {
    if (this.isBusy) return;
    this.isBusy = true;
    try {
      const response = await fetch(`list/${index * pageLength}/${pageLength}`);
      const {revision, count, photos} = await response.json();
      if (revision > this.revision) this.begin(revision, count);
      if (revision === this.revision) {
        this.pages.set(index, photos.map(([name, tag, seconds]) => ({name, tag, date: new Date(seconds * 1000)})));
        if (this.pages.size > 40) this.pages.delete(this.pages.keys().next().value);
      }
      element('offline').hidden = true;
    } catch {
      // The events tell when the server is back.
      element('offline').hidden = false;
      return;
    } finally {
      this.isBusy = false;
    }
    layout.update();
  },

  begin(revision, count) {
    [this.revision, this.count] = [revision, count];
    this.pages.clear();
    layout.resize();
  },

  refresh() {
    this.pages.clear();
    this.fetch(Math.floor(layout.first() / pageLength));
  },

  /** Takes up what has changed: the photo at the top stays in the row at the top, whatever number of changes come until somebody scrolls. */
  apply({revision, count, removed, inserted}) {
    if (revision <= this.revision) return;
    const row = layout.first() / layout.columns;
    let top = this.anchor?.scrollTop === scroller.scrollTop ? this.anchor.position : layout.first();
    top -= removed.reduce((sum, [from, to]) => sum + Math.max(0, Math.min(to, top) - from), 0);
    for (const [from, to] of inserted) if (from <= top) top += to - from;
    this.begin(revision, count);
    scroller.scrollTop += (Math.floor(top / layout.columns) - row) * layout.height();
    this.anchor = {position: top, scrollTop: scroller.scrollTop};
  },
};
