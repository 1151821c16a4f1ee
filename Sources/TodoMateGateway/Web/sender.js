// Sends what waits for one todo, one write after another. A tab does it or the service worker: whoever it is is alone with that todo.
import * as api from './api.js';
import { isNote } from './noteIDs.js';
import { rebase } from './rebase.js';

/**
 * `shelf` has the writes. `hooks`: settled(write, todo), replaced(id, some, writes, current), parked(record), isOver(), and isTold(lost,
 * verdict) where whoever wrote it has learnt of a refusal, so that nothing is to be kept of it. Answers the status for which the rest
 * waits, null where none does, and nothing where somebody else is at it and `isPatient` is not.
 */
export function send(uid, id, shelf, hooks, isPatient = true) {
  return alone(`todomate.write.${uid}.${id}`, isPatient, async () => {
    for (let write; !hooks.isOver() && (write = await shelf.take(id));) {
      try {
        const todo = await request(uid, write);
        await settle(shelf, hooks, write, todo);
      } catch (error) {
        if (!(error instanceof api.Refusal)) throw error;
        const { isPassing, status, problem } = error;
        // 403: another user has signed in, in another tab.
        if (hooks.isOver() || isPassing || status === 401 || status === 403) return status;
        if (status === 404 && write.kind === 'remove') await settle(shelf, hooks, write, null);
        else await refuse(shelf, hooks, write, status, problem);
      }
    }
    return null;
  });
}

// Without locks nothing is shared, and each tab is alone with its own.
const alone = (name, isPatient, act) => (navigator.locks
  ? navigator.locks.request(name, { ifAvailable: !isPatient }, (lock) => (lock ? act() : undefined)) : act());

function request(uid, { kind, id, todo, fields, tag, ops: [operation] }) {
  if (kind === 'add') return api.add(uid, todo, operation);
  if (kind === 'remove') return api.remove(uid, id, tag, operation);
  return api.update(uid, id, fields, tag, operation);
}

async function settle(shelf, hooks, write, todo) {
  await shelf.settle(write, write.kind === 'remove' ? null : todo, todo && api.tagOf(todo));
  hooks.settled(write, todo);
}

async function refuse(shelf, hooks, write, status, problem) {
  const { id } = write;
  const { current } = problem;
  const { writes } = await shelf.all();
  const all = writes.filter((other) => other.id === id);
  const lost = { ...write, fields: Object.assign({}, ...all.map((other) => other.fields)) };
  let [left, rest] = [lost.fields, []];
  if (current && all.every(({ kind }) => kind === 'patch')) {
    const { fields, clashes } = rebase(lost, current);
    left = clashes;
    if (Object.keys(fields).length) rest = [{ ...write, ops: all.flatMap(({ ops }) => ops), fields, before: current, tag: api.tagOf(current) }];
  }
  // Of a day's note there is one: another was begun elsewhere, and the stream brings it.
  const isNewNote = write.kind === 'add' && isNote(id);
  if (isNewNote) left = { detail: write.todo.detail, ...left };
  const isTaken = isNewNote && problem.type?.endsWith(':exists');
  const verdict = current || isTaken ? 'conflict' : status === 404 ? 'gone' : 'refused';
  // Neither side has changed what the other did, or both did the same.
  const isMerged = verdict === 'conflict' && write.kind === 'patch' && !Object.keys(left).length;
  const record = isMerged || hooks.isTold?.({ ...lost, fields: left }, verdict, problem) ? null : {
    key: crypto.getRandomValues(new Uint32Array(2)).join('.'), kind: verdict === 'refused' ? kindOf(lost) : verdict, id, wrote: isNewNote ? 'patch' : write.kind,
    before: current ?? write.before ?? write.todo, fields: left, problem: { type: problem.type, reason: problem.reason },
  };
  await shelf.replace(all, rest, record, current);
  hooks.replaced(id, all, rest, current);
  if (record) hooks.parked(record);
}

const kindOf = ({ id, kind, fields }) => (kind === 'add' && !isNote(id) ? 'refusedAdd' : fields.content || fields.detail || isNote(id) ? 'refusedEdit' : 'refusedChange');
