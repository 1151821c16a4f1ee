// One todo of one user on a device, with the page's own outbox in the browser's own storage, and a server that stands for itself: what
// is waiting, then what happens until the network is back, and what comes of it.
import { Drafts } from '../../../Sources/TodoMateGateway/Web/drafts.js';
import { Journal } from '../../../Sources/TodoMateGateway/Web/journal.js';
import { open } from '../../../Sources/TodoMateGateway/Web/kept.js';
import * as refusing from '../../../Sources/TodoMateGateway/Web/refusing.js';
import { send } from '../../../Sources/TodoMateGateway/Web/sender.js';
import { Store } from '../../../Sources/TodoMateGateway/Web/store.js';
import { Writer } from '../../../Sources/TodoMateGateway/Web/writer.js';
import { refusal, reply, Server, stranger, UID } from './stand_in.js';

const ID = 't';
const NEW = { id: ID, content: 'was', detail: '', status: 'todo', date: '2026-11-24', position: 1, visibility: 'followers' };

const net = { isOnline: true, server: null };
Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => net.isOnline });
globalThis.fetch = async (...request) => {
  if (!net.isOnline) throw new TypeError('no network');
  return net.server.fetch(...request);
};

class Device {
  /** It keeps what waits for all tabs, or a tab does so alone. */
  static async begin(server, isLasting) {
    localStorage.clear();
    sessionStorage.clear();
    const kept = await open();
    await kept.forget(UID);
    const shelf = isLasting ? await kept.begin(UID, { signIn: true }) : null;
    return new Device(server, kept, shelf);
  }

  constructor(server, kept, shelf) {
    Object.assign(this, { server, kept, shelf, store: new Store(() => {}), asked: [], isAtTheDoor: false, isFull: false });
    this.store.snapshot({ id: '0-0', todos: [] });
    const nothing = () => {};
    const hooks = {
      isTold: () => false, parked: (record) => this.asked.push(record), unparked: nothing, waiting: nothing, kept: nothing, caughtUp: nothing,
      signedOut: () => { this.isAtTheDoor = true; }, full: () => { this.isFull = true; }, unkept: nothing, isLive: () => false,
    };
    this.writer = new Writer(UID, this.store, { drafts: new Drafts(UID), journal: new Journal(UID), shelf }, hooks);
    // Whoever drives it says when it tries again.
    this.writer.schedule = nothing;
  }

  /** Writes: and where it was `sent`, without an answer, whether that was done. */
  async write(write, sent) {
    net.isOnline = sent !== undefined;
    const real = this.server;
    net.server = {
      fetch: async (...request) => {
        if (sent) real.fetch(...request);
        throw new TypeError('the answer was lost');
      },
    };
    await this.writer.write({ id: ID, ...write });
    if (sent !== undefined) await this.send();
    Object.assign(net, { isOnline: false, server: real });
  }

  async send() {
    this.writer.run(ID);
    while (this.writer.busy.size) await new Promise((resume) => { setTimeout(resume); });
  }

  get view() { return this.store.todo(ID); }

  /** One that was named here. */
  addNew(sent) { return this.write({ kind: 'add', todo: NEW, isNew: true }, sent); }

  /** One that was there before. */
  add(sent) { return this.write({ kind: 'add', todo: NEW }, sent); }

  edit(fields, sent) { return this.view && this.write({ kind: 'patch', before: this.view, fields }, sent); }

  remove(sent) { return this.view && this.write({ kind: 'remove', before: this.view }, sent); }

  // Until what was said to all tabs before has been heard.
  heard() {
    const [said, other] = [new BroadcastChannel(`todomate.writes.${UID}`), new BroadcastChannel(`todomate.writes.${UID}`)];
    return new Promise((resume) => {
      said.onmessage = ({ data: [name] }) => {
        if (name !== 'sentinel') return;
        said.close();
        other.close();
        resume();
      };
      other.postMessage(['sentinel']);
    });
  }

  async outcome() {
    const show = (todo) => (todo ? `${todo.content}${todo.status === 'complete' ? '✓' : ''}${todo.detail && `/${todo.detail}`}` : '-');
    const [there, here] = [show(this.server.todo), show(this.view)];
    const { writes } = await this.writer.keeper.all().catch(() => ({ writes: null }));
    const fields = (some) => Object.entries(some ?? {}).map(([name, value]) => ` ${name}=${value}`).join('');
    return [
      here === there ? here : `${there} (shows ${here})`,
      ...(writes ?? []).map(({ kind }) => `waits ${kind}`),
      ...(writes && writes.length !== this.store.unsaved.length ? ['DISAGREES'] : []),
      ...(this.isAtTheDoor ? ['at the door'] : []),
      ...this.asked.map((record) => `asks ${record.kind}${fields(record.fields)}`),
    ].join('; ');
  }
}

const known = (device) => {
  device.server.write('added', NEW);
  device.server.tell(device.store);
};
const after = (...steps) => async (device) => {
  known(device);
  for (const step of steps) await step(device);
};
const mine = { content: 'mine' };
const mark = (device) => device.edit({ status: 'complete' });
/** What waits: `~` was sent in vain, `!` was sent and done, and nobody has heard of it. */
export const states = {
  nothing: () => {},
  known: after(),
  add: (device) => device.addNew(),
  'add~': (device) => device.addNew(false),
  'add!': (device) => device.addNew(true),
  'add~ mark': async (device) => { await device.addNew(false); await mark(device); },
  edit: after((device) => device.edit(mine)),
  'edit~': after((device) => device.edit(mine, false)),
  'edit!': after((device) => device.edit(mine, true)),
  'edit~ mark': after((device) => device.edit(mine, false), mark),
  'edit! mark': after((device) => device.edit(mine, true), mark),
  remove: after((device) => device.remove()),
  'remove~': after((device) => device.remove(false)),
  'remove!': after((device) => device.remove(true)),
  'edit~ remove': after((device) => device.edit(mine, false), (device) => device.remove()),
  'remove add': after((device) => device.remove(), (device) => device.add()),
  'remove~ add': after((device) => device.remove(false), (device) => device.add()),
  'remove add mark': after((device) => device.remove(), (device) => device.add(), mark),
  'edit~ remove add': after((device) => device.edit(mine, false), (device) => device.remove(), (device) => device.add()),
};

const theirs = (fields) => ({ server }) => { if (server.todo) server.write('modified', { ...server.todo, ...fields }); };
const answers = (answer) => ({ server }) => { server.answer = answer; };
const forget = ({ server }) => server.done.clear();
/** What happens before the network is back. */
export const events = {
  emptied: ({ server }) => server.replace(0),
  rewound: ({ server }) => server.replace(1, { ...NEW, content: 'old' }),
  nothing: () => {},
  'forgotten operations': forget,
  'the same field': theirs({ content: 'theirs' }),
  'another field': theirs({ detail: 'theirs' }),
  'the same change': theirs(mine),
  'another place': theirs({ position: 7 }),
  'gone there': ({ server }) => { if (server.todo) server.write('removed', server.todo); },
  'gone there, and forgotten': ({ server }) => {
    if (server.todo) server.write('removed', server.todo);
    server.done.clear();
  },
  refused: answers(() => refusal(422, 'full')),
  'no answer': answers(() => { throw new TypeError('no network'); }),
  'Redis away': answers(() => refusal(503, 'unavailable')),
  'the server fails': answers(() => refusal(500, 'internal')),
  'a stranger answers': answers(() => stranger(404)),
  'a stranger wants a name': answers(() => stranger(401)),
  'a stranger forbids it': answers(() => stranger(403)),
  'a stranger has a problem': answers(() => reply(403, { type: 'about:blank', title: 'Forbidden', status: 403 })),
  'not signed in': answers(() => refusal(401, 'unauthenticated')),
  'signed out in another tab': async ({ kept }) => { await kept.forget(UID); },
  'marked here': mark,
  'removed here': (device) => device.remove(),
  'the page is loaded anew': async (device) => {
    device.writer.stop();
    const next = new Device(device.server, device.kept, device.shelf);
    next.store.snapshot({ id: device.store.asOf ?? '0-0', todos: [...device.store.known.values()] });
    await next.writer.restore();
    return next;
  },
  'sent by the service worker': async (device) => {
    const news = new BroadcastChannel(`todomate.writes.${UID}`);
    const hooks = { isOver: () => false, refusing: async () => refusing };
    for (const name of ['settled', 'replaced', 'parked']) hooks[name] = (...values) => news.postMessage([name, ...values]);
    net.isOnline = true;
    await send(UID, ID, device.shelf, hooks, false);
    await device.heard();
    news.close();
  },
};

/** What comes of a state with each event: where the stream tells of it first, and where the answers do. */
export async function outcomes(state, isLasting) {
  const found = {};
  for (const event of Object.keys(events)) {
    if (event === 'sent by the service worker' && !isLasting) continue;
    found[event] = [await outcome(state, event, isLasting, true), await outcome(state, event, isLasting, false)];
  }
  return found;
}

async function outcome(state, event, isLasting, isStreamFirst) {
  const server = new Server();
  net.server = server;
  let device = await Device.begin(server, isLasting);
  await device.writer.shelf;
  await states[state](device);
  net.isOnline = false;
  device = await events[event](device) ?? device;
  if (isStreamFirst) server.tell(device.store);
  net.isOnline = true;
  await device.send();
  server.tell(device.store);
  await device.send();
  server.tell(device.store);
  const shown = await device.outcome();
  device.writer.stop();
  device.kept.database.close();
  return shown;
}

const each = (count, act) => Promise.all(Array.from({ length: count }, (_, number) => act(`filling${number}`)));
const wait = (count) => (shelf) => each(count, (id) => shelf.add({ kind: 'remove', id, ops: [id] }));
const noRoom = () => { throw new DOMException('no room', 'QuotaExceededError'); };
/** What fills a device. */
export const fillings = {
  'room for one': wait(999),
  'too much waits': wait(1000),
  'too much was refused': (shelf) => each(1000, (key) => shelf.park({ key })),
  'no room in the browser': (shelf) => {
    if (shelf.isLasting) IDBObjectStore.prototype.add = noRoom;
    else for (let size = 1 << 22, name = 0; size >= 1; name += 1) {
      try { sessionStorage.setItem(`filling${name}`, ' '.repeat(size)); } catch { size >>= 1; }
    }
  },
};

/** After a filling: whether a new todo was refused for it, whether it shows, how much waits then, also after a reload, and what an edit makes of it. */
export async function filled(filling, isLasting) {
  const { add } = IDBObjectStore.prototype;
  const device = await Device.begin(new Server(), isLasting);
  await fillings[filling](await device.writer.shelf);
  await device.add();
  await device.edit(mine);
  const next = new Device(device.server, device.kept, device.shelf);
  const { writes } = await (await next.writer.shelf).all();
  for (const one of [device, next]) one.writer.stop();
  device.kept.database.close();
  IDBObjectStore.prototype.add = add;
  sessionStorage.clear();
  return [device.isFull, device.view?.content ?? null, writes.length, writes.find(({ id }) => id === ID)?.todo.content ?? null];
}

/** An edit was sent without an answer when the device keeps nothing any more: what waits after another one. */
export async function takenOver() {
  const { add } = IDBObjectStore.prototype;
  const device = await Device.begin(new Server(), true);
  await device.writer.shelf;
  known(device);
  await device.edit(mine, true);
  IDBObjectStore.prototype.add = () => { throw new DOMException('broken', 'UnknownError'); };
  await device.writer.write({ kind: 'add', id: 'other', todo: { ...NEW, id: 'other' } });
  await mark(device);
  IDBObjectStore.prototype.add = add;
  const { writes } = await device.writer.keeper.all();
  device.writer.stop();
  device.kept.database.close();
  sessionStorage.clear();
  return writes.map(({ id, kind }) => `${kind} ${id}`);
}
