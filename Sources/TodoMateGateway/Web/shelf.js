// What a browser keeps of one user: what waits to be sent, what was refused, and what was seen last.
import { Refusal, tagOf } from './api.js';
import { checkRoom, joined } from './joined.js';
import { instance, withMade } from './madeDays.js';
import { isPast } from './versions.js';

const LAST = '\uffff';

export const done = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

/** All keys that begin with these parts. */
export const of = (...key) => IDBKeyRange.bound(key, [...key, LAST]);

/** What is kept of one user, for a page or the service worker: nothing is kept once they have left, whoever did not hear of it. */
export class Shelf {
  isLasting = true;

  constructor(kept, uid, visit, isStrict) { Object.assign(this, { kept, uid, visit, isStrict }); }

  change(act, how) {
    return this.kept.change(async (stores) => {
      const user = await done(stores.users.get(this.uid));
      if (user?.visit === this.visit) return act(stores, user);
      // Where nobody signs in, anyone may have this board open beside.
      if (this.isStrict || user) throw new DOMException('they have left', 'AbortError');
      const fresh = { uid: this.uid, visit: this.visit, door: { signIn: false } };
      if (how?.mode !== 'readonly') stores.users.put(fresh);
      return act(stores, fresh);
    }, how);
  }

  look(act) { return this.change(act, { mode: 'readonly' }); }

  // What waits to be sent

  /** All that waits, in order, and what was refused. */
  all() {
    return this.look(async ({ writes, parked }) => ({
      writes: (await done(writes.index('todo').getAll(of(this.uid)))).sort((one, other) => one.number - other.number),
      parked: await done(parked.getAll(of(this.uid))),
    }));
  }

  /**
   * Keeps a write; `isJoining` makes one of it and what waits for the same todo, unless that may have been sent. Then it answers which
   * writes, `some`, became which others, if any.
   */
  add(write, isJoining) {
    return this.change(async ({ writes, parked }) => {
      const waiting = await this.waiting(writes, write.id);
      if (waiting.some(({ ops }) => ops.includes(write.ops[0]))) return null;
      const last = waiting.at(-1);
      const one = isJoining && last && !last.isTried ? joined(last, write) : undefined;
      if (one === undefined) {
        checkRoom(await done(writes.index('todo').count(of(this.uid))), await done(parked.count(of(this.uid))));
        writes.add({ ...write, uid: this.uid });
        return null;
      }
      if (one) writes.put(one);
      else writes.delete(last.number);
      return { some: [last, write], writes: one ? [one] : [] };
      // It is to outlast a battery that runs out as well.
    }, { durability: 'strict' });
  }

  /** For so many seconds the server wants no request, be it of this tab, of another or of the service worker. */
  pause(seconds) {
    return this.change(({ users }, user) => {
      const from = Date.now();
      users.put({ ...user, pause: { from, to: from + 1000 * seconds } });
    });
  }

  waiting(writes, id) { return done(writes.index('todo').getAll(IDBKeyRange.only([this.uid, id]))); }

  /** The first write of a todo, which is going to be sent; throws where the server wants no request yet. */
  take(id) {
    return this.change(async ({ writes }, { pause = {} }) => {
      const now = Date.now();
      // A clock that was put back since ends it.
      if (pause.from <= now && now < pause.to) throw new Refusal(0, {}, new Headers({ 'Retry-After': Math.ceil((pause.to - now) / 1000) }));
      const [first] = await this.waiting(writes, id);
      if (first && !first.isTried) writes.put({ ...first, isTried: true });
      return first;
    });
  }

  /** All writes of a todo of which one was refused: from now on none becomes one with what is done next, which would go with them. */
  claim(id) {
    return this.change(async ({ writes }) => {
      const all = await this.waiting(writes, id);
      for (const write of all) writes.put({ ...write, isTried: true });
      return all;
    });
  }

  /**
   * A write is done, and left this of its todo, if anything, and perhaps other routines: what was seen last has it, before the write is
   * forgotten.
   */
  settle({ id, number, kind, isUnmaking, isBack }, todo, tag, routines) {
    return this.change(async ({ users, writes, todos }, user) => {
      const { profile } = user.seen ?? {};
      const made = routines ?? (instance.test(id) && !isUnmaking && !isBack ? withMade(profile?.routines, [id]) : undefined);
      if (made && profile) users.put({ ...user, seen: { ...user.seen, profile: { ...profile, routines: made } } });
      writes.delete(number);
      const next = (await this.waiting(writes, id)).find((write) => write.number > number);
      if (next && tag) writes.put({ ...next, tag });
      if (kind !== 'skip' || todo) await learn(todos, user, id, todo);
    });
  }

  /** These `wanted` take the place of some writes of a todo, and what was refused is kept apart. */
  replace(some, wanted, record, current) {
    return this.change(async ({ writes, parked, todos }, user) => {
      for (const { number } of some) writes.delete(number);
      for (const write of wanted) writes.put(write);
      if (record) parked.put({ ...record, uid: this.uid });
      if (current) await learn(todos, user, current.id, current);
    });
  }

  park(record) { return this.change(({ parked }) => { parked.put({ ...record, uid: this.uid }); }); }

  unpark(key) { return this.change(({ parked }) => { parked.delete([this.uid, key]); }); }

  // What was seen last

  /** The lists as they were last seen, by owner, with what else is kept of the user; null where there is nothing. */
  seen() {
    return this.look(async ({ todos }, user) => {
      if (!user.seen?.owners) return null;
      const lists = {};
      for (const { owner, todo } of await done(todos.getAll(of(this.uid)))) (lists[owner] ??= []).push(todo);
      return { ...user.seen, lists };
    });
  }

  /**
   * Takes what was seen: `seen`, whole lists by owner (null for one that is not to be seen any more), and single todos as
   * `[owner, id, todo]`. It is given up when `signal` says so.
   */
  see(seen, lists, single, signal) {
    return this.change(({ users, todos }, user) => {
      for (const [owner, list] of Object.entries(lists)) {
        todos.delete(of(this.uid, owner));
        for (const todo of list ?? []) todos.put({ uid: this.uid, owner, id: todo.id, todo });
      }
      for (const [owner, id, todo] of single) {
        if (todo) todos.put({ uid: this.uid, owner, id, todo });
        else todos.delete([this.uid, owner, id]);
      }
      users.put({ ...user, seen });
    }, { signal });
  }
}

async function learn(todos, { uid, seen }, id, todo) {
  const known = (await done(todos.get([uid, uid, id])))?.todo;
  if (!todo) todos.delete([uid, uid, id]);
  // What was seen may have it already, or that it has gone since.
  else if (!isPast(known ? tagOf(known) : seen?.owners?.[uid]?.asOf, todo)) todos.put({ uid, owner: uid, id, todo });
}
