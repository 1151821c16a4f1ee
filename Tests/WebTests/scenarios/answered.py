"""A list that is older than an answer to what was written here: neither at the start nor later does it undo what was done."""
from device import Devices
from modules import run_with
from waiting import expect, until
from world import Scenario, main

# Writes are not taken; only noted.
AWAY = """
const real = globalThis.fetch;
globalThis.fetch = (path, options) => (options?.method === 'POST'
  ? Promise.resolve(new Response('{"type":"urn:todomate:problem:unavailable"}', { status: 503 })) : real(path, options));
"""
# The list comes; what goes with it does after the first write was answered, or a while later; and no stream tells of anything.
NO_STREAM = """
const real = globalThis.fetch;
globalThis.EventSource = class extends EventTarget {
  static CONNECTING = 0;
  static OPEN = 1;
  static CLOSED = 2;
  readyState = 0;
  close() {}
};
let resume;
const written = new Promise((each) => { resume = each; });
setTimeout(() => resume(), 2000);
globalThis.fetch = async (path, options) => {
  if (`${path}`.endsWith('/profile')) await written;
  const answer = await real(path, options);
  if (options?.method === 'POST') setTimeout(resume, 200);
  return answer;
};
"""
# What shows after each of these steps of a list that the stream and answers tell of.
STEPS = """
const store = new made.Store(() => {});
return arguments[0].map(([step, ...values]) => {
  if (step === 'remove') {
    const write = { kind: 'remove', id: values[0], ops: ['gone'] };
    store.tag(write);
    store.hold(write);
    store.settled(write);
  } else if (step === 'write') {
    const write = { kind: 'patch', id: values[0].id, ops: ['written'] };
    store.hold(write);
    store.settled(write, values[0]);
  } else store[step](...values);
  return [...store.days.values()].flat().map(({ content }) => content).join(' ');
});
"""


def todo(id, revision, content=None):
    return {"id": id, "content": content or id, "date": "2026-11-24", "position": ord(id), "revision": revision, "micros": 100 * revision}


def snapshot(version, *todos, moment=None):
    return ["snapshot", {"id": f"{version}-{100 * version if moment is None else moment}", "todos": todos}]


def change(kind, one):
    return ["change", kind, {"id": f"{one['revision']}-{one['micros']}", "todo": one}]


A, B = todo("a", 5), todo("b", 6)
FIRST, ASKED = snapshot(5, A), ["asked"]
# Steps after the first list, which has A, and what shows after each.
TABLE = (
    ("what was added stays until the stream tells of it",
     (ASKED, ["write", B], snapshot(5, A), change("added", B), snapshot(7, A)), ("a", "a b", "a b", "a b", "a")),
    ("what was edited keeps its words",
     (ASKED, ["write", todo("a", 6, "mine")], snapshot(5, A), change("modified", todo("a", 7, "theirs"))), ("a", "mine", "mine", "theirs")),
    ("what was removed stays so until it is there again",
     (ASKED, ["remove", "a"], snapshot(5, A), change("removed", todo("a", 6)), change("added", todo("a", 7))), ("a", "", "", "", "a")),
    ("also where it was changed before that",
     (ASKED, ["write", todo("a", 6, "mine")], ["remove", "a"], snapshot(5, A), change("removed", todo("a", 7))), ("a", "mine", "", "", "")),
    ("what somebody has added again since shows", (ASKED, ["remove", "a"], snapshot(7, todo("a", 7, "again"))), ("a", "", "again")),
    ("a newer list counts", (ASKED, ["write", B], snapshot(7, A, todo("b", 7, "theirs"))), ("a", "a b", "a theirs")),
    ("a history that was replaced counts", (ASKED, ["write", B], snapshot(2, todo("a", 2, "old"), moment=9000)), ("a", "a b", "old")),
    ("what is gone without a trace is gone", (["write", B], ASKED, snapshot(0)), ("a b", "a b", "")),
    ("what the stream has told of is no exception", (ASKED, ["write", B], change("added", B), snapshot(0)), ("a", "a b", "a b", "")),
    ("nor is what a list has told of", (ASKED, ["write", B], snapshot(6, A, B), snapshot(0)), ("a", "a b", "a b", "")),
    ("nor what was removed", (ASKED, ["remove", "a"], snapshot(6), snapshot(5, A)), ("a", "", "", "a")),
)


class Snapshots(Scenario):
    secret = None

    def test_what_an_older_list_leaves(self):
        page = self.board()
        for name, steps, shown in TABLE:
            self.assertEqual(run_with(page, "store", STEPS, [FIRST, *steps]), ["a", *shown], name)


class Opening(Devices):
    def test_what_waits_is_sent_once_the_list_shows(self):
        page = self.page
        self.keep("kept")
        page.run(AWAY)
        page.add("typed in a tunnel")
        page.find("#pill").tells("1 unsaved")
        page.driver.at_each_load(NO_STREAM)
        page.refresh()
        expect(["kept", "typed in a tunnel"], lambda: self.redis.contents(self.today), "what Redis holds")
        until("the list is there", lambda: not page.run("return document.body.classList.contains('arriving')"))
        until("nothing waits", lambda: not self.kept()["writes"] and not page.count(".row.waiting"))
        self.assertEqual(page.contents(), ["kept", "typed in a tunnel"])
        page.new_errors()


if __name__ == "__main__":
    main()
