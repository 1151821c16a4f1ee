"""What becomes of writes that wait: of two of one todo, and of an edit whose todo has changed meanwhile."""
import os
import subprocess

from modules import FOLDER
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
# A server that wants no request for a minute: how often it is asked after a write, once the network is back, after another write, and
# when the minute is over; and for how long the page means to wait.
HELD = """return (async (status) => {
  const [real, { fetch: realFetch, Date: { now } }] = [setTimeout, globalThis];
  let [asked, ahead, waits] = [0, 0, []];
  Date.now = () => now() + ahead;
  globalThis.setTimeout = (act, time) => { waits.push(time); return waits.length; };
  globalThis.fetch = async () => {
    asked += 1;
    return new Response('{"type":"urn:todomate:problem:busy"}', { status, headers: { 'Retry-After': '60' } });
  };
  const writes = new Map();
  const store = { writes, get unsaved() { return [...writes.values()].flat(); }, tag() {}, hold: (write) => writes.set(write.id, [write]), note() {} };
  const shelf = { isLasting: true, add: async () => null, take: async (id) => writes.get(id)[0], all: async () => ({ writes: [], parked: [] }) };
  const hooks = { waiting() {}, caughtUp() {}, signedOut() {}, isLive: () => true, isTold: () => false };
  const writer = new made.Writer('u', store, { drafts: null, journal: { writes: [], put() {}, take() {} }, shelf }, hooks);
  const write = (id) => writer.write({ kind: 'patch', id, fields: { content: 'typed' } });
  const seen = [];
  await write('t');
  const turn = () => new Promise((resume) => { real(resume, 5); });
  while (!writer.isHeld) await turn();
  seen.push(asked);
  dispatchEvent(new Event('online'));
  seen.push(asked);
  await write('other');
  seen.push(asked);
  const longest = Math.max(...waits);
  ahead = 61000;
  dispatchEvent(new Event('online'));
  while (asked < 3) await turn();
  writer.stop();
  Object.assign(globalThis, { setTimeout: real, fetch: realFetch });
  Date.now = now;
  return [seen, longest > 59000 && longest <= 60000];
})(...arguments);
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
    take: async () => writes[0], all: async () => ({ writes, parked: [] }), settle: async () => { writes = []; },
    replace: async (all, rest, record) => { writes = rest; result.push(asked, rest, record); },
  };
  const hooks = { isOver: () => false, isTold: () => isTold, settled() {}, replaced() {}, parked() {} };
  await made.send('u', writes[0].id, shelf, hooks);
  globalThis.fetch = real;
  return result;
})(...arguments);
"""
# Sends an add again whose id this todo has: whether it is settled, or what is kept of it.
TAKEN = """return (async (write, there) => {
  const real = globalThis.fetch;
  globalThis.fetch = async (path, { method }) => {
    const [status, answer] = method === 'POST' ? [409, { type: 'urn:todomate:problem:exists' }] : [200, there];
    return new Response(JSON.stringify(answer), { status });
  };
  let [left, result] = [[write], null];
  const shelf = {
    take: async () => left[0], all: async () => ({ writes: left, parked: [] }), settle: async () => { [left, result] = [[], 'settled']; },
    replace: async (all, rest, record) => { [left, result] = [rest, record]; },
  };
  const hooks = { isOver: () => false, isTold: () => false, settled() {}, replaced() {}, parked() {} };
  await made.send('u', write.id, shelf, hooks);
  globalThis.fetch = real;
  return result;
})(...arguments);
"""


class Rebasing(Scenario):
    secret = None

    def run_with(self, module, script, *arguments):
        command = ["esbuild", os.path.join(FOLDER, f"{module}.js"), "--bundle", "--format=iife", "--global-name=made"]
        code = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        return self.page.run(f"{code}\n{script}", *arguments)

    def answer(self, module, call, *arguments):
        return self.run_with(module, f"const answer = made.{call}(...arguments); return answer === undefined ? 'two' : answer", *arguments)

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
            asked, rest, record = self.run_with("sender", REFUSED, [skip, add], is_told)
            self.assertEqual((asked, rest), ([["PUT", '"s"'], ["POST", '"a"']], [add]))
            self.assertEqual(record and (record["wrote"], record["kind"], record["fields"]), None if is_told else ("skip", "refusedChange", {}))

    def test_an_add_whose_id_a_todo_has(self):
        typed = {"id": "t", "content": "typed", "detail": "here", "date": "2026-11-24"}
        there = {**typed, "revision": 4, "status": "complete", "date": "2026-11-25"}
        for is_tried, todo, kind in (
            (True, there, "settled"),
            (True, {**there, "detail": ""}, "refusedAdd"),
            (True, {**there, "content": "theirs"}, "refusedAdd"),
            (True, {**there, "time": "09:30"}, "refusedAdd"),
            (False, {**there, "content": "theirs"}, "refusedAdd"),
        ):
            write = {"kind": "add", "id": "t", "number": 1, "ops": ["a"], "todo": typed, "isTried": is_tried}
            answer = self.run_with("sender", TAKEN, write, todo)
            self.assertEqual(answer if answer == "settled" else answer["kind"], kind, (is_tried, todo))
            if kind != "settled":
                self.assertEqual(answer["before"]["content"], "typed")

    def test_what_is_kept_before_anything_was_seen(self):
        """A day is skipped, and a todo added: neither makes up what was seen."""
        self.assertIsNone(self.run_with("kept", KEPT))

    def test_what_another_tab_has_written_is_marked_where_no_answer_comes(self):
        for name in ("held", "replaced"):
            self.assertEqual(self.run_with("writer", HEARD, name), [[False, True], [1, 1]], name)

    def test_a_server_is_left_alone_for_as_long_as_it_says(self):
        for status in (429, 503):
            self.assertEqual(self.run_with("writer", HELD, status), [[1, 1, 1], True], status)

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
