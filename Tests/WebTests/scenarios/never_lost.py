"""What somebody has typed or done: nothing of it is lost, and all of it can be taken back."""
import json
import signal

from selenium.webdriver.common.keys import Keys

from device import KEPT
from waiting import expect, until
from world import Scenario, everywhere, main


class NeverLost(Scenario):
    def setUp(self):
        super().setUp()
        self.page = self.signed_in()
        self.today = self.page.today()

    def reload(self):
        """As somebody does who wants to see the page anew: the browser may ask first, and is told yes."""
        self.page.run("addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), { capture: true })")
        self.page.refresh()
        self.page.live()

    @everywhere
    def test_a_half_typed_line_survives_a_reload(self):
        page = self.page
        page.find("#new").type("half a thou", Keys.SHIFT + Keys.ENTER)
        page.find("#new").type("and more")
        self.reload()
        page.find("#new").holds("half a thou\nand more")
        page.find("#new").type(Keys.ENTER)
        self.assertSaved(page, ["half a thou", "and more"], self.today)
        self.reload()
        page.find("#new").holds("")
        self.assertEqual(self.redis.contents(), ["half a thou", "and more"])

    def test_a_routine_whose_answer_does_not_come_survives_a_reload(self):
        page = self.page
        routines = lambda: [routine["content"] for routine in page.request("GET", "/v1/users/alice/routines")["routines"]]
        page.run(
            "const real = fetch; window.fetch = async (path, options) => { const answer = await real(path, options);"
            " return path.includes('/routines') && options?.method !== 'GET' ? new Promise(() => {}) : answer; }"
        )
        page.add("Stretch at 9 every day")
        expect(["Stretch"], routines, "the routines")
        page.find("#new").holds("")
        page.find("#new").type("half a thou")
        asks = "const event = new Event('beforeunload', { cancelable: true }); dispatchEvent(event); return event.defaultPrevented"
        self.assertTrue(page.run(asks), "it would be lost with the tab")
        self.reload()
        page.find("#new").holds("Stretch at 9 every day\nhalf a thou")
        self.assertFalse(page.run(asks))
        page.find("#new").type(Keys.ENTER)
        page.toast("“Stretch”: every day")
        self.assertEqual(routines(), ["Stretch"], "it is the same")
        self.reload()
        page.find("#new").holds("")

    @everywhere
    def test_a_half_typed_edit_survives_a_reload(self):
        page = self.page
        self.redis.add("as it was", page.day(1))
        page.find(f"[data-day='{page.day(1)}']").click()
        page.part("as it was", "words").double_click()
        page.find(".edit-content").type(", but better")
        for _ in range(2):
            self.reload()
            page.find(".edit-content").shows()
        page.find(".edit-content").holds("as it was, but better")
        page.find(".edit-content").type(Keys.ENTER)
        expect(["as it was, but better"], lambda: self.redis.contents(page.day(1)), "what Redis holds")
        self.reload()
        self.assertEqual(page.count(".editor"), 0)

    def test_what_is_refused_comes_back_to_where_it_was_typed(self):
        page = self.page
        page.answer_with(422, "full")
        page.add("first")
        page.toast("Not saved: There is no room for more")
        page.find("#new").holds("first")
        expect([], page.contents, "what the page shows")
        page.run("restore()")
        page.find("#new").type(Keys.ENTER)
        self.assertSaved(page, ["first"], self.today)
        # What is typed meanwhile stays behind it.
        page.answer_with(422, "invalid")
        page.add("second")
        page.find("#new").holds("second")
        page.run("document.querySelector('#new').value += '\\nthird'; restore()")
        page.find("#new").type(Keys.ENTER)
        self.assertSaved(page, ["first", "second", "third"], self.today)
        # Nor does the caret of who is typing by then go elsewhere.
        page.answer_with(422, "full")
        page.run(
            """
            const refused = window.fetch;
            window.fetch = (path, options) => (options?.method === 'GET' ? refused(path, options)
              : new Promise((resume) => { window.goOn = () => resume(refused(path, options)); }));
            """
        )
        page.add("fourth")
        until("it is sent", lambda: page.run("return Boolean(window.goOn)"))
        page.find("#new").type("fifth")
        page.run("document.querySelector('#new').setSelectionRange(2, 2); goOn()")
        page.find("#new").holds("fourth\nfifth")
        self.assertEqual(page.run("return document.querySelector('#new').selectionStart"), len("fourth\n") + 2)
        self.assertNotIn("said by a function", page.source())

    def test_a_refused_edit_stays_until_somebody_decides(self):
        page = self.page
        self.redis.add("plain", self.today)
        page.answer_with(422, "full")
        page.part("plain", "words").double_click()
        page.retype(page.find(".edit-content"), "rewritten", Keys.ENTER)
        page.toast("You wrote: “rewritten”")
        expect(["plain"], page.contents, "what the page shows")
        self.reload()
        page.toast("“plain” was not saved: There is no room for more").find(".act").click()
        page.find(".edit-content").holds("rewritten")
        page.find(".edit-content").type(Keys.ENTER)
        self.assertSaved(page, ["rewritten"], self.today)

    def test_a_conflict_waits_for_a_decision(self):
        page = self.page
        for choice, wanted in (("Use mine", "mine"), ("Discard mine", "theirs")):
            todo = self.redis.add("as it was", self.today)
            page.part("as it was", "words").double_click()
            self.redis.update(todo, content="theirs")
            until("it shows", lambda: "theirs" in page.cell_lines(self.today))
            page.retype(page.find(".edit-content"), "mine", Keys.ENTER)
            page.toast("You wrote: “mine”")
            # Not pushed away by news, nor by a reload.
            for number in range(4):
                page.run("document.querySelector('#follow-name').value = ''")
                page.part("theirs", "words").type(Keys.DELETE)
                page.toast("“theirs” deleted").find(".act").click()
                page.row("theirs").shows()
            self.reload()
            toast = page.toast("was changed elsewhere")
            expect(["theirs"], page.contents, "what the page shows")
            toast.run("[...found.querySelectorAll('button')].find((button) => button.textContent === values[0]).click()", choice)
            self.assertSaved(page, [wanted], self.today)
            expect([], lambda: page.run(KEPT)["parked"], "what waits for a decision")
            self.reload()
            self.assertEqual(page.count(".toast.decision"), 0)
            self.redis.call("remove", todo["id"])
            expect([], page.contents, "what the page shows")
        page.new_errors()

    @everywhere
    def test_what_waits_for_the_server_outlasts_a_reload(self):
        page = self.page
        kept = self.redis.add("kept", self.today)
        gone = self.redis.add("gone", self.today)
        page.row("gone").shows()
        page.answer_with(503, "unavailable")
        page.add("typed in a tunnel")
        page.part("kept", "status").click()
        page.part("gone", "words").type(Keys.DELETE)
        page.find("#pill").reads("3 unsaved")
        self.reload()
        self.assertSaved(page, ["kept", "typed in a tunnel"], self.today)
        expect("complete", lambda: self.redis.todos()[0]["status"], "the status in Redis")
        page.find("#pill").reads("Live")
        self.assertEqual([todo["id"] for todo in self.redis.todos()][0], kept["id"])
        self.assertNotIn(gone["id"], json.dumps(self.redis.todos()))
        self.reload()
        self.assertSaved(page, ["kept", "typed in a tunnel"], self.today)

    @everywhere
    def test_signing_out_leaves_nothing_behind(self):
        page = self.page
        other = self.board(beside=page)
        other.live()
        other.find("#new").type("another secret")
        page.find("#new").type("a secret")
        until("it is kept", lambda: "a secret" in page.run("return JSON.stringify(sessionStorage)"))
        page.choose_account("leave")
        page.door()
        self.assertEqual(page.run("return JSON.stringify(sessionStorage)"), "{}")
        # In no other tab either.
        other.door()
        expect("{}", lambda: other.run("return JSON.stringify(sessionStorage)"), "what the other tab keeps")
        other.find("#new").holds("")
        page.sign_in("alice", "correct horse")
        page.find("#new").holds("")

    @everywhere
    def test_everything_done_can_be_taken_back(self):
        page, today = self.page, self.today
        page.add("one")
        page.add("two")
        self.assertSaved(page, ["one", "two"], today)
        page.part("one", "words").double_click()
        page.retype(page.find(".edit-content"), "first", Keys.ENTER)
        page.part("first", "status").click()
        page.part("first", "words").type(Keys.ALT + Keys.ARROW_DOWN + Keys.NULL)
        self.assertSaved(page, ["two", "first"], today)
        page.part("two", "words").type(Keys.DELETE)
        self.assertSaved(page, ["first"], today)
        page.part("first", "words").takes_focus()

        def undo(what, contents):
            page.press("z", holding=Keys.CONTROL)
            page.toast(f"Undone: {what}")
            self.assertSaved(page, contents, today)

        undo("“two” deleted", ["two", "first"])
        undo("“first” changed", ["first", "two"])
        expect("complete", lambda: self.redis.todos()[0]["status"], "the status in Redis")
        undo("“first” done", ["first", "two"])
        expect("todo", lambda: self.redis.todos()[0]["status"], "the status in Redis")
        undo("“one” changed", ["one", "two"])
        # What somebody else has changed since is theirs.
        page.part("one", "status").click()
        expect("complete", lambda: self.redis.todos()[0]["status"], "the status in Redis")
        self.redis.update(self.redis.todos()[0], status="incomplete")
        expect(["incomplete", "todo"], page.statuses, "the statuses")
        page.press("z", holding=Keys.CONTROL)
        page.toast("“one” has changed since")
        self.assertEqual(page.run("return [...document.querySelectorAll('.toast')].filter((e) => e.textContent.includes('Undone: “one” done')).length"), 0)
        self.redis.update(self.redis.todos()[0], status="todo")
        expect(["todo", "todo"], page.statuses, "the statuses")
        undo("“two” added", ["one"])
        # Neither is what was added here, once somebody else has written to it.
        self.redis.update(self.redis.todos()[0], detail="a note")
        page.part("one", "detail").reads("a note")
        page.press("z", holding=Keys.CONTROL)
        page.wait("it is said again", lambda: page.count(".toast.alert") > 1)
        self.assertSaved(page, ["one"], today)
        self.assertEqual(page.new_errors(), [])

    def test_what_is_only_shown_says_so(self):
        page = self.page
        page.add("stored")
        self.assertSaved(page, ["stored"], self.today)
        shown = {"type": "added", "todo": {"id": "x1", "uid": "alice", "content": "announced", "date": self.today}}
        self.redis.cli("PUBLISH", "todomate:{alice}:changes", json.dumps(shown))
        page.row("announced").shows()
        page.part("announced", "seen-by").reads("shown, not stored")
        for part in ("status", "grip"):
            page.part("announced", part).click()
            page.toast("stored nowhere")
        self.assertEqual(page.count("dialog, .editor"), 0)
        # It does not keep anything else from being added or moved.
        page.add("after")
        page.part("after", "words").type(Keys.ALT + Keys.ARROW_UP + Keys.NULL)
        expect(["after", "stored"], lambda: self.redis.contents(self.today), "what Redis holds")
        expect(["after", "stored", "announced"], page.contents, "what the page shows")
        self.assertEqual(page.new_errors(), [])

    def test_the_pill_tells_the_truth_within_six_seconds(self):
        page = self.page
        # By the page's own clock, which this scenario stops and moves: it does not depend on how busy this machine is.
        page.command(
            "Page.addScriptToEvaluateOnNewDocument",
            source="const now = Date.now; window.still = 0; Date.now = () => window.still || now();",
        )
        page.refresh()
        page.live()
        for worker in self.workers:
            worker.send(signal.SIGSTOP)
        # What nothing moves would never come to a longer time than this, however long this waits; a look takes a second at most.
        page.run("window.still = Date.now() + 5000")
        page.find("#pill").reads("Reconnecting …")
        page.run("window.still = 0")
        for worker in self.workers:
            worker.send(signal.SIGCONT)
        page.find("#pill").reads("Live")
        self.redis.add("afterwards", self.today)
        expect(["afterwards"], page.contents, "what the page shows")

    def test_a_tab_in_the_background_opens_no_stream(self):
        page = self.page
        page.command(
            "Page.addScriptToEvaluateOnNewDocument",
            source="""
            let isHidden = true;
            Object.defineProperty(document, 'hidden', { get: () => isHidden });
            window.show = () => { isHidden = false; document.dispatchEvent(new Event('visibilitychange')); };
            window.opened = 0;
            window.EventSource = class extends EventSource { constructor(path) { super(path); window.opened += 1; } };
            """,
        )
        self.redis.add("one", self.today)
        page.refresh()
        page.expect_title("(1) alice · TodoMate")
        self.assertEqual(page.run("return window.opened"), 0)
        page.run("show()")
        page.live()
        expect(["one"], page.contents, "what the page shows")
        self.assertEqual(page.run("return window.opened"), 1)

    def test_a_name_that_nobody_has_takes_no_room(self):
        page = self.page
        page.show("people")
        page.follow("nobody-at-all")
        page.find("#following-people").tells("nobody-at-all")
        self.assertEqual(page.people(), [])
        page.toast("Asked nobody-at-all, if there is an account of exactly that name.").find(".act").click()
        page.find("#following-people").is_gone()


if __name__ == "__main__":
    main()
