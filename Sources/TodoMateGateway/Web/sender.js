// Sends what waits for one todo, one write after another. A tab does it or the service worker: whoever it is is alone with that todo.
import * as api from './api.js';
import { instance } from './madeDays.js';
import { isNote } from './noteIDs.js';

/**
 * `shelf` has the writes. `hooks`: settled(write, todo), replaced(id, some, writes, current), parked(record), isOver(), refusing() that
 * promises the module of that name, and isTold(lost, verdict) where whoever wrote it has learnt of a refusal, so that nothing is to be
 * kept of it. Answers the refusal for which the rest waits, null where none does, and nothing where somebody else is at it and
 * `isPatient` is not.
 */
export function send(uid, id, shelf, hooks, isPatient = true) {
  return alone(`todomate.write.${uid}.${id}`, isPatient, async () => {
    try {
      for (let write; !hooks.isOver() && (write = await shelf.take(id));) await attempt(uid, write, shelf, hooks);
      return null;
    } catch (error) {
      if (!(error instanceof api.Refusal)) throw error;
      // Where it was asked.
      if (error.status && error.retryAfter) await shelf.pause?.(error.retryAfter);
      return error;
    }
  });
}

// Throws what is to be waited for.
async function attempt(uid, write, shelf, hooks) {
  try {
    // An attempt before may have done it, and the server forgotten that; a refusal since says nothing of it.
    if (write.isNew && write.isTried && await wasRemoved(uid, write.id)) return await settle(shelf, hooks, write, null);
    const [todo, routines] = await request(uid, write);
    await settle(shelf, hooks, write, todo, routines);
  } catch (error) {
    if (!(error instanceof api.Refusal)) throw error;
    const { isPassing, status, problem } = error;
    if (hooks.isOver() || isPassing || error.isSignedOut) throw error;
    if (status === 404 && ['remove', 'skip'].includes(write.kind)) return settle(shelf, hooks, write, null);
    // The todo of a day that is to be there again is there.
    if (status === 409 && write.kind === 'skip') return settle(shelf, hooks, write, await there(uid, write.id));
    const { isWritten, refuse } = await hooks.refusing();
    if (status === 409 && write.kind === 'add' && write.isTried) {
      // The server may have forgotten that it was done: a day has passed, or its history was replaced. No word goes with a guess.
      const todo = await there(uid, write.id);
      if (!todo || isWritten(write.todo, todo)) return settle(shelf, hooks, write, todo);
      if (isNote(write.id)) problem.current = todo;
    }
    return refuse(shelf, hooks, write, status, problem);
  }
  return undefined;
}

/** A todo as the server has it, or null. */
const there = (uid, id) => api.todo(uid, id).catch((error) => {
  if (error.status === 404 && !error.isPassing) return null;
  throw error;
});

// Whether a todo that was named here has been there, and is gone.
const wasRemoved = (uid, id) => api.history(uid, id).then(({ todo }) => !todo, (error) => {
  if (error.status === 404 && !error.isPassing) return false;
  throw error;
});

// Without locks nothing is shared, and each tab is alone with its own.
const alone = (name, isPatient, act) => (navigator.locks
  ? navigator.locks.request(name, { ifAvailable: !isPatient }, (lock) => (lock ? act() : undefined)) : act());

// The todo as it is then, and the routines where they are others since.
async function request(uid, { kind, id, todo, fields, tag, ops: [operation], isBack, isUnmaking }) {
  if (kind === 'add') return [await api.add(uid, todo, operation)];
  if (kind === 'skip') return [null, await skip(uid, id, isBack, operation)];
  if (kind !== 'remove') return [await api.update(uid, id, fields, tag, operation)];
  await api.remove(uid, id, tag, operation);
  return [null, isUnmaking ? await skip(uid, id, true, `${operation}-back`).catch(unlessPassing) : undefined];
}

/** Leaves out the day of a routine that an id names, or has it again; answers the routines. */
async function skip(uid, id, isBack, operation) {
  const [, routine, day] = id.match(instance);
  const date = `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`;
  return (await api.skipDay(uid, routine, date, isBack, operation)).routines;
}

// The routine has ended meanwhile, say: what was made of it is gone all the same.
function unlessPassing(error) {
  if (!(error instanceof api.Refusal) || error.isPassing || error.isSignedOut) throw error;
}

async function settle(shelf, hooks, write, todo, routines) {
  await shelf.settle(write, write.kind === 'remove' ? null : todo, todo && api.tagOf(todo), routines);
  hooks.settled(write, todo, routines);
}
