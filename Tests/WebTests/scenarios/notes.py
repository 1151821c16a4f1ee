"""The note of the day: written below the list, kept through everything, and shown to those who may see it."""
import json
import signal

from selenium.webdriver.common.keys import Keys

from waiting import expect, until
from world import Scenario, everywhere, main

FIELD = "#day-note-text"


class Notes(Scenario):
    def setUp(self):
        super().setUp()
        self.page = self.signed_in()
        self.today = self.page.today()

    def note(self, day=None, uid="alice"):
        """What Redis has of a day's note: its text and who may see it."""
        day = day or self.today
        return next(((todo["detail"], todo["visibility"]) for todo in self.redis.todos(day, uid) if todo["id"] == f"note-of-{day}"), None)

    def set_note(self, detail, day=None, uid="alice", **fields):
        return self.redis.call("set_note", day or self.today, json.dumps({"detail": detail, **fields}), uid=uid)

    def assertNote(self, note, day=None):
        expect(note, lambda: self.note(day), "the note in Redis")

    def leave_field(self):
        self.page.run("document.activeElement.blur()")

    def reload(self):
        self.page.run("addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), { capture: true })")
        self.page.refresh()
        self.page.live()

    @everywhere
    def test_is_saved_as_it_is_typed_and_is_nobody_elses(self):
        page = self.page
        other = self.signed_in(1)
        other.find(FIELD).says("aria-labelledby", "day-note-title")
        page.find("#day-note-foot").is_gone()
        page.find(FIELD).type("Rain.", Keys.ENTER, "Tea.")
        self.assertNote(("Rain.\nTea.", "private"))
        other.find(FIELD).holds("Rain.\nTea.")
        # The line that is being begun stays, and so does the place in it.
        page.find(FIELD).type(Keys.ENTER, "More")
        self.assertNote(("Rain.\nTea.\nMore", "private"))
        page.find(FIELD).holds("Rain.\nTea.\nMore")
        page.find(FIELD).takes_focus()
        page.find("#day-note-visibility").run("found.value = 'followers'; found.dispatchEvent(new Event('change'))")
        self.assertNote(("Rain.\nTea.\nMore", "followers"))
        expect("followers", lambda: other.find("#day-note-visibility").value, "who sees it, elsewhere")
        # It counts as nothing to do, and stands in no list of those.
        expect([], page.contents, "the list")
        page.find("#count").reads("")
        other.find(FIELD).type(Keys.CONTROL + "a" + Keys.NULL, Keys.DELETE)
        other.run("document.activeElement.blur()")
        self.assertNote(None)
        page.find(FIELD).holds("")
        self.assertEqual(page.new_errors() + other.new_errors(), [])

    def test_who_sees_it_can_be_said_before_it_is_written(self):
        page = self.page
        page.find(FIELD).type("R")
        page.find("#day-note-visibility").run("found.value = 'public'; found.dispatchEvent(new Event('change'))")
        self.assertNote(("R", "public"))

    def test_nothing_typed_is_lost_by_a_reload_another_day_or_a_server_that_is_away(self):
        page = self.page
        page.find(FIELD).type("half a thou")
        self.reload()
        page.find(FIELD).holds("half a thou")
        self.assertNote(("half a thou", "private"))
        # Another day shows its own, and this one's is saved.
        page.find(FIELD).type("ght")
        page.find(f"[data-day='{page.day(1)}']").click()
        page.find(FIELD).holds("")
        self.assertNote(("half a thought", "private"))
        page.find(FIELD).type("tomorrow's")
        page.find("#to-today").click()
        page.find(FIELD).holds("half a thought")
        self.assertNote(("tomorrow's", "private"), page.day(1))
        for worker in self.workers:
            worker.send(signal.SIGSTOP)
        page.find(FIELD).type(", in a tunnel")
        self.leave_field()
        page.find("#day-note-state").reads("not saved yet")
        page.find(FIELD).holds("half a thought, in a tunnel")
        for worker in self.workers:
            worker.send(signal.SIGCONT)
        self.assertNote(("half a thought, in a tunnel", "private"))
        page.find("#day-note-state").is_gone()
        self.assertEqual(self.redis.call("get", f"note-of-{self.today}")["detail"], "half a thought, in a tunnel")

    def test_what_was_written_elsewhere_is_not_overwritten_unseen(self):
        page = self.page
        # What is there when one begins, what somebody else makes of it, and what becomes of it.
        for before, theirs, choice, wanted in (
            ("as it was", "theirs", "Use mine", "mine"), ("as it was", "theirs", "Discard mine", "theirs"),
            ("", "theirs", "Use mine", "mine"), ("", "theirs", "Discard mine", "theirs"),
        ):
            if before:
                self.set_note(before)
            page.find(FIELD).holds(before)
            # As one who has not paused since.
            page.run("window.later = window.setTimeout; window.setTimeout = () => 0")
            page.find(FIELD).type(Keys.CONTROL + "a" + Keys.NULL, "mine")
            page.run("window.setTimeout = window.later")
            self.set_note(theirs, visibility="public")
            page.find("#day-note-visibility").holds("public")
            page.find(FIELD).holds("mine")
            self.leave_field()
            toast = page.toast("“Note of the day” was changed elsewhere")
            toast.tells("You wrote: “mine”")
            page.find(FIELD).holds(theirs)
            toast.run("[...found.querySelectorAll('button')].find((button) => button.textContent === values[0]).click()", choice)
            page.find(FIELD).holds(wanted)
            self.assertNote((wanted, "public"))
            self.set_note("")
            page.find(FIELD).holds("")
        page.new_errors()

    def test_what_is_refused_comes_back(self):
        page = self.page
        for before in ("", "first "):
            if before:
                self.set_note(before)
                page.find(FIELD).holds(before)
            page.answer_with(422, "full")
            page.find(FIELD).type("too much")
            self.leave_field()
            toast = page.toast("“Note of the day” was not saved: There is no room for more")
            page.run("restore()")
            toast.find(".act").click()
            page.find(FIELD).takes_focus()
            self.assertIn("too much", page.find(FIELD).value)
            self.leave_field()
            until("it is saved", lambda: "too much" in (self.note() or ("",))[0])
            self.set_note("")
            page.find(FIELD).holds("")
        self.assertNotIn("said by a function", page.source())

    def test_is_taken_back_found_and_brought_back(self):
        page = self.page
        page.press("y")
        page.find(FIELD).takes_focus()
        page.find(FIELD).type("A long walk")
        page.press(Keys.ESCAPE)
        self.assertNote(("A long walk", "private"))
        page.find(FIELD).type(", in the rain", Keys.CONTROL + Keys.ENTER + Keys.NULL)
        self.assertNote(("A long walk, in the rain", "private"))
        page.press("z", holding=Keys.CONTROL)
        page.find(FIELD).holds("A long walk")
        self.assertNote(("A long walk", "private"))
        page.press("z", holding=Keys.CONTROL)
        self.assertNote(None)
        self.set_note("Snow, and 눈사람", page.day(3))
        self.redis.add("after it", self.today)
        page.row("after it").shows()
        page.press("/")
        page.find("#search-words").type("눈사람")
        page.find(".found").tells("Note of the day")
        page.find(".found").click()
        page.find(FIELD).takes_focus()
        page.find(FIELD).holds("Snow, and 눈사람")
        page.find("#day-note-past").click()
        page.find("dialog.settings").tells("What became of “Note of the day”")
        page.press(Keys.ESCAPE)
        self.set_note("", page.day(3))
        page.find(FIELD).holds("")
        page.choose_account("deleted")
        entry = page.find("dialog.settings .entry")
        entry.tells("Note of the day")
        entry.run("[...found.querySelectorAll('button')].find((button) => button.textContent === 'Bring back').click()")
        page.find(FIELD).holds("Snow, and 눈사람")
        self.assertEqual(page.new_errors(), [])

    def test_others_see_it_live_as_far_as_they_may(self):
        alice = self.page
        self.add_user("bob", "correct horse")
        bob = self.signed_in(1, "bob")
        alice.request("PUT", "/v1/users/alice/following/bob")
        bob.request("PUT", "/v1/users/bob/followers/alice")
        expect(["bob"], alice.people, "the lists of alice")
        said = alice.person("bob", ".said")
        said.is_gone()
        bob.find(FIELD).type("For me alone")
        until("it is saved", lambda: self.note(uid="bob") == ("For me alone", "private"))
        bob.find("#day-note-visibility").run("found.value = 'followers'; found.dispatchEvent(new Event('change'))")
        said.reads("For me alone")
        alice.person("bob", ".nothing").is_gone()
        bob.find(FIELD).type(" and my friends", Keys.ENTER, "\u202eRTL")
        said.tells("For me alone and my friends\n\ufffdRTL")
        bob.find("#day-note-visibility").run("found.value = 'private'; found.dispatchEvent(new Event('change'))")
        said.is_gone()
        self.assertNotIn("my friends", alice.source())
        self.set_note("For all", uid="bob", visibility="public")
        said.reads("For all")
        bob.request("PUT", "/v1/users/bob/blocked/alice")
        said.is_gone()
        self.assertNotIn("For all", alice.source())

    def test_speaks_korean_and_fits_a_phone(self):
        page = self.page
        page.emulate_size(360, 740)
        page.choose_account("language")
        page.find("#day-note-title").reads("일기")
        page.find(FIELD).type("비 오는 날 " * 40)
        self.assertNote((("비 오는 날 " * 40).strip(), "private"))
        expect("나만팔로워누구나", lambda: page.find("#day-note-visibility").run("return found.textContent"), "who may see it")
        self.assertTrue(page.run("return document.documentElement.scrollWidth <= innerWidth"))
        self.assertTrue(page.find(FIELD).run("return found.scrollHeight <= found.clientHeight + 2 && found.clientHeight > 100"))


if __name__ == "__main__":
    main()
