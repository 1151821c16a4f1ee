// Which days of routines leave nothing to do any more, for what is kept until there is a network.

/** The parts of the id of a routine's day: the routine, and the day as a number. */
export const instance = /^(.+)--(\d{8})$/;

/** These routines, of which the days that these ids name were made or left out. */
export function withMade(routines, ids) {
  const made = new Map();
  for (const id of ids) {
    const [, name, day] = id.match(instance) ?? [];
    if (name) made.set(name, [...made.get(name) ?? [], Number(day)]);
  }
  return routines?.map((routine) => (made.has(routine.id)
    ? { ...routine, made: [...new Set([...routine.made ?? [], ...made.get(routine.id)])].sort() } : routine));
}
