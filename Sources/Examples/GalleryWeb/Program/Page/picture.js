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
