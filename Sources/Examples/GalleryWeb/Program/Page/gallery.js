'use strict';

// A grid of tiles that are used again: only those in view exist. Each tile's picture is one request, whose answer brings a degraded
// picture, the final one and the way of the load, each as soon as it is there. A tile that leaves the view aborts its request.

/** Requests at a time. A browser has six connections to a server: one is for the events, one for the list. */
const connections = 4;
const pageLength = 200;
const narrowest = 150;
const gap = 4;
const sides = [128, 192, 256, 384, 512, 768];

const element = id => document.getElementById(id);
const [scroller, grid, chosen] = ['scroller', 'grid', 'chosen'].map(element);
const number = new Intl.NumberFormat('en');
const day = new Intl.DateTimeFormat('en-GB', {day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC'});
const moment = new Intl.DateTimeFormat('en-GB', {dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC'});

/** What has become of the requests, as the page sees it, and of the loads, as the server does. */
let served = {};
const counts = {started: 0, final: 0, aborted: 0, failed: 0, gone: 0, degraded: 0};

/** The parts of an answer: a kind in a byte, a length in four, the content. */
async function* parts(response) {
  const reader = response.body.getReader();
  let rest = new Uint8Array(0);
  for (;;) {
    const {done, value} = await reader.read();
    if (done) return;
    const bytes = new Uint8Array(rest.length + value.length);
    bytes.set(rest);
    bytes.set(value, rest.length);
    rest = bytes;
    while (rest.length >= 5) {
      const end = 5 + new DataView(rest.buffer, rest.byteOffset).getUint32(1);
      if (rest.length < end) break;
      yield {kind: String.fromCharCode(rest[0]), content: rest.subarray(5, end)};
      rest = rest.subarray(end);
    }
  }
}

/** Pictures that wait for a connection. Who leaves before it is their turn has cost nothing. */
const queue = {
  waiting: new Set(),
  active: 0,

  add(picture) {
    this.waiting.add(picture);
    this.advance();
  },

  advance() {
    while (this.active < connections && this.waiting.size > 0) {
      const next = [...this.waiting].reduce((best, other) => other.urgency() < best.urgency() ? other : best);
      this.waiting.delete(next);
      this.active += 1;
      next.load().finally(() => {
        this.active -= 1;
        this.advance();
      });
    }
  },
};

/** A canvas that shows one photo after the other, and nothing of one before. */
class Picture {
  constructor(canvas, urgency, changed) {
    this.canvas = canvas;
    this.urgency = urgency;
    this.changed = changed;
    this.context = canvas.getContext('2d');
    this.clear();
  }

  show(photo, position, side) {
    this.position = position;
    if (this.photo?.tag === photo.tag && this.photo.name === photo.name && this.side === side && this.state !== 'failed') return;
    this.clear();
    [this.photo, this.side] = [photo, side];
    this.change('waiting');
    queue.add(this);
  }

  clear() {
    queue.waiting.delete(this);
    if (this.request) {
      // Behind the picture only the way of the load is missing.
      if (this.state !== 'final') counts.aborted += 1;
      this.request.abort();
    }
    this.photo = this.request = this.trace = undefined;
    this.context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    this.change('none');
  }

  change(state) {
    this.state = state;
    this.changed(this);
  }

  /** Loads the photo. After each wait the tile may be another photo's. */
  async load() {
    const request = this.request = new AbortController();
    counts.started += 1;
    try {
      const path = `tiles/${this.position}/${this.photo.tag}/${this.side}`;
      const response = await fetch(path, {signal: request.signal});
      if (!response.ok) throw new Error(`status ${response.status}`);
      for await (const part of parts(response)) {
        if (!await this.take(part, request)) return;
      }
      if (this.request !== request) return;
      if (this.state !== 'final') throw new Error('an answer without its end');
      this.request = undefined;
    } catch (error) {
      if (this.request !== request) return;
      this.request = undefined;
      counts.failed += 1;
      this.trace = {text: `failed: ${error.message}`, stages: []};
      this.change('failed');
    }
  }

  /** Shows a part of the answer, unless the request is over. */
  async take({kind, content}, request) {
    if (kind === 'd' || kind === 'f') {
      const bitmap = await createImageBitmap(new Blob([content]));
      if (this.request !== request) return false;
      [this.canvas.width, this.canvas.height] = [bitmap.width, bitmap.height];
      this.context.drawImage(bitmap, 0, 0);
      bitmap.close();
      counts[kind === 'f' ? 'final' : 'degraded'] += 1;
      this.change(kind === 'f' ? 'final' : 'degraded');
    }
    if (this.request !== request) return false;
    const text = () => new TextDecoder().decode(content);
    if (kind === 't') {
      this.trace = JSON.parse(text());
      this.changed(this);
    }
    if (kind === 'e') throw new Error(text());
    if (kind === 'g') {
      // The list is another one, of which an event tells.
      counts.gone += 1;
      this.request = this.photo = undefined;
      list.refresh();
      return false;
    }
    return true;
  }
}

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

/** The rows in view, and one above and below. */
const layout = {
  columns: 1,
  side: narrowest,
  rows: new Map(),
  pool: [],
  current: 0,
  selected: undefined,

  height() { return this.side + gap; },
  first() { return Math.max(0, Math.floor(scroller.scrollTop / this.height())) * this.columns; },
  rowCount() { return Math.ceil(list.count / this.columns); },

  /** The pixels of a tile's picture. */
  pixels() {
    const wanted = this.side * devicePixelRatio;
    return sides.find(side => side >= wanted * 0.9) ?? sides.at(-1);
  },

  resize() {
    const width = grid.clientWidth;
    const columns = Math.max(2, Math.floor((width + gap) / (narrowest + gap)));
    const first = this.first();
    if (columns !== this.columns) {
      for (const index of [...this.rows.keys()]) this.release(index);
      this.pool = [];
      this.columns = columns;
    }
    this.side = (width - gap * (columns - 1)) / columns;
    grid.style.setProperty('--columns', columns);
    grid.style.setProperty('--side', `${this.side}px`);
    grid.style.height = `${this.rowCount() * this.height()}px`;
    grid.setAttribute('aria-rowcount', this.rowCount());
    grid.setAttribute('aria-colcount', columns);
    if (columns !== this.resizedColumns) scroller.scrollTop = first / columns * this.height();
    this.resizedColumns = columns;
    this.update();
  },

  update() {
    const [above, below] = [scroller.scrollTop / this.height(), (scroller.scrollTop + scroller.clientHeight) / this.height()];
    const [from, to] = [Math.max(0, Math.floor(above) - 1), Math.min(this.rowCount(), Math.ceil(below) + 1)];
    for (const [index, row] of [...this.rows]) {
      // A reader with a keyboard keeps the place.
      const isOut = index < from || index >= to;
      if (isOut && (index >= this.rowCount() || !row.contains(document.activeElement))) this.release(index);
    }
    for (let index = from; index < to; index += 1) this.row(index);
    for (const [index, row] of this.rows) this.fill(index, row);
    this.tell();
  },

  row(index) {
    if (this.rows.has(index)) return;
    const row = this.pool.pop() ?? this.makeRow();
    row.setAttribute('aria-rowindex', index + 1);
    // In the order in which it is read.
    const next = [...this.rows.keys()].filter(other => other > index);
    grid.insertBefore(row, next.length > 0 ? this.rows.get(Math.min(...next)) : null);
    this.rows.set(index, row);
  },

  makeRow() {
    const row = document.createElement('div');
    row.className = 'row';
    row.setAttribute('role', 'row');
    for (let column = 0; column < this.columns; column += 1) {
      const tile = document.createElement('div');
      tile.className = 'tile';
      tile.setAttribute('role', 'gridcell');
      tile.setAttribute('aria-colindex', column + 1);
      const canvas = document.createElement('canvas');
      canvas.setAttribute('role', 'img');
      tile.append(canvas);
      tile.picture = new Picture(
        canvas, () => Math.abs(tile.picture.position - layout.middle()), picture => layout.changed(tile, picture));
      row.append(tile);
    }
    return row;
  },

  fill(index, row) {
    row.style.transform = `translateY(${index * this.height()}px)`;
    [...row.children].forEach((tile, column) => {
      const position = index * this.columns + column;
      tile.tabIndex = position === this.current ? 0 : -1;
      tile.hidden = position >= list.count;
      if (tile.hidden) return tile.picture.clear();
      const photo = list.photo(position);
      // Until the new list is there, the old one is shown.
      if (photo) tile.picture.show(photo, position, this.pixels());
    });
  },

  release(index) {
    const row = this.rows.get(index);
    this.rows.delete(index);
    for (const tile of row.children) tile.picture.clear();
    row.remove();
    this.pool.push(row);
  },

  middle() { return (scroller.scrollTop + scroller.clientHeight / 2) / this.height() * this.columns; },

  changed(tile, picture) {
    tile.dataset.state = picture.state;
    if (picture.trace?.tier) tile.dataset.tier = picture.trace.tier; else delete tile.dataset.tier;
    tile.setAttribute('aria-selected', picture.photo !== undefined && picture.photo.tag === this.selected?.tag);
    const canvas = picture.canvas;
    canvas.setAttribute('aria-busy', picture.state === 'waiting' || picture.state === 'degraded');
    canvas.setAttribute('aria-label', picture.photo ? `${picture.photo.name}, ${moment.format(picture.photo.date)}` : '');
    if (picture.photo && picture.photo.tag === this.selected?.tag) inspector.tell(picture);
  },

  /** Shows which photo is chosen. */
  mark() {
    for (const row of this.rows.values()) for (const tile of row.children) this.changed(tile, tile.picture);
  },

  tell() {
    // The Tab key leads to a tile that exists.
    if (!this.tile(this.current)) grid.querySelector('.row:nth-child(2) .tile')?.setAttribute('tabindex', 0);
    const photo = list.photo(this.first());
    element('place').textContent = list.count === 0 ? 'No photos'
      : `${number.format(this.first() + 1)} of ${number.format(list.count)}${photo ? ` · ${day.format(photo.date)}` : ''}`;
  },

  position(tile) {
    return (tile.parentElement.ariaRowIndex - 1) * this.columns + (tile.ariaColIndex - 1);
  },

  tile(position) {
    return this.rows.get(Math.floor(position / this.columns))?.children[position % this.columns];
  },

  /** Moves the keyboard's place, and the view with it. */
  focus(position) {
    this.current = Math.min(Math.max(0, position), list.count - 1);
    const top = Math.floor(this.current / this.columns) * this.height();
    const [start, end] = [scroller.scrollTop, scroller.scrollTop + scroller.clientHeight - 16];
    if (top < start) scroller.scrollTop = top;
    if (top + this.height() > end) scroller.scrollTop += top + this.height() - end;
    this.update();
    this.tile(this.current)?.focus({preventScroll: true});
  },
};

/** The photo that was clicked, large, and the way of its tile. */
const inspector = {
  picture: new Picture(element('picture'), () => 0, picture => {
    picture.canvas.setAttribute('aria-label', picture.photo?.name ?? '');
    picture.canvas.dataset.state = picture.state;
  }),

  open(tile) {
    const {photo, position} = tile.picture;
    if (!photo) return;
    layout.selected = photo;
    [chosen.hidden, element('hint').hidden] = [false, true];
    element('name').textContent = photo.name;
    element('date').textContent = moment.format(photo.date);
    this.picture.show(photo, position, 768);
    layout.focus(position);
    layout.mark();
  },

  close() {
    this.picture.clear();
    layout.selected = undefined;
    [chosen.hidden, element('hint').hidden] = [true, false];
    layout.mark();
    layout.focus(layout.current);
  },

  tell({trace}) {
    element('trace').textContent = trace?.text ?? 'under way';
    const last = Math.max(0.001, ...(trace?.stages ?? []).map(stage => stage.ended ?? 0));
    element('stages').replaceChildren(...(trace?.stages ?? []).map(stage => {
      const row = document.createElement('tr');
      row.innerHTML = '<th scope="row"></th><td><div class="bar"><i></i></div></td><td></td>';
      row.firstChild.textContent = stage.name;
      const bar = row.querySelector('i');
      bar.style.setProperty('--from', stage.began / last);
      bar.style.setProperty('--length', ((stage.ended ?? last) - stage.began) / last);
      row.lastChild.textContent = stage.ended === null ? '' : `${(stage.ended - stage.began).toFixed(1)} ms`;
      return row;
    }));
  },
};

grid.addEventListener('click', event => {
  const tile = event.target.closest('.tile');
  if (tile) inspector.open(tile);
});

grid.addEventListener('focusin', event => {
  const tile = event.target.closest('.tile');
  if (tile) layout.current = layout.position(tile);
});

grid.addEventListener('keydown', event => {
  const {columns, current} = layout;
  const screen = Math.max(1, Math.floor(scroller.clientHeight / layout.height())) * columns;
  const start = Math.floor(current / columns) * columns;
  const target = {
    ArrowLeft: current - 1, ArrowRight: current + 1, ArrowUp: current - columns, ArrowDown: current + columns,
    PageUp: current - screen, PageDown: current + screen,
    Home: event.ctrlKey ? 0 : start, End: event.ctrlKey ? list.count - 1 : start + columns - 1,
  }[event.key];
  const tile = event.target.closest('.tile');
  if (target !== undefined) layout.focus(target);
  else if ((event.key === 'Enter' || event.key === ' ') && tile) inspector.open(tile);
  else return;
  event.preventDefault();
});

document.addEventListener('keydown', event => {
  if (event.key === 'Escape' && !chosen.hidden) inspector.close();
});

element('close').addEventListener('click', () => inspector.close());
scroller.addEventListener('scroll', () => layout.update(), {passive: true});
new ResizeObserver(() => layout.resize()).observe(scroller);

const events = new EventSource('events');
events.addEventListener('counts', ({data}) => {
  served = JSON.parse(data);
  for (const [name, value] of Object.entries(served)) {
    const place = document.querySelector(`[data-count="${name}"]`);
    if (!place || value === null) continue;
    place.textContent = name === 'half' || name === 'most' ? `${value.toFixed(value < 10 ? 1 : 0)} ms` : number.format(value);
  }
});
events.addEventListener('list', ({data}) => list.apply(JSON.parse(data)));
events.addEventListener('open', () => {
  // It may be another server's list.
  list.revision = -1;
  list.refresh();
});
events.addEventListener('error', () => { element('offline').hidden = false; });
