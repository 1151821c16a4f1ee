// What becomes of two writes of one todo of which neither was sent: one, or none.
import { tagOf } from './api.js';

// So many may wait, and as many may be refused: what is more is refused at once, and not when the browser's room is full.
const MOST = 1000;

/** Throws where no more writes may wait than do, or where too many of those that were refused wait for a decision. */
export function checkRoom(waiting, refused = 0) {
  if (Math.max(waiting, refused) >= MOST) throw new DOMException('too much waits', 'QuotaExceededError');
}

/** One write in place of both; null where nothing is left to be done, undefined where they stay two. */
export function joined(first, second) {
  const ops = [...first.ops, ...second.ops];
  if (second.kind === 'patch' && first.kind === 'add') return { ...first, ops, todo: { ...first.todo, ...second.fields } };
  if (second.kind === 'patch' && first.kind === 'patch') return { ...first, ops, fields: { ...first.fields, ...second.fields } };
  if (second.kind === 'remove' && first.kind === 'add') return null;
  // Of a routine's day nothing was made yet: it is left out, or as it was.
  if (second.kind === 'remove' && first.before?.isUnmade) {
    if (second.isUnmaking) return null;
    // It was made elsewhere since, as whoever removed it has seen.
    if (second.before?.revision) return { ...first, ...second, isBack: undefined, ops, tag: tagOf(second.before), number: first.number };
    return { ...first, kind: 'skip', isBack: undefined, fields: undefined, tag: undefined, ops };
  }
  if (second.kind === 'skip' && first.kind === 'skip') return Boolean(second.isBack) === Boolean(first.isBack) ? { ...first, ops } : null;
  // What the edit was made on is what must still be there.
  if (second.kind === 'remove' && first.kind === 'patch') return { ...first, ...second, ops, before: first.before, tag: first.tag, number: first.number };
  return undefined;
}
