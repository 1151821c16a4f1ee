"""What goes wrong while a device has no network: servers that are killed, histories that are gone, clocks that jump, tabs that die."""
import json
import signal

from selenium.webdriver.common.keys import Keys

from device import Devices
from waiting import expect, until
from world import main

# The page's clock goes differently; nothing else does.
CLOCK = "globalThis.realNow ??= Date.now; globalThis.ahead ??= 0; Date.now = () => realNow() + ahead;"


class Outages(Devices):
    def edit(self, content, words):
        self.page.part(content, "words").double_click()
        self.page.retype(self.page.find(".edit-content"), words, Keys.ENTER)

    def operations(self, method):
        field = "idempotency-key: "
        return [line[len(field):] for head in self.way.heads if head[0].startswith(method) for line in head if line.lower().startswith(field)]

    def test_a_redis_that_was_emptied_is_shown_as_it_is(self):
        page = self.page
        for name in ("kept", "edited"):
            self.redis.add(name, self.today)
        page.row("edited").shows()
        self.seen(["kept", "edited"])
        self.cut()
        self.edit("edited", "edited here")
        page.add("typed in a tunnel")
        page.find("#pill").tells("2 unsaved")
        self.redis.cli("DEL", *(f"todomate:{{alice}}:{name}" for name in ("todos", "days", "log", "feed", "open", "operations")))
        self.mend()
        # What nobody has any more is not written anew by a device that has seen it; what was written here is.
        page.toast("was deleted elsewhere")
        self.assertSaved(page, ["typed in a tunnel"], self.today)
        self.seen(["typed in a tunnel"])
        page.toast("You wrote: “edited here”").find(".act").click()
        self.assertSaved(page, ["edited here", "typed in a tunnel"], self.today)

    def test_a_redis_that_has_lost_its_accounts_as_well_asks_who_is_here(self):
        page = self.page
        self.keep("kept")
        self.cut()
        page.add("typed in a tunnel")
        page.find("#pill").tells("1 unsaved")
        self.redis.cli("FLUSHALL")
        self.mend()
        page.door()
        expect([], lambda: self.kept()["todos"], "what was seen")
        self.add_user("alice", "correct horse")
        page.sign_in("alice", "correct horse")
        self.assertSaved(page, ["typed in a tunnel"], self.today)
        expect([], lambda: self.kept()["writes"], "what waits")

    def test_a_worker_that_is_killed_with_answers_on_their_way(self):
        page, worker = self.page, self.workers[0]
        self.keep("kept")
        self.way.loses = "POST"
        page.add("done without an answer")
        expect(["kept", "done without an answer"], lambda: self.redis.contents(self.today), "what Redis holds")
        worker.kill()
        self.way.loses = None
        page.add("added meanwhile")
        page.part("kept", "status").click()
        page.find("#pill").tells("unsaved")
        page.refresh()
        # The service worker has the page, and the device the rest.
        expect(["kept", "done without an answer", "added meanwhile"], page.contents, "what the page shows")
        page.find("#pill").tells("3 unsaved")
        worker.start()
        self.assertSaved(page, ["kept", "done without an answer", "added meanwhile"], self.today)
        expect("complete", lambda: self.redis.todos()[0]["status"], "the status in Redis")
        page.find("#pill").reads("Live")
        self.assertEqual(len(set(self.operations("POST"))), 2)
        self.assertEqual(page.count(".toast.decision"), 0)

    def test_clocks_that_jump_neither_lose_nor_repeat_anything(self):
        page = self.page
        page.driver.at_each_load(CLOCK)
        page.refresh()
        page.live()
        self.seen([])
        self.cut()
        page.find("#pill").tells("Offline")
        for ahead, content in ((7200000, "two hours ahead"), (-7200000, "two hours behind"), (0, "in time")):
            page.run("globalThis.ahead = arguments[0]", ahead)
            page.add(content)
        self.edit("two hours ahead", "ahead and edited")
        page.find("#pill").tells("3 unsaved")
        page.refresh()
        page.run("globalThis.ahead = -7200000")
        self.mend()
        self.assertSaved(page, ["ahead and edited", "two hours behind", "in time"], self.today)
        page.find("#pill").reads("Live")
        self.assertEqual(len(self.operations("POST")), 3)
        # What was heard before the clock was put back does not count as heard just now.
        page.run("globalThis.ahead = -14400000")
        for worker in self.workers:
            worker.send(signal.SIGSTOP)
        page.find("#pill").reads("Reconnecting …")
        # The request hangs for longer.
        page.add("not answered")
        page.find("#pill").reads("Reconnecting … · 1 unsaved")
        self.assertEqual(len(self.operations("POST")), 4, "the first attempt is still under way")
        for worker in self.workers:
            worker.send(signal.SIGCONT)
        page.find("#pill").reads("Live")
        self.assertSaved(page, ["ahead and edited", "two hours behind", "in time", "not answered"], self.today)

    def test_somebody_on_the_way_signs_nobody_out(self):
        page, todos = self.page, "/v1/users/alice/todos"
        self.keep("kept")
        shown = ["kept"]
        for status in ("401 Unauthorized", "403 Forbidden"):
            self.way.answers[todos] = ("Content-Type: text/html\r\n", b"<h1>Who are you?</h1>", status)
            before = len(self.operations("POST"))
            page.add(status)
            shown.append(status)
            until("it was sent, and sent again", lambda: len(self.operations("POST")) > before + 1)
            page.find("#pill").tells("1 unsaved")
            self.assertEqual(page.contents(), shown)
            self.seen(shown[:-1])
            del self.way.answers[todos]
            self.assertSaved(page, shown, self.today)
            page.find("#pill").reads("Live")

    def test_the_next_tab_takes_over_what_a_tab_had_no_time_to_keep(self):
        page = self.page
        self.seen([])
        self.cut()
        # Its outbox takes nothing for as long as the tab lives.
        page.run("IDBObjectStore.prototype.get = () => ({})")
        page.add("typed just before")
        expect(["typed just before"], page.contents, "what the page shows")
        later = self.device(beside=page)
        self.emulate(later, True)
        page.close()
        expect(["typed just before"], later.contents, "what the next tab shows")
        until("it is kept", lambda: [write["todo"]["content"] for write in self.kept(later)["writes"]] == ["typed just before"])
        expect([], lambda: later.run("return Object.keys(localStorage).filter((key) => key.includes('unkept'))"), "what is not in the outbox")
        self.mend(later)
        self.assertSaved(later, ["typed just before"], self.today)
        self.assertEqual(len(set(self.operations("POST"))), 1)

    def test_what_a_tab_had_no_time_to_keep_goes_with_its_user(self):
        page = self.page
        self.seen([])
        page.run("IDBObjectStore.prototype.get = () => ({})")
        page.add("a secret")
        until("it is written down", lambda: "a secret" in page.run("return JSON.stringify(localStorage)"))
        page.choose_account("leave")
        page.toast("Some changes are not saved yet.").find(".act").click()
        page.door()
        self.assertNotIn("a secret", page.run("return JSON.stringify(localStorage) + JSON.stringify(sessionStorage)"))
        self.assertNotIn("a secret", json.dumps(self.kept()))

    def test_a_removal_goes_on_unless_somebody_would_miss_what_they_wrote(self):
        page = self.page
        for name in ("moved there", "edited there"):
            self.redis.add(name, self.today)
        page.row("edited there").shows()
        self.seen(["moved there", "edited there"])
        self.cut()
        for name in ("moved there", "edited there"):
            page.part(name, "words").type(Keys.DELETE)
        page.find("#pill").tells("2 unsaved")
        moved, edited = self.redis.todos()
        self.redis.update(moved, position=77)
        self.redis.update(edited, detail="a note of theirs")
        self.mend()
        toast = page.toast("“edited there” was changed elsewhere")
        self.assertSaved(page, ["edited there"], self.today)
        page.part("edited there", "detail").reads("a note of theirs")
        toast.find(".act").reads("Delete")
        toast.find(".act").click()
        self.assertSaved(page, [], self.today)


if __name__ == "__main__":
    main()
