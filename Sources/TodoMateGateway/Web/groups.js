// My todos of a day by what they are for: the goals in my order, and at the end what is for none that I know.
const KEY = 'todomate.grouped';

let isOn = read() !== 'no';
function read() {
  try { return localStorage.getItem(KEY); } catch { return null; }
}

export const isGrouped = () => isOn;

/** Remembers it in this browser. */
export function setGrouped(value) {
  isOn = value;
  try { localStorage.setItem(KEY, value ? 'yes' : 'no'); } catch { /* a browser that stores nothing groups again next time */ }
}

/** `todos` in the order in which they show. */
export function inGroups(todos, circle) {
  if (!isOn || !circle?.profile?.goals?.length) return todos;
  const places = new Map(circle.goals.map(({ id }, place) => [id, place]));
  const place = ({ goal }) => places.get(goal) ?? places.size;
  return todos.toSorted((left, right) => place(left) - place(right));
}

/** Those of `todos`, as they show, that a todo stands among. */
export function ownGroup(todos, todo, circle) {
  if (!isOn) return todos;
  const goal = circle?.goal(todo);
  return todos.filter((other) => circle?.goal(other) === goal);
}
