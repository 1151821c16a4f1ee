// What this browser keeps of a user for the time without a network: who they are, the lists as they were last seen, what waits to be
// sent, and what was refused. All of it is of one user's one visit, and ends with it.
import { done, of, Shelf } from './shelf.js';

const NAME = 'todomate';
const STORES = ['users', 'todos', 'writes', 'parked'];

export const isPossible = () => Boolean(globalThis.indexedDB && navigator.locks && globalThis.BroadcastChannel);

/** Opens what is kept; null where a browser keeps nothing, or only where nobody could share it safely. */
export async function open() {
  if (!isPossible()) return null;
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore('users', { keyPath: 'uid' });
    request.result.createObjectStore('todos', { keyPath: ['uid', 'owner', 'id'] });
    const writes = request.result.createObjectStore('writes', { keyPath: 'number', autoIncrement: true });
    writes.createIndex('todo', ['uid', 'id']);
    request.result.createObjectStore('parked', { keyPath: ['uid', 'key'] });
  };
  const database = await done(request);
  // A page of a later version must not wait for this one.
  database.onversionchange = () => database.close();
  return new Kept(database);
}

export class Kept {
  constructor(database) { this.database = database; }

  /** Does all of `act(stores)`, or nothing of it, as when `signal` says so; it may await nothing but requests. */
  async change(act, { mode = 'readwrite', durability = 'default', signal } = {}) {
    const change = this.database.transaction(STORES, mode, { durability });
    const giveUp = () => { try { change.abort(); } catch { /* it is over already */ } };
    signal?.addEventListener('abort', giveUp);
    const over = new Promise((resolve, reject) => {
      change.oncomplete = resolve;
      change.onabort = () => reject(change.error ?? new DOMException('given up', 'AbortError'));
    });
    over.catch(() => {});
    let result;
    try {
      result = await act(Object.fromEntries(STORES.map((name) => [name, change.objectStore(name)])));
      change.commit();
    } catch (error) {
      giveUp();
      throw error;
    }
    await over;
    return result;
  }

  users() { return this.change(({ users }) => done(users.getAll()), { mode: 'readonly' }); }

  /** A user is here: nobody else's things stay, where people sign in. */
  async begin(uid, door) {
    const { visit, dropped } = await this.change(async (stores) => {
      let count = 0;
      for (const user of await done(stores.users.getAll())) {
        if (!door.signIn || user.uid === uid) continue;
        count += await done(stores.writes.index('todo').count(of(user.uid))) + await done(stores.parked.count(of(user.uid)));
        await forget(stores, user.uid);
      }
      const user = await done(stores.users.get(uid)) ?? { uid, visit: crypto.randomUUID() };
      stores.users.put({ ...user, door });
      return { visit: user.visit, dropped: count };
    });
    return Object.assign(new Shelf(this, uid, visit, door.signIn), { dropped });
  }

  /** Keeps nothing of somebody any more; answers of how many others it does. */
  forget(uid) {
    return this.change(async (stores) => {
      await forget(stores, uid);
      return done(stores.users.count());
    });
  }

  /** Keeps nothing but what was written and nobody has, and answers how much that is. */
  forgetSeen(uid) {
    return this.change(async (stores) => {
      stores.todos.delete(of(uid));
      const user = await done(stores.users.get(uid));
      if (user) stores.users.put({ uid, visit: user.visit, door: user.door });
      return done(stores.writes.index('todo').count(of(uid)));
    });
  }
}

async function forget({ users, todos, writes, parked }, uid) {
  users.delete(uid);
  for (const store of [todos, parked]) store.delete(of(uid));
  for (const number of await done(writes.index('todo').getAllKeys(of(uid)))) writes.delete(number);
}
