// The events of the board's stream, and who receives them.
import * as api from './api.js';
import { called } from './names.js';
import { HEARTBEAT, Stream } from './stream.js';

const MINUTE = 60000;
const isStored = ({ isOnlyShown }) => !isOnlyShown;

export class Live {
  /** `lost()` answers whether to connect again, as the stream's. */
  constructor(model, lost) {
    Object.assign(this, { model, lost, stream: null, part: null, shelf: null });
    setInterval(() => this.countUnseen(), MINUTE);
  }

  /**
   * Opens the stream of all whose lists show; mine goes on from `since`, what it is as of, if that is known. By the `part` for the time
   * without a network it is one for all tabs, and its `shelf`, if there is one, keeps what was seen.
   */
  open(since) {
    this.close();
    const { model, part, shelf } = this;
    const { uid, todos, actions, circle } = model;
    const base = part && shelf ? new part.Base(shelf, () => (this.isListening ? this.seen() : null)) : null;
    this.base = base;
    const change = (type) => (data) => {
      const { uid: owner, id } = data.todo;
      if (owner === uid) todos.change(type, data);
      else circle.change(type, data);
      this.keep(owner, id);
    };
    const handlers = {
      snapshot: (data) => {
        this.keep(data.uid);
        if (data.uid !== uid) return circle.snapshot(data);
        todos.snapshot(data);
        actions.writer.retry();
        // What became of my own settings and relations meanwhile is not in it.
        return circle.loadSoon();
      },
      added: change('added'), modified: change('modified'), removed: change('removed'),
      closed: (data) => {
        circle.closed(data);
        this.keep(data.uid);
      },
      relation: (data) => circle.relation(data),
      settings: (data) => {
        // They say which days were made until then.
        todos.gone.clear();
        circle.settings(data);
      },
      badges: (data) => model.setBadges(data),
      session: (data) => model.emit('signedIn', data.begun),
      announcement: (data) => model.emit('announced', data),
    };
    const path = (since) => api.boardPath(uid, [uid, ...circle.shown.map((person) => person.uid)], model.zone, HEARTBEAT, since);
    let wasListening = false;
    const state = (name, isListening = true) => {
      if (name !== 'live') todos.asked();
      else {
        if (model.connection !== 'live') actions.writer.retry();
        model.setSeenAt(null);
      }
      // The tab that listened until now may not have kept all that it told; and nobody keeps anything who may not be welcome any more.
      if (isListening && name === 'live' && !wasListening) for (const owner of [uid, ...circle.shares.keys()]) this.keep(owner);
      wasListening = isListening && (wasListening || name === 'live');
      model.setConnection(name === 'connecting' && model.seenAt ? 'offline' : name);
    };
    const hooks = {
      event: (type, data, last) => {
        handlers[type](data);
        this.last = last;
        if (this.isListening) base?.soon();
      },
      state, lost: this.lost, snapshots: () => this.snapshots(),
    };
    this.last = since;
    this.stream = part?.isShared ? new part.Relay(`todomate.live.${uid}`, path, hooks, since) : new Stream(path, hooks, since);
    this.countUnseen();
  }

  get isListening() { return this.stream?.isListening ?? true; }

  // Has a list kept, or one todo of it: by the tab that listens, for all.
  keep(owner, id) {
    if (!this.base || !this.isListening) return;
    const store = () => (owner === this.model.uid ? this.model.todos : this.model.circle.store(owner));
    if (id === undefined) this.base.all(owner, () => store() && [...store().known.values()].filter(isStored));
    else this.base.one(owner, id, () => { const todo = store()?.known.get(id); return todo && isStored(todo) ? todo : null; });
  }

  // What goes with the lists that are kept.
  seen() {
    const { uid, todos, circle, badges } = this.model;
    const owners = [[uid, { asOf: todos.asOf }], ...[...circle.shares].map(([owner, { access, store }]) => [owner, { access, asOf: store.asOf }])];
    return {
      at: Date.now(), cursor: this.last, gone: [...todos.gone], owners: Object.fromEntries(owners), badges,
      profile: circle.profile, following: circle.following, people: called(),
    };
  }

  // All that is known, as the events that tell it.
  snapshots() {
    const { uid, todos, circle, badges } = this.model;
    const told = (owner, store, access) => ['snapshot', { uid: owner, access, id: store.asOf, todos: [...store.known.values()] }];
    return [
      ...todos.isLoaded ? [told(uid, todos, 'own')] : [],
      ...[...circle.shares].map(([owner, { access, store }]) => (access === 'none' ? ['closed', { uid: owner }] : told(owner, store, access))),
      ['badges', badges],
    ];
  }

  /** Connects anew where others are to be watched, or the time zone is another one. */
  refresh() { this.stream?.refresh(); }

  close() {
    this.stream?.close();
    this.base?.close();
    this.stream = this.base = null;
  }

  // A hidden page has closed its stream; its title still shows the count.
  async countUnseen() {
    const { uid, zone } = this.model;
    if (!uid || !document.hidden || !this.stream) return;
    try {
      const badges = await api.badges(uid, zone);
      if (uid === this.model.uid) this.model.setBadges(badges);
    } catch { /* the next minute retries */ }
  }
}
