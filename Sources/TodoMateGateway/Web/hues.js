// The colours of people: always the same for somebody, unless another one whose list shows has it already.
const COUNT = 12;
let given = new Map();

const usual = (uid) => {
  let sum = 0;
  for (const letter of uid) sum = (sum * 31 + letter.charCodeAt(0)) % 9973;
  return sum % COUNT;
};

/** Gives those whose lists show colours of their own, as long as there are enough of them; answers whether any is new. */
export function tellApart(uids) {
  const before = JSON.stringify([...given]);
  given = new Map();
  const free = new Set(Array.from({ length: COUNT }, (_, number) => number));
  // By their names and not by their places, so that nobody changes colour by being moved; who can have their usual one keeps it.
  const sorted = [...uids].sort();
  for (const uid of sorted) if (free.delete(usual(uid))) given.set(uid, usual(uid));
  for (const uid of sorted) {
    if (given.has(uid)) continue;
    const number = [...free].sort((left, right) => (left - usual(uid) + COUNT) % COUNT - (right - usual(uid) + COUNT) % COUNT)[0] ?? usual(uid);
    free.delete(number);
    given.set(uid, number);
  }
  return JSON.stringify([...given]) !== before;
}

/** In degrees. */
export const hueOf = (uid) => ((given.get(uid) ?? usual(uid)) * 360) / COUNT;
