"""A device without a network: it shows what was seen last, and nothing that is written there is lost or done twice."""
import json

from selenium.webdriver.common.keys import Keys

from device import Devices
from waiting import expect, until
from world import main

# What waits cannot be read twice.
UNREADABLE = """
globalThis.unread = 0;
const { getAll } = IDBIndex.prototype;
IDBIndex.prototype.getAll = function (...range) {
  if (unread === 2) return getAll.apply(this, range);
  unread += 1;
  throw new DOMException('the disk is failing', 'UnknownError');
};
"""
# Nor all of it until it is told.
UNREADABLE_AS_A_WHOLE = """
const { getAll } = IDBIndex.prototype;
IDBIndex.prototype.getAll = function (range) {
  if (!globalThis.isReadable && `${range.lower}` !== `${range.upper}`) throw new DOMException('the disk is failing', 'UnknownError');
  return getAll.call(this, range);
};
"""
# As if it had been sent without an answer.
TRY = """
const open = indexedDB.open('todomate');
return new Promise((resume) => {
  open.onsuccess = () => {
    const change = open.result.transaction('writes', 'readwrite');
    change.objectStore('writes').openCursor().onsuccess = ({ target: { result } }) => result?.update({ ...result.value, isTried: true });
    change.oncomplete = () => { open.result.close(); resume(); };
  };
});
"""


class Offline(Devices):
    def edit(self, page, content, words):
        page.part(content, "words").double_click()
        page.retype(page.find(".edit-content"), words, Keys.ENTER)

    def todo(self, content):
        return next((todo for todo in self.redis.todos() if todo["content"] == content), {})

    def operations(self, method):
        """Under which names writes of this kind were sent."""
        field = "idempotency-key: "
        return [line[len(field):] for head in self.way.heads if head[0].startswith(method) for line in head if line.lower().startswith(field)]

    def test_opens_with_what_was_seen_last_and_goes_on_from_there(self):
        page = self.page
        self.redis.add("one", self.today)
        self.redis.add("two", page.day(1))
        page.row("one").shows()
        self.seen(["one", "two"])
        self.cut()
        page.refresh()
        expect(["one"], page.contents, "what the page shows")
        expect(["two"], lambda: page.cell_lines(page.day(1)), "the next day")
        page.find("#pill").tells("Offline · as of")
        page.find("#who").reads("alice")
        page.choose_account("language")
        page.find("#pill").tells("오프라인")
        page.find("#pill").tells("기준")
        page.choose_account("language")
        # Parts that come later are there as well.
        page.find("body").do(lambda body: body.send_keys("?"))
        page.escape()
        self.redis.add("meanwhile", self.today)
        self.redis.call("remove", self.todo("two")["id"])
        before = len(self.way.heads)
        self.mend()
        page.live()
        page.find("#pill").reads("Live")
        expect(["one", "meanwhile"], page.contents, "what the page shows")
        expect([], lambda: page.cell_lines(page.day(1)), "the next day")
        # It went on from where it was, and did not read all anew.
        self.assertFalse([head[0] for head in self.way.heads[before:] if head[0].startswith("GET /v1/users/alice/todos")])

    def test_the_lists_of_others_show_as_they_were_seen_last(self):
        page = self.page
        for name in ("bob", "carol"):
            self.add_user(name, "correct horse")
            self.redis.cli("FCALL", "todomate_settings", "1", f"todomate:{{{name}}}", '{"audience":"public"}')
            self.redis.add(f"{name}'s", self.today, uid=name, visibility="public")
            page.request("PUT", f"/v1/users/alice/following/{name}")
        expect(["carol's"], lambda: page.contents_of("carol"), "carol's list")
        self.seen(["bob's", "carol's"])
        self.cut()
        page.refresh()
        expect(["bob", "carol"], page.people, "whose lists show")
        expect(["bob's"], lambda: page.contents_of("bob"), "bob's list")
        self.redis.add("more of bob", self.today, uid="bob", visibility="public")
        # What is closed meanwhile is not to be seen any longer than until the network is back.
        self.redis.cli("FCALL", "todomate_settings", "1", "todomate:{carol}", '{"audience":"private"}')
        self.mend()
        expect(["bob's", "more of bob"], lambda: page.contents_of("bob"), "bob's list")
        page.person("carol").tells("shares nothing with you right now")
        self.assertEqual(page.contents_of("carol"), [])
        self.seen(["bob's", "more of bob"])

    def test_what_is_written_waits_through_reloads_and_is_sent_once(self):
        page = self.page
        for name in ("kept", "edited", "gone"):
            self.redis.add(name, self.today)
        page.row("gone").shows()
        self.seen(["kept", "edited", "gone"])
        self.cut()
        page.find("#pill").tells("Offline")
        page.add("typed in a tunnel")
        page.part("kept", "status").click()
        page.part("gone", "words").type(Keys.DELETE)
        # Edits of one todo become one.
        for before, after in (("edited", "once"), ("once", "twice"), ("twice", "thrice")):
            self.edit(page, before, after)
        self.edit(page, "typed in a tunnel", "typed in the tunnel")
        page.add("a mistake")
        page.part("a mistake", "words").type(Keys.DELETE)
        page.find("#pill").tells("4 unsaved")
        expect(3, lambda: page.count(".row.waiting"), "the marks of what waits")
        self.assertEqual(len(self.kept()["writes"]), 4)
        shown = ["kept", "thrice", "typed in the tunnel"]
        for _ in range(2):
            page.refresh()
            expect(shown, page.contents, "what the page shows")
            page.find("#pill").tells("4 unsaved")
            expect("complete", lambda: page.statuses()[0], "the status")
        self.mend()
        self.assertSaved(page, shown, self.today)
        page.find("#pill").reads("Live")
        page.toast("All saved.")
        # An add, a removal and two edits: each was sent once, under a name of its own.
        sent = {method: self.operations(method) for method in ("POST", "PATCH", "DELETE")}
        self.assertEqual({method: len(names) for method, names in sent.items()}, {"POST": 1, "PATCH": 2, "DELETE": 1})
        self.assertEqual(len(set(sum(sent.values(), []))), 4)
        expect([], lambda: self.kept()["writes"], "what waits")
        self.assertEqual(page.count(".row.waiting"), 0)
        self.seen(shown)

    def test_days_of_routines_are_finished_and_left_out(self):
        page = self.page
        self.redis.call("set_routines", json.dumps({"id": "r", "content": "Run", "rule": "FREQ=DAILY", "from": self.today}))
        page.row("Run").shows()
        self.seen([])
        until("the routine is kept", lambda: self.kept()["users"][0]["seen"]["profile"].get("routines"))
        day = [page.day(number) for number in range(6)]
        id = lambda number: f"r--{day[number].replace('-', '')}"

        def act(number, *choices):
            page.find(f".cell[data-day='{day[number]}']").click()
            for choice in choices:
                page.part("Run", "grip").click()
                page.choose(choice)

        self.cut()
        page.part("Run", "status").click()
        act(1, "Skip this day")
        page.toast("skipped").find(".act").click()
        act(2, "Skip this day")
        act(3, "Day after")
        # What is made of a day and deleted before it was sent does not come back.
        act(5, "In progress", "Delete")
        shown = [["Run"], ["Run"], [], [], ["Run", "Run"], []]
        days = lambda: [page.cell_lines(each) for each in day]
        page.refresh()
        expect(shown, days, "what the month shows")
        self.mend()
        page.live()
        stored = lambda: sorted((todo["id"], todo["date"], todo["status"]) for todo in self.redis.todos())
        expect([(id(0), self.today, "complete"), (id(3), day[4], "todo")], stored, "what Redis holds")
        made = lambda: page.request("GET", "/v1/users/alice/routines")["routines"][0]["made"]
        expect([int(day[number].replace("-", "")) for number in (0, 2, 3, 5)], made, "the days that are made or left out")
        until("nothing waits", lambda: not self.kept()["writes"])
        expect(shown, days, "what the month shows")
        # Another device leaves out a day on which something is written here.
        self.cut()
        act(1)
        page.part("Run", "words").double_click()
        page.retype(page.find(".edit-content"), "Run far", Keys.ENTER)
        page.row("Run far").shows()
        self.redis.call("skip_day", "r", day[1].replace("-", ""))
        self.mend()
        page.toast("“Run” was deleted").find(".act").click()
        page.row("Run far").shows()
        expect(3, lambda: len(stored()), "how many Redis holds")
        page.new_errors()

    def test_what_needs_the_server_is_refused_where_it_was_typed(self):
        page = self.page
        self.redis.call("set_goal", json.dumps({"id": "g", "name": "Body", "color": "green"}))
        self.redis.add("Swim", self.today, id="s", goal="g")
        page.find("#list .group").reads("Body")
        self.seen(["Swim"])
        until("the goal is kept", lambda: self.kept()["users"][0]["seen"]["profile"].get("goals"))
        self.cut()
        page.refresh()
        # What was seen of a goal shows, and new todos are given to it.
        page.find("#list .group").reads("Body")
        page.find("#new").type("Dance #Body", Keys.ENTER)
        expect(["Swim", "Dance"], page.contents, "the list")
        page.choose_account("goals")
        why = "Not saved: The server does not answer. Try again later."
        page.retype(page.find("[data-id='g'] input"), "Mind", Keys.ENTER)
        page.find("#goals-error").reads(why)
        page.find("[data-id='g'] input").holds("Mind")
        page.retype(page.find("#goal-name"), "Home", Keys.ENTER)
        page.find("#goals-error").reads(why)
        page.find("#goal-name").holds("Home")
        page.escape()
        page.part("Dance", "grip").click()
        page.choose("Repeat …")
        page.retype(page.find("#routine-days"), "every 3 days", Keys.ENTER)
        page.find("#routine-error").tells("Routines, unlike todos, are made by the server")
        page.find("#routine-days").holds("every 3 days")
        self.mend()
        page.live()
        page.find("#routine-days").type(Keys.ENTER)
        page.toast("“Dance”: every 3 days")
        expect(["g", "g"], lambda: [todo.get("goal") for todo in self.redis.todos()], "what Redis holds")
        page.new_errors()

    def test_is_sent_when_the_page_opens_again_though_its_tab_was_closed(self):
        self.redis.add("kept", self.today)
        self.page.row("kept").shows()
        self.seen(["kept"])
        self.cut()
        self.page.add("typed in a tunnel")
        # What has no history yet: that is looked up before it is said again.
        expect([True], lambda: [write.get("isNew") for write in self.kept()["writes"]], "what waits")
        later = self.device(beside=self.page)
        self.emulate(later, True)
        self.page.close()
        expect(["kept", "typed in a tunnel"], later.contents, "what the new tab shows")
        self.mend(later)
        self.assertSaved(later, ["kept", "typed in a tunnel"], self.today)
        later.find("#pill").reads("Live")

    def test_what_the_device_cannot_read_at_first_is_asked_for_again(self):
        self.keep("kept")
        self.cut()
        self.page.add("typed in a tunnel")
        expect(1, lambda: len(self.kept()["writes"]), "what waits")
        self.page.driver.at_each_load(UNREADABLE)
        self.page.refresh()
        expect(["kept", "typed in a tunnel"], self.page.contents, "what the page shows")
        self.assertEqual(self.page.run("return unread"), 2)
        self.page.find("#pill").tells("1 unsaved")
        self.mend()
        self.assertSaved(self.page, ["kept", "typed in a tunnel"], self.today)

    def test_what_is_read_late_lies_under_what_was_written_since(self):
        page = self.page
        self.keep("kept")
        self.cut()
        self.edit(page, "kept", "first")
        expect(1, lambda: len(self.kept()["writes"]), "what waits")
        page.run(TRY)
        page.driver.at_each_load(UNREADABLE_AS_A_WHOLE)
        page.refresh()
        expect(["kept"], page.contents, "what the page shows")
        self.edit(page, "kept", "second")
        expect(2, lambda: len(self.kept()["writes"]), "what waits")
        page.run("globalThis.isReadable = true")
        page.find("#pill").tells("2 unsaved")
        self.assertEqual(page.contents(), ["second"])
        self.mend()
        page.find("#pill").reads("Live")
        self.assertSaved(page, ["second"], self.today)

    def test_is_sent_by_the_service_worker_where_no_tab_is_left(self):
        page = self.page
        self.keep("kept")
        self.cut()
        page.add("typed in a tunnel")
        page.part("kept", "status").click()
        expect(2, lambda: len(self.kept()["writes"]), "what waits")
        # With each anew, also by a page that is opened later: the browser gives up after some attempts.
        for act in (lambda: page.add("typed later"), page.refresh):
            expect("todomate.writes", lambda: page.run("return globalThis.asked"), "what the browser is asked for")
            page.run("globalThis.asked = null")
            act()
        expect("todomate.writes", lambda: page.run("return globalThis.asked"), "what the browser is asked for")
        # The browser may have killed it meanwhile.
        page.command("ServiceWorker.enable")
        page.command("ServiceWorker.stopAllWorkers")
        self.mend()
        # There is no script of the page in this one.
        page.driver.get(f"{page.url}openapi.json")
        self.in_service_worker(page, "ServiceWorker.dispatchSyncEvent", origin=page.url.rstrip("/"), tag="todomate.writes", lastChance=False)
        expect(["kept", "typed in a tunnel", "typed later"], lambda: self.redis.contents(self.today), "what Redis holds")
        expect("complete", lambda: self.todo("kept")["status"], "the status in Redis")
        expect([], lambda: self.kept()["writes"], "what waits")
        page.driver.get(page.url)
        page.live()
        self.assertSaved(page, ["kept", "typed in a tunnel", "typed later"], self.today)
        self.assertEqual(len(set(self.operations("POST"))), 2)

    def test_what_was_done_although_no_answer_came_is_not_done_twice(self):
        page = self.page
        self.redis.add("kept", self.today)
        page.row("kept").shows()
        for method, act in (
            ("POST", lambda: page.add("new")),
            ("PATCH", lambda: page.part("kept", "status").click()),
            ("DELETE", lambda: page.part("new", "words").type(Keys.DELETE)),
        ):
            before = len(self.operations(method))
            self.way.loses = method
            act()
            until("it was sent", lambda: len(self.operations(method)) > before)
            page.find("#pill").tells("unsaved")
            self.way.loses = None
            page.find("#pill").reads("Live")
            names = self.operations(method)[before:]
            self.assertGreater(len(names), 1)
            self.assertEqual(len(set(names)), 1)
        self.assertSaved(page, ["kept"], self.today)
        self.assertEqual((self.todo("kept")["status"], self.todo("kept")["revision"]), ("complete", 3))
        self.assertEqual(page.count(".toast.decision"), 0)

    def test_edits_of_two_devices_become_one_field_by_field(self):
        page, other = self.page, self.signed_in(1)
        self.redis.add("shared", self.today, detail="a note")
        page.part("shared", "status").shows()
        self.seen(["shared"])
        self.cut()
        page.part("shared", "status").click()
        self.edit(page, "shared", "mine")
        other.part("shared", "words").double_click()
        other.find(".edit-detail").click()
        other.retype(other.find(".edit-detail"), "their note", Keys.CONTROL + Keys.ENTER + Keys.NULL)
        expect("their note", lambda: self.todo("shared")["detail"], "the note in Redis")
        self.mend()
        expect(["mine"], lambda: self.redis.contents(self.today), "what Redis holds")
        self.assertEqual([self.todo("mine")[name] for name in ("detail", "status")], ["their note", "complete"])
        expect(["mine"], other.contents, "what the other shows")
        page.part("mine", "detail").reads("their note")
        self.assertEqual(page.count(".toast.decision"), 0)

    def test_what_both_devices_changed_waits_for_a_decision_also_in_the_next_tab(self):
        page = self.page
        todo = self.redis.add("as it was", self.today)
        page.row("as it was").shows()
        self.seen(["as it was"])
        self.cut()
        self.edit(page, "as it was", "mine")
        page.part("mine", "status").click()
        self.redis.update(todo, content="theirs")
        self.mend()
        page.toast("You wrote: “mine”")
        # What only one side has changed is there already.
        self.assertSaved(page, ["theirs"], self.today)
        expect("complete", lambda: self.todo("theirs")["status"], "the status in Redis")
        later = self.device(beside=page)
        later.toast("You wrote: “mine”")
        page.close()
        later.refresh()
        later.toast("You wrote: “mine”").find(".act").click()
        self.assertSaved(later, ["mine"], self.today)
        later.refresh()
        later.live()
        self.assertEqual(later.count(".toast.decision"), 0)

    def test_what_was_deleted_elsewhere_stays_so_and_what_was_written_is_kept(self):
        page = self.page
        todo = self.redis.add("short-lived", self.today)
        page.row("short-lived").shows()
        self.seen(["short-lived"])
        self.cut()
        self.edit(page, "short-lived", "much longer")
        self.redis.call("remove", todo["id"])
        self.mend()
        page.toast("was deleted elsewhere")
        self.assertSaved(page, [], self.today)
        page.refresh()
        page.toast("You wrote: “much longer”").find(".act").click()
        self.assertSaved(page, ["much longer"], self.today)

    def test_what_is_refused_is_kept_and_holds_up_nothing_else(self):
        page = self.page
        self.keep("kept")
        self.cut()
        page.add("one too many")
        page.part("kept", "status").click()
        page.find("#pill").tells("2 unsaved")
        self.todomate("user", "limit", "alice", "--todos", "1")
        later = self.device(beside=page)
        self.emulate(later, True)
        page.close()
        later.find("#pill").tells("2 unsaved")
        self.mend(later)
        later.toast("“one too many” was not saved")
        self.assertSaved(later, ["kept"], self.today)
        expect("complete", lambda: self.todo("kept")["status"], "the status in Redis")
        later.refresh()
        later.live()
        toast = later.toast("“one too many” was not saved")
        self.todomate("user", "limit", "alice", "--todos", "10")
        toast.find(".act").click()
        self.assertSaved(later, ["kept", "one too many"], self.today)

    def test_tabs_share_what_waits(self):
        page = self.page
        beside = self.device(beside=page)
        self.redis.add("kept", self.today)
        for tab in (page, beside):
            tab.row("kept").shows()
        self.seen(["kept"])
        self.cut(page, beside)
        page.add("typed in a tunnel")
        expect(["kept", "typed in a tunnel"], beside.contents, "what the other tab shows")
        self.edit(beside, "typed in a tunnel", "typed in two tabs")
        expect(["kept", "typed in two tabs"], page.contents, "what the first tab shows")
        page.close()
        self.mend(beside)
        self.assertSaved(beside, ["kept", "typed in two tabs"], self.today)
        self.assertEqual(len(set(self.operations("POST"))), 1)
        expect([], lambda: self.kept(beside)["writes"], "what waits")

    def test_a_history_that_was_replaced_is_read_anew_and_what_waits_is_kept(self):
        page = self.page
        for name in ("lost", "kept"):
            self.redis.add(name, self.today)
        page.row("kept").shows()
        self.seen(["lost", "kept"])
        kept = self.todo("kept")
        self.cut()
        self.edit(page, "kept", "kept and edited")
        page.add("typed in a tunnel")
        page.find("#pill").tells("2 unsaved")
        # As of a backup in which there was one of them, with the same version as now by another way.
        self.redis.cli("DEL", *(f"todomate:{{alice}}:{name}" for name in ("todos", "days", "log", "feed", "open")))
        self.redis.add("of the backup", self.today)
        self.redis.call("add", json.dumps({name: kept[name] for name in ("id", "content", "date")}))
        self.mend()
        page.live()
        self.assertSaved(page, ["of the backup", "kept and edited", "typed in a tunnel"], self.today)
        expect([], lambda: self.kept()["writes"], "what waits")

    def test_a_device_that_takes_nothing_more_says_so_and_loses_nothing(self):
        page = self.page
        self.keep("kept")
        page.run("IDBObjectStore.prototype.add = () => { throw new DOMException('broken', 'UnknownError'); }")
        page.add("new")
        page.toast("This browser keeps nothing at the moment")
        self.assertSaved(page, ["kept", "new"], self.today)
        self.cut()
        page.add("typed in a tunnel")
        page.part("kept", "status").click()
        page.find("#pill").tells("2 unsaved")
        self.assertEqual(self.kept()["writes"], [])
        self.mend()
        self.assertSaved(page, ["kept", "new", "typed in a tunnel"], self.today)
        expect("complete", lambda: self.todo("kept")["status"], "the status in Redis")

    def test_what_waits_is_bounded(self):
        page = self.page
        self.keep("kept")
        self.cut()
        page.find("#pill").tells("Offline")
        page.add("typed in a tunnel")
        expect(1, lambda: len(self.kept()["writes"]), "what waits")
        page.run(FILL, 999)
        expect(1000, lambda: len(self.kept()["writes"]), "what waits")
        page.add("one too many")
        page.toast("Not saved: Too much waits to be sent")
        page.find("#new").holds("one too many")
        # What is there already can still be changed: it takes no more room.
        self.edit(page, "typed in a tunnel", "typed in the tunnel")
        page.part("kept", "status").click()
        expect(["todo", "todo"], page.statuses, "the statuses")
        page.run(FILL, 0)
        page.find("#new").type(Keys.ENTER)
        self.mend()
        self.assertSaved(page, ["kept", "typed in the tunnel", "one too many"], self.today)

    def test_words_that_the_device_has_no_room_for_can_be_typed_again(self):
        page = self.page
        self.keep("kept")
        self.cut()
        page.add("typed in a tunnel")
        expect(1, lambda: len(self.kept()["writes"]), "what waits")
        page.run(FILL, 999)
        self.edit(page, "kept", "rewritten")
        page.toast("“kept” was not saved: Too much waits to be sent or decided. See to that first. You wrote: “rewritten”")
        page.find("#day-note-text").type("a thought", Keys.ESCAPE)
        page.toast("You wrote: “a thought”")
        page.find("#new").holds("")
        expect(["kept", "typed in a tunnel"], page.contents, "what the page shows")
        # What has no words is only told of.
        page.part("kept", "status").click()
        page.toast("Not saved: Too much waits to be sent or decided.")
        self.assertEqual(page.count(".toast.decision"), 2)
        # A reload forgets neither.
        page.run(FILL, 0)
        page.refresh()
        page.toast("You wrote: “rewritten”").find(".act").click()
        page.find(".edit-content").holds("rewritten")
        page.find(".edit-content").type(Keys.ENTER)
        page.toast("You wrote: “a thought”").find(".act").click()
        page.find("#day-note-text").holds("a thought")
        page.find("#day-note-text").type(Keys.ESCAPE)
        self.mend()
        note = f"note-of-{self.today}"
        stored = lambda: sorted((todo["detail"] if todo["id"] == note else todo["content"]) for todo in self.redis.todos(self.today))
        expect(["a thought", "rewritten", "typed in a tunnel"], stored, "what Redis holds")
        self.assertEqual(page.count(".toast.decision"), 0)

    def test_many_that_wait_are_sent_at_most_four_at_a_time(self):
        page = self.page
        self.redis.add("kept", self.today)
        page.driver.at_each_load(COUNT)
        page.refresh()
        page.row("kept").shows()
        self.seen(["kept"])
        self.cut()
        page.add("typed in a tunnel")
        expect(1, lambda: len(self.kept()["writes"]), "what waits")
        page.run(FILL, 40, self.today)
        page.refresh()
        page.find("#pill").tells("41 unsaved")
        self.mend()
        page.find("#pill").reads("Live")
        expect([], lambda: self.kept()["writes"], "what waits")
        self.assertEqual(len(self.redis.todos()), 42)
        sent = self.operations("POST")
        self.assertEqual((len(sent), len(set(sent))), (41, 41))
        # Where the browser has little time, answers come before all four have begun.
        self.assertIn(page.run("return globalThis.most"), (2, 3, 4))


# Counts how many writes are under way at a time.
COUNT = """
const real = globalThis.fetch;
let underWay = 0;
globalThis.most = 0;
globalThis.fetch = async (...request) => {
  const isWrite = request[1]?.method === 'POST';
  if (isWrite) globalThis.most = Math.max(globalThis.most, underWay += 1);
  try { return await real(...request); } finally { if (isWrite) underWay -= 1; }
};
"""
# Lets so many other writes wait, adds to a day if there is one; or as many fewer.
FILL = """
const [count, date] = arguments;
const open = indexedDB.open('todomate');
return new Promise((resume) => {
  open.onsuccess = () => {
    const change = open.result.transaction('writes', 'readwrite');
    const writes = change.objectStore('writes');
    for (let number = 0; number < count; number += 1) {
      const id = `filling${number}`;
      writes.add({ uid: 'alice', id, ops: [id], ...(date ? { kind: 'add', todo: { id, content: id, date } } : { kind: 'remove' }) });
    }
    if (!count) writes.index('todo').openCursor(IDBKeyRange.bound(['alice', 'filling'], ['alice', 'filling~'])).onsuccess = ({ target: { result } }) => {
      result?.delete();
      result?.continue();
    };
    change.oncomplete = () => { open.result.close(); resume(true); };
  };
});
"""


if __name__ == "__main__":
    main()
