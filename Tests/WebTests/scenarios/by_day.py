"""Todos by day: put in their places one by one as they change, they stand where all of them would be put anew."""
from modules import run_with
from world import Scenario, main

# Each seed is a history of what streams, answers and the person do; `days` is read now and then, as the page draws now and then.
HISTORY = """
const wrong = (seed, length) => {
let state = seed;
const below = (count) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor(state / 2 ** 32 * count);
};
const one = (...some) => some[below(some.length)];
const store = new made.Store(() => {});
const ids = ['a', 'b', 'c', 'd', 'r--20261124', made.noteID('2026-11-24')];
const day = () => one('2026-11-23', '2026-11-24', '2026-11-25');
let revision = 1;
const todo = (id) => ({
  id, content: `${id}${below(3)}`, date: day(), time: one('', '', '09:30'), position: below(4), createdAt: one('1', '2'),
  revision: revision += 1, micros: 100 * revision,
});
const fields = () => one({ date: day() }, { content: 'mine' }, { time: one('', '21:15') }, { position: below(4) }, { status: 'complete' });
const idOf = (made) => `${made.revision}-${made.micros}`;
let unmade = null;
store.routines = { todo: (id) => (unmade?.id === id && !store.gone.has(id) ? unmade : undefined), on: () => [] };
const write = () => {
  const id = one(...ids);
  const kind = one('add', 'patch', 'patch', 'patch', 'remove', 'skip');
  const before = store.todo(id);
  return { id, kind, ops: [`o${revision += 1}`], fields: fields(), before, isBack: below(2) === 0, isUnmaking: below(2) === 0, todo: todo(id) };
};
const waiting = () => one(undefined, ...[...store.writes.values()].flat());
const steps = {
  snapshot: () => store.snapshot({ id: one('0-0', idOf({ revision, micros: 100 * revision })), todos: ids.filter(() => below(2)).map(todo) }),
  told: () => {
    const made = todo(one(...ids));
    store.change(one('added', 'modified', 'removed'), { id: below(4) ? idOf(made) : undefined, todo: made });
  },
  asked: () => store.asked(),
  write: () => store.hold(write()),
  settled: () => {
    const done = waiting();
    if (done) store.settled(done, below(3) ? todo(done.id) : undefined);
  },
  refused: () => {
    const lost = waiting();
    if (lost) store.replace(lost.id, [lost], below(2) ? [{ ...lost, fields: fields(), ops: [`o${revision += 1}`] }] : [], below(2) ? todo(lost.id) : undefined);
  },
  late: () => {
    const late = waiting();
    if (late) { late.isWaiting = true; store.note(late.id); }
  },
  'a routine has changed': () => { unmade = below(2) ? { ...todo('r--20261124'), isUnmade: true } : null; store.note(); },
};
const text = (value) => JSON.stringify(value);
const orderOf = ({ time, position, createdAt, id }) => [time || '~', position, createdAt, id];
const inOrder = (left, right) => {
  const [one, other] = [orderOf(left), orderOf(right)];
  const at = one.findIndex((value, index) => value !== other[index]);
  return at < 0 ? 0 : one[at] < other[at] ? -1 : 1;
};
const anew = () => {
  const days = {};
  for (const id of new Set([...store.known.keys(), ...store.writes.keys()])) {
    const shown = id !== ids.at(-1) && store.todo(id);
    if (shown) (days[shown.date] ??= []).push(shown);
  }
  return Object.keys(days).sort().map((each) => [each, days[each].sort(inOrder)]);
};
const held = [];
const names = [];
for (let count = 0; count < length; count += 1) {
  const name = one(...Object.keys(steps));
  names.push(name);
  steps[name]();
  if (below(3) === 0) continue;
  const shown = text([...store.days].sort(([left], [right]) => (left < right ? -1 : 1)));
  if (shown !== text(anew())) return `${names.join(', ')}: ${shown}, not ${text(anew())}`;
  const read = store.day(day());
  held.push([read, text(read)]);
  if (held.some(([list, before]) => text(list) !== before)) return `${names.join(', ')}: a list that was read before has changed`;
}
return null;
};
const [seeds, length] = arguments;
for (let seed = 0; seed < seeds; seed += 1) {
  const found = wrong(seed, length);
  if (found) return `seed ${seed}: ${found}`;
}
return null;
"""
# Which days have the very list that they had before something became of `a` alone.
LEFT_ALONE = """
const store = new made.Store(() => {});
const of = (id, date, revision) => ({ id, date, content: id, position: 1, createdAt: '1', revision, micros: revision });
store.snapshot({ id: '3-3', todos: [of('a', '2026-11-23', 1), of('b', '2026-11-24', 2), of('c', '2026-11-25', 3)] });
const days = ['2026-11-23', '2026-11-24', '2026-11-25'];
const steps = [
  () => store.change('modified', { id: '4-4', todo: of('a', '2026-11-23', 4) }),
  () => store.hold({ kind: 'patch', id: 'a', ops: ['o'], fields: { date: '2026-11-24' } }),
  () => store.settled({ kind: 'patch', id: 'a', ops: ['o'] }, of('a', '2026-11-24', 5)),
  () => store.removalAnswered({ id: 'a', ops: [] }),
  () => store.change('removed', { id: '6-6', todo: of('a', '2026-11-24', 6) }),
  () => store.snapshot({ id: '7-7', todos: [of('b', '2026-11-24', 2)] }),
];
return steps.map((step) => {
  const before = days.map((day) => store.days.get(day));
  step();
  return days.filter((day, index) => before[index] && store.days.get(day) === before[index]).map((day) => day.slice(8)).join(' ');
});
"""


class ByDay(Scenario):
    secret = None

    def test_each_is_where_all_would_be_put_anew(self):
        page = self.board()
        self.assertIsNone(run_with(page, "store notes", HISTORY, 2000, 40))

    def test_only_the_days_of_what_has_changed_are_put_anew(self):
        left = run_with(self.board(), "store", LEFT_ALONE)
        self.assertEqual(left, ["24 25", "25", "25", "25", "25", ""])


if __name__ == "__main__":
    main()
