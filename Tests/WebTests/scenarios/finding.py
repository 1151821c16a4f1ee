"""Search, and the keys that work anywhere."""
import json

from selenium.webdriver.common.keys import Keys

from waiting import expect
from world import Scenario, everywhere, main


class Finding(Scenario):
    def setUp(self):
        super().setUp()
        self.page = self.signed_in()
        self.today = self.page.today()

    def found(self):
        return self.page.run("return [...document.querySelectorAll('.found .content')].map((e) => e.textContent)")

    @everywhere
    def test_words_find_todos_of_all_days(self):
        page = self.page
        for content, offset, fields in (
            ("Milk the cows", -40, {"status": "complete"}), ("우유 사기", 3, {}), ("Something else", 1, {"detail": "with oat MILK"}),
            ("<b>milk</b>", -2, {}), ("Crème at the CAFÉ", 2, {}), ("ΟΔΌΣ", 4, {}),
            # Once the last of them is there, all are.
            ("Buy milk and bread", 0, {}),
        ):
            self.redis.add(content, page.day(offset), **fields)
        expect(["Buy milk and bread"], page.contents, "today")
        page.press("/")
        page.find("#search-words").takes_focus()
        self.assertEqual(self.found(), [])
        page.find("#search-words").type("milk")
        expect(["Something else", "Buy milk and bread", "<b>milk</b>", "Milk the cows"], self.found, "what was found")
        page.find(".search [role=status]").reads("4 todos")
        # All of the words, in whatever order.
        page.retype(page.find("#search-words"), "BREAD mi")
        expect(["Buy milk and bread"], self.found, "what was found")
        page.retype(page.find("#search-words"), "우유")
        expect(["우유 사기"], self.found, "what was found")
        for words in ("creme cafe", "cafe\u0301"):
            page.retype(page.find("#search-words"), words)
            expect(["Crème at the CAFÉ"], self.found, "what was found")
        # A letter that is another one at the end of a word.
        page.retype(page.find("#search-words"), "οδός")
        expect(["ΟΔΌΣ"], self.found, "what was found")
        page.retype(page.find("#search-words"), "nowhere")
        page.find(".search [role=status]").reads("Nothing is like that.")
        page.retype(page.find("#search-words"), "milk")
        page.run(
            "const s = document.querySelector('#search-status'); s.value = 'complete';"
            "s.dispatchEvent(new Event('input', { bubbles: true }))"
        )
        expect(["Milk the cows"], self.found, "what was found")
        # Down to it, and there.
        page.find("#search-words").type(Keys.ARROW_DOWN, Keys.ENTER)
        expect(["Milk the cows"], page.contents, "the day that opened")
        page.part("Milk the cows", "words").takes_focus()
        page.press("t")
        expect(["Buy milk and bread"], page.contents, "today")
        self.assertEqual(page.new_errors(), [])

    def test_the_next_day_of_a_routine_is_found(self):
        page = self.page
        fields = {"id": "r1", "content": "Stretch", "rule": "FREQ=DAILY;INTERVAL=3", "from": page.day(-2)}
        self.redis.call("set_routines", json.dumps(fields))
        self.redis.add("Stretch the budget", self.today)
        expect(["Stretch the budget"], page.contents, "today")
        expect(["Stretch"], lambda: page.cell_lines(page.day(1)), "tomorrow")
        page.press("/")
        page.find("#search-words").type("stretch")
        expect(["Stretch", "Stretch the budget"], self.found, "what was found")
        page.find("#search-words").type(Keys.ARROW_DOWN, Keys.ENTER)
        expect(["Stretch"], page.contents, "the day that opened")
        # Once it is done, the next one is found, and what was done as any other.
        page.part("Stretch", "status").click()
        expect(["complete"], lambda: [todo["status"] for todo in self.redis.todos() if todo["content"] == "Stretch"], "what Redis holds")
        page.press("/")
        page.find("#search-words").type("stretch")
        expect(["Stretch", "Stretch", "Stretch the budget"], self.found, "what was found")
        self.assertEqual(page.new_errors(), [])

    def set(self, selector, value):
        self.page.run(
            "const s = document.querySelector(arguments[0]); s.value = arguments[1]; s.dispatchEvent(new Event('input', { bubbles: true }))",
            selector, value,
        )

    def test_filters_by_goal_and_days_with_and_without_words(self):
        page = self.page
        page.find("#search").click()
        page.find("#search-goal").is_gone()
        page.escape()
        self.redis.call("set_goal", '{"id":"g1","name":"Work <b>"}')
        self.redis.call("set_goal", '{"id":"g2","name":"집","archived":true}')
        for content, offset, fields in (("report two", 5, {"goal": "g1"}), ("청소", -3, {"goal": "g2"}), ("report", 0, {"goal": "g1"}), ("milk", 0, {})):
            self.redis.add(content, page.day(offset), **fields)
        expect(2, lambda: len(page.contents()), "today")
        page.press("/")
        page.find("#search-goal").tells("Work <b>")
        for size in ((390, 844), (1280, 800)):
            page.emulate_size(*size)
            widths = page.run("return [...document.querySelectorAll('.search [type=date]')].map((e) => e.offsetWidth)")
            self.assertGreaterEqual(min(widths), 160, f"a whole day is shown, at {size}")
        self.set("#search-goal", "g1")
        expect(["report two", "report"], self.found, "what is for work")
        self.set("#search-to", page.day(1))
        expect(["report"], self.found, "what is for work by tomorrow")
        page.find("#search-words").type("milk")
        page.find(".search [role=status]").reads("Nothing is like that.")
        self.set("#search-goal", "-none-")
        expect(["milk"], self.found, "what is for nothing")
        page.retype(page.find("#search-words"), "청소")
        self.set("#search-goal", "g2")
        self.set("#search-from", page.day(-3))
        expect(["청소"], self.found, "what an archived goal has")
        self.set("#search-from", page.day(2))
        page.find(".search [role=status]").reads("The first day is after the last.")
        self.assertEqual(self.found(), [])
        self.assertEqual(page.run("return document.querySelector('#search-to').getAttribute('aria-invalid')"), "true")
        self.assertEqual(page.new_errors(), [])

    def test_finds_what_others_share_and_no_more(self):
        page = self.page
        self.add_user("bob", "correct horse")
        self.redis.cli("FCALL", "todomate_settings", "1", "todomate:{bob}", '{"audience":"public"}')
        for content, visibility in (("milk for all", "public"), ("milk for me", "private"), ("milk for friends", "followers")):
            self.redis.add(content, self.today, uid="bob", visibility=visibility)
        page.request("PUT", "/v1/users/alice/following/bob")
        expect(2, lambda: len(page.contents_of("bob")), "what alice sees of bob")
        page.find("#search").click()
        page.find("#search-words").type("milk")
        expect(["milk for all", "milk for friends"], lambda: sorted(self.found()), "what was found")
        self.assertNotIn("milk for me", page.source())

    def test_a_double_click_opens_one_sheet(self):
        for button, sheet in (("search", "search"), ("week", "glance"), ("goals", "goals"), ("deleted", "past")):
            self.page.run("const button = document.getElementById(arguments[0]); button.click(); button.click();", button)
            self.page.find(f"dialog.{sheet}").shows()
            self.assertEqual(self.page.count("dialog[open]"), 1, sheet)
            self.page.escape()
            expect(0, lambda: self.page.count("dialog[open]"), "open sheets")

    def test_keys_work_wherever_nobody_types(self):
        page = self.page
        page.press("?")
        page.find("dialog.keys").tells("Finish, or open again")
        page.escape()
        page.press("n")
        page.find("#new").takes_focus()
        # Now they are letters.
        page.find("#new").type("n/?t", Keys.ENTER)
        self.assertSaved(page, ["n/?t"], self.today)
        self.assertEqual(page.count("dialog"), 0)
        page.part("n/?t", "words").double_click()
        page.retype(page.find(".edit-content"), "renamed")
        page.find(".editor .cancel").click()
        page.part("n/?t", "words").double_click()
        page.retype(page.find(".edit-content"), "renamed")
        page.find(".editor .save").click()
        self.assertSaved(page, ["renamed"], self.today)
        self.assertEqual(page.new_errors(), [])


if __name__ == "__main__":
    main()
