// One stream for all tabs of a browser: the tab that has the lock listens, and tells the others; browsers share six connections per
// server. Whoever takes over goes on from the very place that all have got to.
import { Stream } from './stream.js';

const QUIET = 4500;      // the listening tab was not heard
const HUNG = 20000;      // it does not come back
const HIDDEN = 5000;     // nobody looks: another tab listens, or none

export class Relay {
  /** `name` tells this stream from others. The rest as the stream's; besides, `hooks.state` has a second value: whether this tab listens, and `hooks.snapshots()` answers as events what a tab needs that has just come. */
  constructor(name, path, hooks, since = '') {
    Object.assign(this, { name, path, hooks, last: since, me: crypto.randomUUID(), leader: null, number: 0, heardAt: Date.now() });
    this.ends = new AbortController();
    const { signal } = this.ends;
    this.channel = new BroadcastChannel(name);
    this.channel.addEventListener('message', ({ data }) => this.hear(data));
    document.addEventListener('visibilitychange', () => this.visibilityChanged(), { signal });
    this.watch = setInterval(() => this.look(), 1000);
    this.tell('connecting');
    this.post({ kind: 'ask' });
    if (!document.hidden) this.queue();
  }

  get isListening() { return Boolean(this.stream); }

  /** Connects anew when `path` has changed: another user is to be watched, or one no longer. */
  refresh() { this.stream?.refresh(); }

  close() {
    this.ends.abort();
    clearInterval(this.watch);
    clearTimeout(this.rest);
    this.giveUp();
    this.channel.close();
  }

  // Who listens

  queue(isStealing = false) {
    if (this.waiting && !isStealing) return;
    this.waiting?.abort();
    const waiting = this.waiting = new AbortController();
    const options = isStealing ? { steal: true } : { signal: waiting.signal };
    navigator.locks.request(this.name, options, () => this.listen(waiting))
      // It was given up here, or another tab took it, as this one was not heard.
      .catch(() => this.lost(waiting));
  }

  listen(waiting) {
    if (waiting.signal.aborted || this.ends.signal.aborted) return undefined;
    Object.assign(this, { leader: this.me, number: 0 });
    this.stream = new Stream(this.path, {
      event: (type, data, last) => {
        this.hooks.event(type, data, last);
        this.last = last;
        this.number += 1;
        this.post({ kind: 'event', type, data });
      },
      beat: () => this.post({ kind: 'beat' }),
      state: (state) => {
        this.tell(state);
        this.post({ kind: 'beat' });
      },
      lost: () => this.hooks.lost(),
    }, this.last);
    this.tell(this.state);
    return new Promise((resume) => { this.release = resume; });
  }

  giveUp() {
    this.waiting?.abort();
    this.lost(this.waiting);
    this.release?.();
    this.release = null;
  }

  lost(waiting) {
    if (waiting !== this.waiting) return;
    this.waiting = null;
    this.stream?.close();
    this.stream = null;
    this.heardAt = Date.now();
    if (!this.ends.signal.aborted && !document.hidden && !this.rest) this.queue();
  }

  // Telling and hearing

  post(message) { this.channel.postMessage({ ...message, from: this.me, number: this.number, last: this.last, state: this.state }); }

  tell(state) {
    this.state = state;
    this.hooks.state(state, this.isListening);
  }

  hear({ kind, from, to, number, last, state, type, data, events }) {
    if (kind === 'ask') {
      if (this.isListening) this.post({ kind: 'all', to: from, events: this.hooks.snapshots() });
      return;
    }
    if (this.isListening) return;
    if (kind === 'all') {
      if (to !== this.me) return;
      for (const event of events) this.hooks.event(...event, last);
      Object.assign(this, { leader: from, number, last });
    } else if (from !== this.leader || number !== this.number + (kind === 'event' ? 1 : 0)) {
      // Another tab listens now, from the very place where this one is; or something was missed.
      if (number || kind === 'event' || !last || last !== this.last) return this.ask();
      Object.assign(this, { leader: from, number });
    } else if (kind === 'event') {
      this.hooks.event(type, data, last);
      Object.assign(this, { number, last });
    }
    this.heardAt = Date.now();
    if (state !== this.state) this.tell(state);
  }

  ask() {
    // One answer is enough for all that comes until then.
    if (performance.now() - this.askedAt < 1000) return;
    this.askedAt = performance.now();
    this.post({ kind: 'ask' });
  }

  look() {
    if (this.isListening || document.hidden) return;
    // The clock may have been put back.
    this.heardAt = Math.min(this.heardAt, Date.now());
    const quiet = Date.now() - this.heardAt;
    if (quiet > HUNG) {
      this.heardAt = Date.now();
      this.queue(true);
    } else if (quiet > QUIET && this.state === 'live') {
      this.tell('reconnecting');
    }
  }

  visibilityChanged() {
    clearTimeout(this.rest);
    this.rest = null;
    if (document.hidden) this.rest = setTimeout(() => this.giveUp(), HIDDEN);
    else {
      if (!this.isListening) this.heardAt = Date.now();
      this.queue();
    }
  }
}
