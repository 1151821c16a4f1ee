"""A day's work by mouse; what Redis holds is looked at after each step."""
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from world import Scenario, main, until


class DailyWork(Scenario):
    def setUp(self):
        super().setUp()
        self.page = self.signed_in()
        self.today = self.page.today()

    def stored(self, content):
        return next((todo for todo in self.redis.todos() if todo["content"] == content), {})

    def test_add_and_edit(self):
        page = self.page
        page.add("  buy milk ")
        page.add("우유 사기")
        page.add("third")
        self.assertSaved(page, ["buy milk", "우유 사기", "third"], self.today)
        page.add("   ")

        words = page.part("buy milk", "words")
        ActionChains(page.driver).double_click(words).perform()
        page.retype(page.find(".edit-content"), "buy oat milk", Keys.ENTER)
        self.assertSaved(page, ["buy oat milk", "우유 사기", "third"], self.today)

        ActionChains(page.driver).double_click(page.part("third", "words")).perform()
        page.find(".edit-content").send_keys(" never", Keys.ESCAPE)
        self.assertEqual(page.contents()[2], "third")

        ActionChains(page.driver).double_click(page.part("third", "words")).perform()
        page.find(".edit-detail").click()
        page.find(".edit-detail").send_keys("first line", Keys.ENTER, "second line")
        page.find("#day-title").click()
        until("the note is saved", lambda: self.stored("third")["detail"] == "first line\nsecond line")
        self.assertEqual(page.part("third", "detail").text, "first line\nsecond line")
        self.assertEqual([todo["revision"] for todo in self.redis.todos()], [4, 2, 5])
        self.assertEqual(page.new_errors(), [])

    def test_status(self):
        page = self.page
        page.add("one")
        for status in ("inProgress", "complete", "todo"):
            page.part("one", "status").click()
            until(f"it is {status}", lambda: self.stored("one").get("status") == status)
            self.assertEqual(page.statuses(), [status])
        held = ActionChains(page.driver).key_down(Keys.SHIFT).click(page.part("one", "status")).key_up(Keys.SHIFT)
        held.perform()
        until("it is not done", lambda: self.stored("one")["status"] == "incomplete")
        page.part("one", "grip").click()
        page.find(".menu [data-status=complete]").click()
        until("the menu sets it", lambda: self.stored("one")["status"] == "complete")
        page.wait("the count follows", lambda: page.find("#count").text == "1 of 1 done")
        # Faster than answers come: each builds on the one before.
        for _ in range(7):
            page.part("one", "status").click()
        until("the last click counts", lambda: self.stored("one")["status"] == "todo" and page.statuses() == ["todo"])
        self.assertEqual(page.new_errors(), [])

    def test_reorder_by_drag(self):
        page = self.page
        for name in "abc":
            page.add(name)
        self.assertSaved(page, ["a", "b", "c"], self.today)
        page.drag(page.part("c", "grip"), page.row("a"))
        self.assertSaved(page, ["c", "a", "b"], self.today)
        page.drag(page.part("c", "words"), page.row("b"), lower_half=True)
        self.assertSaved(page, ["a", "b", "c"], self.today)
        # No menu and no editor opened by the click that ended a drag.
        self.assertEqual(page.all("dialog, .editor"), [])

        # Positions without a number between them: the day is numbered anew.
        for todo in self.redis.todos():
            self.redis.update(todo, position=7)
        # What was made in one second is then in the order of its ids.
        first, second, third = self.redis.contents(self.today)
        self.assertSaved(page, [first, second, third], self.today)
        page.drag(page.part(third, "grip"), page.row(second))
        self.assertSaved(page, [first, third, second], self.today)
        self.assertEqual(page.new_errors(), [])

    def test_move_to_another_day(self):
        page, today = self.page, self.today
        day, next_day = page.day(-1 if today[8:] > "15" else 1), page.day(1)
        page.add("moves")
        page.add("stays")
        self.assertSaved(page, ["moves", "stays"], today)
        page.drag(page.part("moves", "grip"), page.find(f"[data-day='{day}']"))
        self.assertSaved(page, ["stays"], today)
        until("it is on that day", lambda: self.redis.contents(day) == ["moves"])
        page.wait("the month shows it there", lambda: page.cell_lines(day) == ["moves"])
        page.toast("“moves” moved to").find_element("css selector", ".act").click()
        self.assertSaved(page, ["moves", "stays"], today)

        page.part("moves", "grip").click()
        page.run("arguments[0].value = arguments[1]", page.find(".menu input"), next_day)
        page.find(".menu .go").click()
        until("it is on the next day", lambda: self.redis.contents(next_day) == ["moves"])
        page.find(f"[data-day='{next_day}']").click()
        self.assertSaved(page, ["moves"], next_day)
        self.assertEqual(page.find("#day-eyebrow").text, "tomorrow")
        page.find("#to-today").click()
        page.wait("today again", lambda: page.contents() == ["stays"])
        self.assertEqual(page.new_errors(), [])

    def test_delete_and_undo(self):
        page = self.page
        for name in "abc":
            page.add(name)
        self.assertSaved(page, ["a", "b", "c"], self.today)
        before = self.stored("b")
        page.part("b", "grip").click()
        page.find(".menu .danger").click()
        self.assertSaved(page, ["a", "c"], self.today)
        page.toast("“b” deleted").find_element("css selector", ".act").click()
        self.assertSaved(page, ["a", "b", "c"], self.today)
        after = self.stored("b")
        for name in ("id", "date", "content", "detail", "status", "position"):
            self.assertEqual(after[name], before[name])
        self.assertEqual(page.new_errors(), [])


if __name__ == "__main__":
    main()
