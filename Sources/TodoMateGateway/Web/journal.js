// What was written last, and which the outbox may not have yet: put down at once, before it shows, in what the browser keeps as text.
import { isKeeping } from './device.js';

const PREFIX = 'todomate.unkept.';

export class Journal {
  constructor(uid) { Object.assign(this, { prefix: `${PREFIX}${uid}/`, last: 0 }); }

  /** Beyond the tab only where the outbox lasts as long, so that any tab can take it over. */
  get storage() {
    try { return navigator.locks && isKeeping() ? localStorage : sessionStorage; } catch { return undefined; }
  }

  /** All of it, in the order in which it was written. */
  get writes() {
    const kept = this.keys(this.prefix).map((key) => JSON.parse(this.storage.getItem(key)));
    return kept.sort((one, other) => one.at - other.at).map(({ write }) => write);
  }

  put(write) {
    this.last = Math.max(Date.now(), this.last + 1);
    // What does not fit goes to the outbox all the same, which says so if it fails.
    try { this.storage?.setItem(this.prefix + write.ops[0], JSON.stringify({ at: this.last, write })); } catch { /* it is full */ }
  }

  /** The outbox has it. */
  take({ ops }) { this.storage?.removeItem(this.prefix + ops[0]); }

  /** Its user has left. */
  forget() { for (const key of this.keys(this.prefix)) this.storage.removeItem(key); }

  /** Nobody else's stays where people sign in. */
  forgetOthers() { for (const key of this.keys(PREFIX)) if (!key.startsWith(this.prefix)) this.storage.removeItem(key); }

  keys(prefix) { return Object.keys(this.storage ?? {}).filter((key) => key.startsWith(prefix)); }
}
