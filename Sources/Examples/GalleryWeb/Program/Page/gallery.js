'use strict';

// The parts of the page together: what a click, a key, a scroll and the server's events do.

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
