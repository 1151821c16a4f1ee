// What the board's stream tells, and to whom.
import * as api from './api.js';
import { Stream } from './stream.js';

const MINUTE = 60000;

/** Opens the stream of all whose lists show; `hooks`: badges(numbers), state(name), lost() as the stream's. */
export function openLive(board, { badges, state, lost }) {
  const { uid, store, actions, circle } = board;
  const change = (type) => (data) => (data.todo.uid === uid ? store.change(type, data) : circle.change(type, data));
  const told = {
    snapshot: (data) => {
      if (data.uid !== uid) return circle.snapshot(data);
      store.snapshot(data);
      actions.writer.retry();
      // What became of my own settings and relations meanwhile is not in it.
      return circle.loadSoon();
    },
    added: change('added'), modified: change('modified'), removed: change('removed'),
    closed: (data) => circle.closed(data),
    relation: (data) => circle.relation(data),
    settings: (data) => circle.settings(data),
    badges,
  };
  const path = (since) => api.boardPath(uid, [uid, ...circle.shown.map((person) => person.uid)], board.zone, since);
  return new Stream(path, { event: (type, data) => told[type](data), state, lost });
}

/** A page that nobody looks at has given its stream back; its title still tells. */
export function watchBadges(board, take) {
  setInterval(async () => {
    const { uid } = board;
    if (!uid || !document.hidden || !board.stream) return;
    try {
      const numbers = await api.badges(uid, board.zone);
      if (uid === board.uid) take(numbers);
    } catch { /* the next minute asks again */ }
  }, MINUTE);
}
