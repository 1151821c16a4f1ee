// Keeps on the device what was seen last: the lists, and where the stream has got to, which is never ahead of them.
import { withMade } from './madeDays.js';

const CALM = 400;

export class Base {
  /** `shelf` takes it; `look()` answers what goes with the lists, the stream's place in it; null where it is not for this tab to say. */
  constructor(shelf, look) {
    Object.assign(this, { shelf, look, lists: new Map(), single: new Map(), ends: new AbortController() });
    // A page that goes gives up what it cannot finish, before its browser does so and complains.
    addEventListener('pagehide', () => this.saving?.abort(), { signal: this.ends.signal });
  }

  /** A list was replaced: `list()` answers it when it is written, null for one that is not to be seen any more. */
  all(owner, list) {
    this.lists.set(owner, list);
    this.soon();
  }

  /** One todo has changed: `todo()` answers it when it is written. */
  one(owner, id, todo) {
    this.single.set(`${owner}/${id}`, [owner, id, todo]);
    this.soon();
  }

  /** The stream has got further, or something else has changed. */
  soon() { this.wait ??= setTimeout(() => this.save(), CALM); }

  async save() {
    clearTimeout(this.wait);
    this.wait = null;
    if (this.isOver) return;
    const changed = [this.lists, this.single];
    const lists = Object.fromEntries([...this.lists].map(([owner, list]) => [owner, list()]));
    const single = [...this.single.values()].filter(([owner]) => !this.lists.has(owner)).map(([owner, id, todo]) => [owner, id, todo() ?? null]);
    [this.lists, this.single] = [new Map(), new Map()];
    const now = this.look();
    // Another tab listens by now, and has had all of it kept.
    if (!now) return;
    const { gone, profile, ...rest } = now;
    const seen = { ...rest, profile: profile && { ...profile, routines: withMade(profile.routines, gone) } };
    const { signal } = this.saving = new AbortController();
    try {
      await this.shelf.see(seen, lists, single, signal);
    } catch {
      // There is no more room, or they have left: what was seen is for convenience, and this page shows it anyway.
      if (!signal.aborted) return this.close();
      // Unless it comes back.
      [this.lists, this.single] = changed.map((some, index) => new Map([...some, ...[this.lists, this.single][index]]));
      this.soon();
    }
    return undefined;
  }

  close() {
    this.isOver = true;
    this.ends.abort();
    clearTimeout(this.wait);
  }
}
