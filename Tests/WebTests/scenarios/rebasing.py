"""What becomes of writes that wait: of two of one todo, and of an edit whose todo has changed meanwhile."""
from modules import run_with
from world import Scenario, main

# Settles two writes of a user of whom nothing was kept so far, and answers what was seen.
KEPT = """return (async () => {
  const kept = await made.open();
  await kept.forget('u');
  const shelf = await kept.begin('u', { signIn: true });
  await shelf.settle({ id: 'r--20261125', number: 1, kind: 'skip' }, null, undefined, [{ id: 'r' }]);
  await shelf.settle({ id: 't', number: 2, kind: 'add' }, { id: 't', revision: 1, micros: 1 }, '1-1');
  const seen = await shelf.seen();
  await kept.forget('u');
  return seen;
})();
"""
# Hears of a write of another tab: whether it is marked at once, and after the time in which an answer comes; how often it was shown.
HEARD = """
const [waits, real] = [[], setTimeout];
globalThis.setTimeout = (act, time) => { if (time === 4000) waits.push(act); return 1; };
const write = { id: 't', kind: 'patch', ops: ['o'], fields: {} };
const store = {
  writes: new Map([['t', [write]]]), unsaved: [write], shown: 0, hold() {}, replace() {}, note() { this.shown += 1; },
};
const writer = new made.Writer('u', store, { drafts: null, journal: { writes: [] }, shelf: new Promise(() => {}) }, { caughtUp() {} });
writer.hear(arguments[0], arguments[0] === 'held' ? [write] : ['t', [], [write]]);
globalThis.setTimeout = real;
const before = Boolean(write.isWaiting);
waits.forEach((act) => act());
writer.isStopped = true;
return [[before, Boolean(write.isWaiting)], [waits.length, store.shown]];
"""
# Sends these writes to a server that refuses what is no add: what it was asked for, what was left, and what is kept of it.
REFUSED = """return (async (writes, isTold) => {
  const [asked, real, result] = [[], globalThis.fetch, []];
  globalThis.fetch = async (path, { method, headers }) => {
    asked.push([method, headers['Idempotency-Key']]);
    const [status, answer] = method === 'POST' ? [201, { id: 't', revision: 1 }] : [422, { type: 'urn:todomate:problem:invalid' }];
    return new Response(JSON.stringify(answer), { status });
  };
  const shelf = {
    take: async () => writes[0], claim: async () => writes, settle: async () => { writes = []; },
    replace: async (all, rest, record) => { writes = rest; result.push(asked, rest, record); },
  };
  const hooks = { isOver: () => false, refusing: async () => made, isTold: () => isTold, settled() {}, replaced() {}, parked() {} };
  await made.send('u', writes[0].id, shelf, hooks);
  globalThis.fetch = real;
  return result;
})(...arguments);
"""
# Sends an add again whose id a todo has, which is asked for with this answer: whether it is settled, or what is kept of it.
TAKEN = """return (async (write, ...there) => {
  const real = globalThis.fetch;
  globalThis.fetch = async (path, { method }) => {
    const [status, answer] = method === 'POST' ? [409, { type: 'urn:todomate:problem:exists' }] : there;
    return new Response(JSON.stringify(answer), { status });
  };
  let [left, result] = [[write], 'waits'];
  const shelf = {
    take: async () => left[0], claim: async () => left, settle: async () => { [left, result] = [[], 'settled']; },
    replace: async (all, rest, record) => { [left, result] = [rest, record]; },
  };
  const hooks = { isOver: () => false, refusing: async () => made, isTold: () => false, settled() {}, replaced() {}, parked() {} };
  await made.send('u', write.id, shelf, hooks);
  globalThis.fetch = real;
  return result;
})(...arguments);
"""
# Two edits wait, the first is refused, and before that is kept a third is typed, to be one with the last: what waits then, and is kept.
MEANWHILE = """return (async () => {
  const real = globalThis.fetch;
  globalThis.fetch = async () => new Response('{"type":"urn:todomate:problem:invalid"}', { status: 422 });
  const kept = await made.open();
  await kept.forget('u');
  const shelf = await kept.begin('u', { signIn: true });
  const edit = (content) => ({ kind: 'patch', id: 't', ops: [content], before: { content: 'was' }, fields: { content } });
  await shelf.add(edit('first'), false);
  await shelf.add(edit('second'), false);
  const { replace } = shelf;
  shelf.replace = async (...values) => {
    await shelf.add(edit('third'), true);
    return replace.apply(shelf, values);
  };
  let isOver = false;
  const hooks = { isOver: () => isOver, refusing: async () => made, settled() {}, parked() {}, replaced() { isOver = true; } };
  await made.send('u', 't', shelf, hooks);
  const { writes, parked } = await shelf.all();
  await kept.forget('u');
  kept.database.close();
  globalThis.fetch = real;
  return [writes.map(({ fields }) => fields.content), parked.map(({ fields }) => fields.content)];
})();
"""


class Rebasing(Scenario):
    secret = None

    def answer(self, module, call, *arguments):
        return run_with(self.page, module, f"const answer = made.{call}(...arguments); return answer === undefined ? 'two' : answer", *arguments)

    def setUp(self):
        super().setUp()
        self.page = self.board()

    def test_two_writes_of_one_todo(self):
        add = {"kind": "add", "ops": ["a"], "number": 1, "todo": {"content": "one", "date": "2026-11-24"}}
        patch = {"kind": "patch", "ops": ["p"], "number": 2, "tag": "5-1", "before": {"content": "one"}, "fields": {"content": "two"}}
        again = {"kind": "patch", "ops": ["q"], "fields": {"content": "three", "status": "complete"}}
        remove = {"kind": "remove", "ops": ["r"], "before": {"content": "two"}}
        # Of a routine's day.
        unmade = {"isUnmade": True, "revision": 0}
        make = {"kind": "patch", "ops": ["m"], "number": 3, "tag": "0", "before": unmade, "fields": {"status": "complete"}}
        back = {"kind": "skip", "ops": ["k"], "number": 4, "before": unmade, "isBack": True}
        late = {"kind": "remove", "ops": ["l"], "before": {"revision": 7, "micros": 2}}
        skip = {"kind": "skip", "before": unmade, "isBack": None, "fields": None, "tag": None}
        for first, second, wanted in (
            (make, remove, {**skip, "ops": ["m", "r"], "number": 3}),
            (make, {**remove, "isUnmaking": True}, None),
            # It was made elsewhere before it was removed here.
            (make, late, {**make, **late, "ops": ["m", "l"], "tag": "7-2", "isBack": None}),
            (back, late, {**late, "ops": ["k", "l"], "number": 4, "tag": "7-2", "isBack": None}),
            (back, remove, {**skip, "ops": ["k", "r"], "number": 4}),
            (add, again, {**add, "ops": ["a", "q"], "todo": {**add["todo"], **again["fields"]}}),
            (add, remove, None),
            (patch, again, {**patch, "ops": ["p", "q"], "fields": again["fields"]}),
            # What it removes must still be what the edit was made on.
            (patch, remove, {**patch, **remove, "before": patch["before"], "ops": ["p", "r"]}),
            (remove, {**add, "ops": ["b"]}, "two"),
            (patch, {**add, "ops": ["b"]}, "two"),
            (remove, again, "two"),
            (remove, {**remove, "ops": ["s"]}, "two"),
        ):
            self.assertEqual(self.answer("joined", "joined", first, second), wanted, (first, second))

    def test_what_was_done_after_a_day_that_cannot_be_skipped(self):
        skip = {"kind": "skip", "id": "r--20261125", "number": 1, "ops": ["s"], "before": {"content": "Run"}}
        add = {"kind": "add", "id": skip["id"], "number": 2, "ops": ["a"], "todo": {"content": "typed"}}
        for is_told in (False, True):
            asked, rest, record = run_with(self.page, "sender refusing", REFUSED, [skip, add], is_told)
            self.assertEqual((asked, rest), ([["PUT", '"s"'], ["POST", '"a"']], [add]))
            self.assertEqual(record and (record["wrote"], record["kind"], record["fields"]), None if is_told else ("skip", "refusedChange", {}))

    def test_what_is_typed_while_something_is_refused_stays(self):
        self.assertEqual(run_with(self.page, "kept sender refusing", MEANWHILE), [["third"], ["second"]])

    def test_an_add_whose_id_a_todo_has(self):
        typed = {"id": "t", "content": "typed", "detail": "here", "date": "2026-11-24"}
        there = {**typed, "revision": 4, "status": "complete", "date": "2026-11-25"}
        for is_tried, status, todo, kind in (
            (True, 200, there, "settled"),
            (True, 200, {**there, "detail": ""}, "refusedAdd"),
            (True, 200, {**there, "content": "theirs"}, "refusedAdd"),
            (True, 200, {**there, "time": "09:30"}, "refusedAdd"),
            (False, 200, {**there, "content": "theirs"}, "refusedAdd"),
            (True, 404, {"type": "urn:todomate:problem:not-found"}, "settled"),
            # Somebody on the way, who knows nothing of it.
            (True, 404, {}, "waits"),
        ):
            write = {"kind": "add", "id": "t", "number": 1, "ops": ["a"], "todo": typed, "isTried": is_tried}
            answer = run_with(self.page, "sender refusing", TAKEN, write, status, todo)
            self.assertEqual(answer if isinstance(answer, str) else answer["kind"], kind, (is_tried, todo))
            if not isinstance(answer, str):
                self.assertEqual(answer["before"]["content"], "typed")

    def test_what_is_kept_before_anything_was_seen(self):
        """A day is skipped, and a todo added: neither makes up what was seen."""
        self.assertIsNone(run_with(self.page, "kept", KEPT))

    def test_what_another_tab_has_written_is_marked_where_no_answer_comes(self):
        for name in ("held", "replaced"):
            self.assertEqual(run_with(self.page, "writer", HEARD, name), [[False, True], [1, 1]], name)

    def test_an_edit_whose_todo_has_changed(self):
        was = {"content": "one", "detail": "", "status": "todo", "date": "2026-11-24", "position": 1}
        for mine, theirs, fields, clashes in (
            # Only here; only there; on both sides, to the same and not.
            ({"content": "mine"}, {}, {"content": "mine"}, {}),
            ({"content": "mine"}, {"detail": "theirs"}, {"content": "mine"}, {}),
            ({"content": "mine"}, {"content": "mine"}, {}, {}),
            ({"content": "mine"}, {"content": "theirs"}, {}, {"content": "mine"}),
            ({"content": "mine", "status": "complete"}, {"content": "theirs"}, {"status": "complete"}, {"content": "mine"}),
            # What an editor held and nobody touched here.
            ({"content": "one", "detail": "mine"}, {"content": "theirs"}, {"detail": "mine"}, {}),
            # The last who moved it is right; but a place is one of a day.
            ({"position": 5}, {"position": 3}, {"position": 5}, {}),
            ({"date": "2026-11-25", "position": 5}, {"position": 3}, {"date": "2026-11-25", "position": 5}, {}),
            ({"date": "2026-11-25", "position": 5}, {"date": "2026-11-26"}, {}, {"date": "2026-11-25", "position": 5}),
            # The same place on another day is another one.
            ({"date": "2026-11-25", "position": 1}, {}, {"date": "2026-11-25", "position": 1}, {}),
            ({"date": "2026-11-25", "position": 1}, {"date": "2026-11-26"}, {}, {"date": "2026-11-25", "position": 1}),
            ({"date": "2026-11-25", "position": 1}, {"date": "2026-11-25"}, {}, {}),
            # A field that the server leaves out is empty.
            ({"time": "09:30"}, {}, {"time": "09:30"}, {}),
            ({"time": "09:30"}, {"time": "10:00"}, {}, {"time": "09:30"}),
        ):
            answer = self.answer("rebase", "rebase", {"before": was, "fields": mine}, {**was, **theirs})
            self.assertEqual(answer, {"fields": fields, "clashes": clashes}, (mine, theirs))
        # Nobody knows what it was: all of it is for its writer to decide.
        answer = self.answer("rebase", "rebase", {"fields": {"content": "mine"}}, was)
        self.assertEqual(answer, {"fields": {}, "clashes": {"content": "mine"}})


if __name__ == "__main__":
    main()
