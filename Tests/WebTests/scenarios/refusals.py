"""What the server does not take, and what nobody should be able to smuggle in."""
import signal

from selenium.webdriver.common.keys import Keys

from waiting import expect, until
from world import Scenario, main


class Refusals(Scenario):
    def setUp(self):
        super().setUp()
        self.page = self.signed_in()
        self.today = self.page.today()

    def begin_edit(self, content):
        self.page.part(content, "words").double_click()
        return self.page.find(".edit-content")

    def test_an_edit_of_what_changed_meanwhile_is_rolled_back_and_can_be_insisted_on(self):
        page = self.page
        todo = self.redis.add("as it was", self.today)
        field = self.begin_edit("as it was")
        page.retype(field, "mine")
        theirs = "theirs " + "x" * 493
        self.redis.update(todo, content=theirs)
        expect([theirs], lambda: page.cell_lines(self.today), "the month")
        # What is being typed stays.
        field.holds("mine")
        field.type(Keys.ENTER)
        toast = page.toast("was changed elsewhere")
        self.assertSaved(page, [theirs], self.today)
        toast.find(".act").click()
        self.assertSaved(page, ["mine"], self.today)
        errors = page.wait("the browser complains", page.new_errors)
        self.assertEqual(len(errors), 1)
        self.assertIn("412", errors[0])

    def test_an_edit_of_what_was_deleted_meanwhile_can_be_added_again(self):
        page = self.page
        todo = self.redis.add("short-lived", self.today)
        self.begin_edit("short-lived").type(" but mine")
        self.redis.call("remove", todo["id"])
        page.toast("was deleted elsewhere").find(".act").click()
        self.assertSaved(page, ["short-lived but mine"], self.today)

    def test_what_is_too_long_stays_where_it_was_typed(self):
        page = self.page
        page.find("#new").fill("y" * 501)
        page.find("#new").type(Keys.ENTER)
        page.find("#new-error").reads("A todo has at most 500 characters; this one has 501.")
        page.find("#new").holds("y" * 501)
        self.assertEqual(self.redis.contents(), [])
        page.find("#new").type(Keys.BACKSPACE, Keys.ENTER)
        self.assertSaved(page, ["y" * 500], self.today)
        page.find("#new-error").reads("")

    def test_a_paused_redis_loses_nothing(self):
        page = self.page
        page.add("before")
        self.assertSaved(page, ["before"], self.today)
        self.redis.send(signal.SIGSTOP)
        page.part("before", "status").click()
        expect(["complete"], page.statuses, "the status at once")
        page.find("#pill").tells("unsaved")
        self.assertNotIn("Live", page.find("#pill").text)
        self.redis.send(signal.SIGCONT)
        until("it is saved", lambda: self.redis.todos()[0]["status"] == "complete")
        page.find("#pill").reads("Live")
        expect(["complete"], page.statuses, "the status")

    def test_markup_is_only_text(self):
        page = self.page
        attacks = [
            "<img src=x onerror=\"window.hit=1\">", "<script>window.hit=1</script>", "\"><svg onload=window.hit=1>",
            "{{7*7}}", "javascript:window.hit=1", "</li></ul><h1>x</h1>",
        ]
        for attack in attacks:
            self.redis.add(attack, self.today, detail=attack)
        expect(attacks, page.contents, "what the page shows")
        expect(attacks[:3], lambda: page.cell_lines(self.today), "today in the month")
        for attack in attacks:
            page.part(attack, "grip").click()
            page.wait("the menu names it", lambda attack=attack: attack in (page.find("dialog").attribute("aria-label") or ""))
            page.escape()
        page.part(attacks[1], "words").type(Keys.DELETE)
        page.toast("<script>window.hit=1</script>")
        self.assertIsNone(page.run("return window.hit"))
        self.assertEqual(page.count("#list img, #list script, #list h1, #grid img"), 0)
        self.assertEqual(page.new_errors(), [])

    def test_what_would_reorder_the_text_around_it_is_shown_and_does_not(self):
        page = self.page
        # Overrides, embeddings and isolates; the last one is closed by nobody.
        attack = "pay \u202egpj.exe\u202c \u2067a\u2069\u202d\u2066"
        shown = "pay \ufffdgpj.exe\ufffd \ufffda\ufffd\ufffd\ufffd"
        # Marks that a text of two directions needs stay.
        harmless = "\u200fשלום\u200e, \u061ca"
        self.redis.add(attack, self.today, detail=attack)
        self.redis.add(harmless, self.today)
        expect([shown, harmless], page.contents, "what the page shows")
        expect([shown, harmless], lambda: page.cell_lines(self.today), "today in the month")
        self.assertEqual(page.row(shown).find(".detail").text, shown)
        page.part(shown, "grip").says("aria-label", f"More for “{shown}”")
        # Whoever edits something else of it does not change that.
        field = page.part(shown, "words").double_click() or page.find(".edit-content")
        field.holds(attack)
        field.type(Keys.HOME, "x", Keys.ENTER)
        expect(["x" + attack, harmless], lambda: self.redis.contents(self.today), "what Redis holds")
        expect(["x" + shown, harmless], page.contents, "what the page shows")
        page.part("x" + shown, "words").type(Keys.DELETE)
        page.toast(f"“x{shown}” deleted")
        self.assertEqual(page.new_errors(), [])


class TooMany(Scenario):
    def test_what_is_written_faster_than_allowed_is_kept_and_sent_later(self):
        self.todomate("user", "limit", "alice", "--writes", "30/min")
        page = self.signed_in()
        today = page.today()
        # Nine more than may come at once: a page that is slow is allowed one more every two seconds.
        wanted = [f"todo {number}" for number in range(24)]
        # All but the last in one go, as fast as a page can.
        page.run(
            "const [field, form] = [document.querySelector('#new'), document.querySelector('#composer')];"
            "for (const words of arguments[0]) { field.value = words; form.requestSubmit(); }", wanted[:-1])
        page.find("#pill").tells("unsaved")
        page.toast("Not saved yet.")
        # Nothing of it vanishes, and one can go on.
        page.add(wanted[-1])
        expect(wanted, page.contents, "what the page shows")
        expect(wanted, lambda: sorted(self.redis.contents(today), key=wanted.index), "what Redis holds")
        page.find("#pill").reads("Live")
        page.toast("All saved.")
        self.assertEqual(sorted(page.contents()), sorted(wanted))
        self.assertEqual(page.count(".row.waiting"), 0)
        refusals = page.new_errors()
        self.assertTrue(refusals)
        # Nor is what was sent in vain anywhere, as the page looks before it says it again.
        self.assertTrue(all("429" in refusal or "/history? " in refusal and "404" in refusal for refusal in refusals), refusals)


if __name__ == "__main__":
    main()
