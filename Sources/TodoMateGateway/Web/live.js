// The events of the board's stream, and who receives them.
import * as api from './api.js';
import { HEARTBEAT, Stream } from './stream.js';

const MINUTE = 60000;

export class Live {
  /** `lost()` answers whether to connect again, as the stream's. */
  constructor(model, lost) {
    Object.assign(this, { model, lost, stream: null });
    setInterval(() => this.countUnseen(), MINUTE);
  }

  /** Opens the stream of all whose lists show; mine goes on from `since`, what it is as of, if that is known. */
  open(since) {
    this.close();
    const { model } = this;
    const { uid, todos, actions, circle } = model;
    const change = (type) => (data) => (data.todo.uid === uid ? todos.change(type, data) : circle.change(type, data));
    const handlers = {
      snapshot: (data) => {
        if (data.uid !== uid) return circle.snapshot(data);
        todos.snapshot(data);
        actions.writer.retry();
        // What became of my own settings and relations meanwhile is not in it.
        return circle.loadSoon();
      },
      added: change('added'), modified: change('modified'), removed: change('removed'),
      closed: (data) => circle.closed(data),
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
    const state = (name) => {
      if (name === 'live' && model.connection !== 'live') actions.writer.retry();
      model.setConnection(name);
    };
    this.stream = new Stream(path, { event: (type, data) => handlers[type](data), state, lost: this.lost }, since);
    this.countUnseen();
  }

  /** Connects anew where others are to be watched, or the time zone is another one. */
  refresh() { this.stream?.refresh(); }

  close() {
    this.stream?.close();
    this.stream = null;
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
