// Where a todo goes within its day: a position between its neighbours'.

// The server takes what is smaller.
const LARGEST = 2 ** 53 - 1;
const hasPlace = ({ position, isOnlyShown }) => Number.isFinite(position) && !isOnlyShown;

/** The position after all of a day's todos. */
export const atEnd = (todos) => Math.min((todos.findLast(hasPlace)?.position ?? 0) + 1, LARGEST);

/**
 * The positions to write so that `id` comes to stand at `index` among the others: nearly always one.
 *
 * Only where its new neighbours leave no number between them, all of the day are numbered anew. Those that are only shown have
 * no say.
 */
export function positionsFor(todos, id, index) {
  const others = todos.filter((todo) => todo.id !== id);
  const before = others.slice(0, index).findLast(hasPlace)?.position;
  const after = others.slice(index).find(hasPlace)?.position;
  const position = before === undefined ? (after ?? 1) - 1 : after === undefined ? before + 1 : (before + after) / 2;
  const fits = (before === undefined || position > before) && (after === undefined || position < after);
  if (fits && Math.abs(position) <= LARGEST) return [{ id, position }];
  const ids = [...others.slice(0, index), { id, position: 0 }, ...others.slice(index)].filter(hasPlace).map((todo) => todo.id);
  return ids.map((other, place) => ({ id: other, position: place + 1 }))
    .filter((entry) => todos.find((todo) => todo.id === entry.id).position !== entry.position);
}
