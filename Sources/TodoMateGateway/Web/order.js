// Where a todo goes within its day: a position between its neighbours'.

const LARGEST = 2 ** 53;

/** The position after all of a day's todos. */
export const atEnd = (todos) => (todos.length ? Math.min(todos.at(-1).position + 1, LARGEST) : 1);

/**
 * The positions to write so that `id` comes to stand at `index` among the others: nearly always one.
 *
 * Only where its new neighbours leave no number between them, all of the day are numbered anew.
 */
export function positionsFor(todos, id, index) {
  const others = todos.filter((todo) => todo.id !== id);
  const [before, after] = [others[index - 1]?.position, others[index]?.position];
  const position = before === undefined ? (after ?? 1) - 1 : after === undefined ? before + 1 : (before + after) / 2;
  const fits = (before === undefined || position > before) && (after === undefined || position < after);
  if (fits && Math.abs(position) <= LARGEST) return [{ id, position }];
  const ids = others.map((todo) => todo.id);
  ids.splice(index, 0, id);
  return ids.map((other, place) => ({ id: other, position: place + 1 }))
    .filter((entry) => todos.find((todo) => todo.id === entry.id).position !== entry.position);
}
