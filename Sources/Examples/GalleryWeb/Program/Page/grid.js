'use strict';

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
