// Sends what is written here, and what other tabs left: each write is kept on the device first, and shows in all tabs.
import { Refusal } from './api.js';
import { send } from './sender.js';
import { TabShelf } from './tabShelf.js';

const LONGEST_WAIT = 10000;
const PATIENCE = 10000;
const PROMPT = 4000;      // what is not answered by then waits, whatever becomes of it
const MOST = 4;           // so many todos are sent at a time
/** A name that nobody else has given: of a todo, or of one operation. */
export const newID = () => `w${crypto.getRandomValues(new Uint32Array(4)).reduce((text, part) => text + part.toString(36), '')}`;

export class Writer {
  /**
   * `shelf` promises where writes are kept; without it, or if it fails, this tab keeps them in `drafts`, and `journal` has them until
   * then. `hooks`: isTold(lost, verdict, problem) as the sender's, parked(record), unparked(key), waiting(), kept() once a write
   * outlasts the tab, caughtUp(), signedOut(), full(write), unkept(), isLive().
   */
  constructor(uid, store, { drafts, journal, shelf }, hooks) {
    Object.assign(this, { uid, store, drafts, journal, hooks, failures: 0, allowed: 0, mine: new Set() });
    Object.assign(this, { isWaiting: false, isUnread: false, isStopped: false });
    // By their ids: which todos are to be sent, and whether patiently; which are; and when those were refused that still wait.
    Object.assign(this, { due: new Map(), busy: new Set(), refused: new Map() });
    const late = new Promise((resume) => { setTimeout(resume, PATIENCE); });
    this.shelf = Promise.race([Promise.resolve(shelf).catch(() => null), late]).then((found) => this.keeper = found ?? new TabShelf(drafts));
    this.news = globalThis.BroadcastChannel && new BroadcastChannel(`todomate.writes.${uid}`);
    this.news?.addEventListener('message', ({ data: [name, ...values] }) => this.hear(name, values));
    this.sending = Object.fromEntries(['settled', 'replaced', 'parked'].map((name) => [name, (...values) => this.tell(name, ...values)]));
    this.sending.isOver = () => this.isStopped;
    // Where it does not come, the write waits.
    this.sending.refusing = () => import('./refusals.js').catch(() => { throw new Refusal(0, {}); });
    this.sending.isTold = (lost, ...why) => lost.ops.some((operation) => this.mine.has(operation)) && hooks.isTold(lost, ...why);
    addEventListener('online', () => this.retry());
  }

  // Without a network nothing is tried in vain, for what may have been sent cannot become one with what follows.
  get isCut() { return !navigator.onLine && !this.hooks.isLive(); }

  /** Whether the server has said that it wants no request yet: by a clock that nobody sets. */
  get isHeld() { return performance.now() < this.allowed; }

  /** Whether what waits outlasts this tab. */
  get isLasting() { return Boolean(this.keeper?.isLasting && !this.journal.writes.length); }

  write(write) {
    write.ops = [newID()];
    this.mine.add(write.ops[0]);
    this.store.tag(write);
    // Before it shows.
    this.journal.put(write);
    this.store.hold(write);
    this.markLater(write);
    return this.put(write);
  }

  markLater({ id, ops: [operation] }) { setTimeout(() => this.mark(id, ({ ops }) => ops.includes(operation)), PROMPT); }

  // Shows that it is not saved yet.
  mark(id, isMeant = () => true) {
    if (this.isStopped) return;
    const late = (this.store.writes.get(id) ?? []).filter((write) => isMeant(write) && !write.isDone && !write.isWaiting);
    for (const write of late) write.isWaiting = true;
    if (late.length) this.store.note(id);
  }

  async put(write) {
    try {
      const shelf = await this.shelf;
      const one = await shelf.add({ ...write }, this.isWaiting || this.isCut);
      this.journal.take(write);
      if (this.isStopped) return;
      if (one) this.tell('replaced', write.id, one.some, one.writes.map((other) => ({ ...other, isWaiting: true })));
      else if (shelf.isLasting) this.tell('held', write);
      if (shelf.isLasting) this.hooks.kept();
      if (this.isCut || this.isHeld) this.postpone(write.id, new Refusal(0, {}));
      else this.run(write.id);
    } catch (error) {
      this.failed(write, error);
    }
  }

  // The device does not take it: there is too much already, or it takes nothing any more.
  async failed(write, { name }) {
    if (this.isStopped) return;
    this.journal.take(write);
    if (name === 'QuotaExceededError') {
      this.store.drop(write);
      this.store.note(write.id);
      this.hooks.full(write);
      return;
    }
    this.keeper = new TabShelf(this.drafts, this.store.unsaved);
    this.shelf = Promise.resolve(this.keeper);
    this.isUnread = false;
    this.hooks.unkept();
    this.retry();
  }

  /** Takes up what was not sent before; some of it may have been. */
  async restore() {
    const left = this.journal.writes;
    const shelf = await this.shelf;
    if (this.isStopped) return;
    const isMore = await this.recall(shelf);
    if (this.isStopped) return;
    if (shelf.isLasting) {
      // Of a time when the device kept nothing.
      left.unshift(...this.drafts.get('writes') ?? []);
      for (const record of this.drafts.get('parked') ?? []) this.park(record);
      for (const name of ['writes', 'parked']) this.drafts.set(name);
    }
    for (const write of left) {
      const again = { ops: [newID()], ...write, isWaiting: true };
      this.store.hold(again);
      this.put(again);
    }
    if (isMore) this.goOn();
  }

  // Shows what the device has, and answers whether some of it waits; what cannot be read is asked for again, ever less often.
  async recall(shelf, wait = 1000) {
    const found = await shelf.all().catch(() => null);
    // Another one has taken its place.
    if (this.isStopped || shelf !== this.keeper) return false;
    this.isUnread = !found;
    const again = async () => (await this.recall(shelf, Math.min(2 * wait, 60000)) ? this.goOn() : this.settleDown());
    if (!found) setTimeout(again, wait);
    const later = this.store.unsaved;
    for (const write of found?.writes ?? []) this.store.hold({ ...write, isWaiting: true }, later);
    for (const record of found?.parked ?? []) this.hooks.parked(record);
    return Boolean(found?.writes.length);
  }

  goOn() {
    this.isWaiting = true;
    if (this.keeper.isLasting) this.hooks.kept();
    this.retry();
  }

  /** Tries again what waits: the server answers again. */
  retry() {
    clearTimeout(this.wait);
    this.wait = null;
    if (this.isStopped || this.isCut) return;
    // Whatever hurries: the server wants no request yet.
    if (this.isHeld) return void this.schedule(0);
    const since = (id) => this.refused.get(id) ?? 0;
    const waiting = [...new Set(this.store.unsaved.map((write) => write.id))];
    // Those that were refused come last, so that none of them holds up the others.
    for (const id of waiting.sort((one, other) => since(one) - since(other))) this.run(id, false);
  }

  stop() {
    this.isStopped = true;
    this.due.clear();
    clearTimeout(this.wait);
    this.news?.close();
  }

  async park(record) {
    this.hooks.parked(record);
    this.news?.postMessage(['parked', record]);
    await (await this.shelf).park(record).catch(() => {});
  }

  async unpark(key) {
    this.news?.postMessage(['unparked', key]);
    await (await this.shelf).unpark(key).catch(() => {});
  }

  /** Sends what waits for a todo, in its turn, once it is known what the server has. */
  async run(id, isPatient = true) {
    // A list that was asked for before would come after the answer, and know nothing of it.
    if (!this.store.isLoaded) return;
    this.due.set(id, isPatient || this.due.get(id));
    const next = () => this.busy.size < MOST && [...this.due.keys()].find((one) => !this.busy.has(one));
    for (let turn; (turn = next());) {
      const mayWait = this.due.get(turn);
      this.due.delete(turn);
      this.busy.add(turn);
      try { await this.send(turn, mayWait); } finally { this.busy.delete(turn); }
    }
  }

  async send(id, isPatient) {
    const unkept = this.journal.writes;
    const kept = (this.store.writes.get(id) ?? []).filter(({ ops }) => !unkept.some((write) => write.ops[0] === ops[0]));
    let refusal;
    try {
      refusal = await send(this.uid, id, await this.shelf, this.sending, isPatient);
    } catch (error) {
      if (this.isStopped) return;
      // The device failed; what was written is still here.
      if (!(error instanceof DOMException)) throw error;
      refusal = new Refusal(0, {});
    }
    if (this.isStopped) return;
    if (refusal) return this.postpone(id, refusal);
    this.failures = 0;
    this.refused.delete(id);
    // What became of them was said before this tab could hear it.
    const sent = refusal === null ? kept.filter(({ isDone }) => !isDone) : [];
    if (sent.length) this.store.replace(id, sent, []);
    return this.settleDown();
  }

  // Says of what is done here, and hears it of other tabs and of the service worker.
  tell(name, ...values) {
    this.hear(name, values);
    // What this tab alone keeps is nothing to the others.
    if (!this.keeper.isLasting) return;
    try { this.news?.postMessage([name, ...values]); } catch { /* it was closed: nobody is here any more */ }
  }

  hear(name, values) {
    if (this.isStopped) return;
    if (name === 'settled') {
      this.store.settled(...values);
      if (values[2]) this.store.routines?.take(values[2]);
    }
    if (name === 'replaced') this.store.replace(...values);
    if (name === 'held') this.store.hold(...values);
    // What another tab has, or what is left of a write, waits as well where no answer comes.
    for (const write of { held: values, replaced: values[2] }[name] ?? []) this.markLater(write);
    if (name === 'parked' || name === 'unparked') this.hooks[name](...values);
    this.settleDown();
  }

  postpone(id, { isSignedOut, retryAfter }) {
    this.mark(id);
    // The others would hear the same: they have their turn when it is tried again.
    this.due.clear();
    this.refused.set(id, performance.now());
    this.allowed = Math.max(this.allowed, performance.now() + 1000 * retryAfter);
    if (!this.isWaiting) this.hooks.waiting();
    this.isWaiting = true;
    if (isSignedOut) return this.hooks.signedOut();
    return this.schedule(300 + Math.random() * Math.min(LONGEST_WAIT, 500 * 2 ** this.failures++));
  }

  schedule(wait) { this.wait ??= setTimeout(() => this.retry(), Math.max(wait, this.allowed - performance.now())); }

  settleDown() {
    if (this.store.unsaved.length) return this.schedule(LONGEST_WAIT);
    // It is not known yet whether that was all.
    if (!this.isWaiting || this.isUnread) return undefined;
    this.isWaiting = false;
    return this.hooks.caughtUp();
  }
}
