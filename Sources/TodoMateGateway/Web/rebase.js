// An edit and a todo that others have changed meanwhile, field by field: as it was, as it was to be here, and as it is now.

// A place among others is no text that anyone would miss: the last one who moved it is right.
const YIELDING = ['position'];
const TEXT = ['content', 'detail', 'status', 'date', 'time', 'goal', 'visibility'];

/**
 * What is left to be written of an edit, `fields`, and what both sides have changed in different ways, `clashes`: these are for its
 * writer to decide.
 */
export function rebase({ before, fields }, theirs) {
  const [rest, clashes] = [{}, {}];
  for (const [name, mine] of Object.entries(fields)) {
    const [was, now] = [before?.[name] ?? '', theirs[name] ?? ''];
    // On another day the same place is another one.
    const isOfOtherDay = name === 'position' && (fields.date ?? theirs.date) !== theirs.date;
    if (!isOfOtherDay && (mine === now || (before && mine === was))) continue;
    if ((before && now === was) || YIELDING.includes(name)) rest[name] = mine;
    else clashes[name] = mine;
  }
  // A place is one of a day.
  if ('date' in clashes && 'position' in rest) {
    clashes.position = rest.position;
    delete rest.position;
  }
  return { fields: rest, clashes };
}

/** Whether nobody has changed what somebody would miss, so that a removal may go on. */
export const isUntouched = (before, theirs) => TEXT.every((name) => (before[name] ?? '') === (theirs[name] ?? ''));
