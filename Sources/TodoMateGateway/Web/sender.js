// Sends what waits for one todo, one write after another. A tab does it or the service worker: whoever it is is alone with that todo.
import * as api from './api.js';
import { instance } from './madeDays.js';
import { isNote } from './noteIDs.js';
import { isUntouched, rebase } from './rebase.js';

/**
 * `shelf` has the writes. `hooks`: settled(write, todo), replaced(id, some, writes, current), parked(record), isOver(), and isTold(lost,
 * verdict) where whoever wrote it has learnt of a refusal, so that nothing is to be kept of it. Answers the refusal for which the rest
 * waits, null where none does, and nothing where somebody else is at it and `isPatient` is not.
 */
export function send(uid, id, shelf, hooks, isPatient = true) {
  return alone(`todomate.write.${uid}.${id}`, isPatient, async () => {
    for (let write; !hooks.isOver() && (write = await shelf.take(id));) {
      try {
        await attempt(uid, write, shelf, hooks);
      } catch (error) {
        if (!(error instanceof api.Refusal)) throw error;
        return error;
      }
    }
    return null;
  });
}

// Throws what is to be waited for.
async function attempt(uid, write, shelf, hooks) {
  try {
    const [todo, routines] = await request(uid, write);
    await settle(shelf, hooks, write, todo, routines);
  } catch (error) {
    if (!(error instanceof api.Refusal)) throw error;
    const { isPassing, status, problem } = error;
    // 403: another user has signed in, in another tab.
    if (hooks.isOver() || isPassing || status === 401 || status === 403) throw error;
    if (status === 404 && ['remove', 'skip'].includes(write.kind)) return settle(shelf, hooks, write, null);
    // The todo of a day that is to be there again is there.
    if (status === 409 && write.kind === 'skip') return settle(shelf, hooks, write, await there(uid, write.id));
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

/** Whether a todo has all the words of one that was added. */
const isWritten = (added, todo) => (isNote(todo.id) ? ['detail'] : WORDS).every((name) => (added[name] ?? '') === (todo[name] ?? ''));

/** A todo as the server has it, or null. */
const there = (uid, id) => api.todo(uid, id).catch((error) => {
  if (error.status === 404) return null;
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
  if (!(error instanceof api.Refusal) || error.isPassing || error.status === 401 || error.status === 403) throw error;
}

async function settle(shelf, hooks, write, todo, routines) {
  await shelf.settle(write, write.kind === 'remove' ? null : todo, todo && api.tagOf(todo), routines);
  hooks.settled(write, todo, routines);
}

async function refuse(shelf, hooks, write, status, problem) {
  const { id } = write;
  const { current } = problem;
  const { writes } = await shelf.all();
  const all = writes.filter((other) => other.id === id);
  const last = all.at(-1) ?? write;
  const again = all.findLastIndex(({ kind }) => kind === 'add');
  const ops = all.flatMap((other) => other.ops);
  let lost = { ...write, fields: Object.assign({}, ...all.map((other) => other.fields)) };
  // What was to be removed and to be there again is to be changed, if anything.
  if (write.kind === 'remove' && again > 0) lost = { ...write, kind: 'patch', fields: differences(write.before, all.slice(again)) };
  // Of a day's note there is one: another was begun elsewhere, and the stream brings it.
  const isNewNote = write.kind === 'add' && isNote(id);
  const verdict = current || (isNewNote && problem.type?.endsWith(':exists')) ? 'conflict' : status === 404 ? 'gone' : 'refused';
  let [left, rest, isDone] = [isNewNote ? { detail: write.todo.detail, ...lost.fields } : lost.fields, [], false];
  // What was done after it does not go with it.
  if (write.kind === 'skip') [left, rest] = [{}, all.slice(1)];
  else if (last.kind === 'remove') {
    left = {};
    isDone = verdict === 'gone';
    // It goes although it has another place now, and although what was done before was refused.
    if (current ? isUntouched(write.before, current) : verdict === 'refused' && all.length > 1) {
      rest = [{ ...last, tag: current ? api.tagOf(current) : write.tag }];
      isDone = true;
    }
  } else if (verdict === 'gone' && again > 0) {
    rest = all.slice(again);
    isDone = true;
  } else if (verdict === 'conflict' && !isNewNote) {
    const { fields, clashes } = rebase(lost, current);
    left = clashes;
    if (Object.keys(fields).length) rest = [{ ...lost, ops, fields, before: current, tag: api.tagOf(current) }];
    // Neither side has changed what the other did, or both did the same.
    isDone = !Object.keys(clashes).length;
  } else if (write.kind === 'remove' && again > 0) {
    if (Object.keys(left).length) rest = [{ ...lost, ops }];
    isDone = true;
  } else if (verdict === 'refused' && write.kind === 'patch') {
    // Words that are refused do not hold up what else was done to it.
    const [words, others] = apart(lost.fields);
    if (Object.keys(words).length && Object.keys(others).length) [left, rest] = [words, [{ ...write, ops, fields: others }]];
  }
  const record = isDone || hooks.isTold?.({ ...lost, fields: left }, verdict, problem) ? null : {
    key: crypto.getRandomValues(new Uint32Array(2)).join('.'), kind: verdict === 'refused' ? kindOf({ ...lost, fields: left }) : verdict, id,
    wrote: write.kind === 'skip' ? 'skip' : last.kind === 'remove' ? 'remove' : isNewNote || write.kind !== 'add' ? 'patch' : 'add',
    before: current ?? write.before ?? write.todo, fields: left, isBack: write.isBack, problem: { type: problem.type, reason: problem.reason },
  };
  await shelf.replace(all, rest, record, current);
  hooks.replaced(id, all, rest, current);
  if (record) hooks.parked(record);
}

const WORDS = ['content', 'detail', 'time'];
const differences = (before, writes) => Object.fromEntries(
  Object.entries(Object.assign({}, ...writes.map(({ todo, fields }) => todo ?? fields))).filter(([name, value]) => (before[name] ?? '') !== value));
const apart = (fields) => [true, false].map((isWord) => Object.fromEntries(Object.entries(fields).filter(([name]) => WORDS.includes(name) === isWord)));

const kindOf = ({ id, kind, fields }) => (kind === 'add' && !isNote(id) ? 'refusedAdd' : fields.content || fields.detail || isNote(id) ? 'refusedEdit' : 'refusedChange');
