// Where a todo goes within its day: a position between its neighbours', among those of the same time, or without one.

// The server takes what is smaller.
const LARGEST = 2 ** 53 - 1;
const hasPlace = ({ position, isOnlyShown }) => Number.isFinite(position) && !isOnlyShown;

/** What todos of a day are sorted by before their position: their time, those without one last. */
export const rank = ({ time }) => time || '~';

/** The position after all of a day's todos. */
export const atEnd = (todos) => {
  const taken = todos.filter(hasPlace).map(({ position }) => position);
  return Math.min((taken.length ? Math.max(...taken) : 0) + 1, LARGEST);
};

/**
 * The positions to write so that `id` comes to stand at `index` among the others: nearly always one.
 *
 * Only where its new neighbours leave no number between them, all of that time are numbered anew. Those that are only shown have
 * no say. Null where its time, or its lack of one, puts it elsewhere.
 */
export function positionsFor(todos, id, index) {
  const mine = rank(todos.find((todo) => todo.id === id));
  const rest = todos.filter((todo) => todo.id !== id);
  if (rest.some((other, place) => (place < index ? rank(other) > mine : rank(other) < mine))) return null;
  const isEqual = (todo) => rank(todo) === mine;
  const others = rest.filter(isEqual);
  const place = rest.slice(0, index).filter(isEqual).length;
  const before = others.slice(0, place).findLast(hasPlace)?.position;
  const after = others.slice(place).find(hasPlace)?.position;
  // Among no others it needs no place.
  if (before === undefined && after === undefined) return [];
  const position = before === undefined ? (after ?? 1) - 1 : after === undefined ? before + 1 : (before + after) / 2;
  const fits = (before === undefined || position > before) && (after === undefined || position < after);
  if (fits && Math.abs(position) <= LARGEST) return [{ id, position }];
  const ids = [...others.slice(0, place), { id, position: 0 }, ...others.slice(place)].filter(hasPlace).map((todo) => todo.id);
  return ids.map((other, number) => ({ id: other, position: number + 1 }))
    .filter((entry) => todos.find((todo) => todo.id === entry.id).position !== entry.position);
}
