// Sends what is written here: one write a todo at a time, each over the very todo that it was made on.
import * as api from './api.js';

const LONGEST_WAIT = 10000;

export class Writer {
  /** `hooks`: conflict(write, current), gone(write), refused(write, problem), keep(writes), waiting(), caughtUp(), signedOut(). */
  constructor(uid, store, hooks) {
    Object.assign(this, { uid, store, hooks, busy: new Set(), failures: 0, isWaiting: false, isStopped: false });
  }

  write(write) {
    this.store.hold(write);
    this.hooks.keep(this.store.unsaved);
    this.run(write.id);
  }

  /** Takes up what was not sent before a reload; some of it may have been. */
  restore(writes) { for (const write of writes) this.write({ ...write, isWaiting: true }); }

  /** Tries again what waits: the server answers again. */
  retry() {
    clearTimeout(this.wait);
    for (const write of this.store.unsaved) this.run(write.id);
  }

  stop() {
    this.isStopped = true;
    clearTimeout(this.wait);
  }

  async run(id) {
    if (this.busy.has(id)) return;
    this.busy.add(id);
    let write;
    while (!this.isStopped && (write = this.store.nextWrite(id)) && await this.send(write)) this.hooks.keep(this.store.unsaved);
    this.busy.delete(id);
    if (this.isWaiting && !this.store.unsaved.length) {
      this.isWaiting = false;
      this.hooks.caughtUp();
    }
  }

  // Whether to continue with the next one.
  async send(write) {
    try {
      const todo = await this.request(write);
      if (write.kind === 'remove') this.store.removalAnswered(write);
      else this.store.answered(write, todo);
      this.failures = 0;
      return true;
    } catch (error) {
      if (!(error instanceof api.Refusal)) throw error;
      return !this.isStopped && this.failed(write, error);
    }
  }

  request({ kind, id, todo, fields, tag, isUnmaking }) {
    if (kind === 'add') return api.add(this.uid, todo);
    if (kind !== 'remove') return api.update(this.uid, id, fields, tag);
    const removal = api.remove(this.uid, id, tag);
    return isUnmaking ? removal.then(() => this.store.routines?.back(id)) : removal;
  }

  failed(write, { status, isPassing, problem }) {
    const { current } = problem;
    // 403: another user has signed in, in another tab.
    if (isPassing || status === 401 || status === 403) {
      this.postpone(write, status);
      return false;
    }
    // The answer to an earlier try may have been lost: what it asked for is there.
    const isAsAsked = write.kind === 'patch' && write.isWaiting && current
      && Object.entries(write.fields).every(([name, value]) => (current[name] ?? '') === value);
    if (isAsAsked) this.store.answered(write, current);
    else if (status === 404 && write.kind === 'remove') this.store.removalAnswered(write);
    else this.giveUp(write, status, problem);
    return true;
  }

  giveUp(write, status, problem) {
    // What was written on top of it goes with it: it was made for a todo that never came to be.
    const all = this.store.refused(write.id);
    const lost = { ...write, fields: Object.assign({}, ...all.map((other) => other.fields)) };
    if (problem.current) {
      this.store.learn(problem.current);
      this.hooks.conflict(lost, problem.current);
    } else if (status === 404) {
      this.hooks.gone(lost);
    } else {
      this.hooks.refused(lost, problem);
    }
  }

  postpone(write, status) {
    write.isWaiting = true;
    this.store.note();
    if (!this.isWaiting) this.hooks.waiting();
    this.isWaiting = true;
    if (status === 401 || status === 403) return this.hooks.signedOut();
    clearTimeout(this.wait);
    this.wait = setTimeout(() => this.retry(), 300 + Math.random() * Math.min(LONGEST_WAIT, 500 * 2 ** this.failures++));
  }
}
