// What becomes of a todo's writes when one of them is refused.
import * as api from './api.js';
import { isNote } from './noteIDs.js';
import { isUntouched, rebase } from './rebase.js';

const WORDS = ['content', 'detail', 'time'];

/** Whether a todo has all the words of one that was added. */
export const isWritten = (added, todo) => (isNote(todo.id) ? ['detail'] : WORDS).every((name) => (added[name] ?? '') === (todo[name] ?? ''));

/** `write` was refused: goes on with what is not, and keeps the rest apart. */
export async function refuse(shelf, hooks, write, status, problem) {
  const { id } = write;
  const { current } = problem;
  const all = await shelf.claim(id);
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

const differences = (before, writes) => Object.fromEntries(
  Object.entries(Object.assign({}, ...writes.map(({ todo, fields }) => todo ?? fields))).filter(([name, value]) => (before[name] ?? '') !== value));
const apart = (fields) => [true, false].map((isWord) => Object.fromEntries(Object.entries(fields).filter(([name]) => WORDS.includes(name) === isWord)));

const kindOf = ({ id, kind, fields }) => (kind === 'add' && !isNote(id) ? 'refusedAdd' : fields.content || fields.detail || isNote(id) ? 'refusedEdit' : 'refusedChange');
