"""All of it without a mouse."""
from selenium.webdriver.common.keys import Keys

from world import Scenario, main, until


class Keyboard(Scenario):
    def tab_to(self, page, selector):
        """Presses Tab until something is reached, as somebody without a mouse does."""
        for _ in range(60):
            if page.run("return document.activeElement.matches(arguments[0])", selector):
                return
            page.press(Keys.TAB)
        self.fail(f"Tab never reaches {selector}")

    def test_a_whole_day(self):
        page = self.board()
        page.wait("the door has the focus", lambda: page.focused().get_attribute("id") == "user")
        page.press("alice", Keys.TAB, "correct horse", Keys.ENTER)
        page.live()
        today = page.today()
        self.tab_to(page, "#new")
        page.press("one", Keys.ENTER, "two", Keys.ENTER, "three", Keys.ENTER)
        self.assertSaved(page, ["one", "two", "three"], today)

        # Back over the row's grip to its words.
        page.press(Keys.TAB, holding=Keys.SHIFT)
        page.press(Keys.TAB, holding=Keys.SHIFT)
        self.assertEqual(page.focused().get_attribute("class"), "words")
        page.press(Keys.ARROW_UP, Keys.ARROW_UP, Keys.ARROW_UP)
        page.press(Keys.F2)
        page.press(" edited", Keys.ENTER)
        self.assertSaved(page, ["one edited", "two", "three"], today)
        self.assertEqual(page.focused().get_attribute("class"), "words")

        page.press(Keys.ARROW_DOWN, holding=Keys.ALT)
        self.assertSaved(page, ["two", "one edited", "three"], today)
        page.press(Keys.ARROW_UP, holding=Keys.ALT)
        self.assertSaved(page, ["one edited", "two", "three"], today)
        self.assertEqual(page.focused(), page.part("one edited", "words"), "the focus goes along")

        page.press(" ")
        until("Space: in progress", lambda: self.redis.todos(today)[0]["status"] == "inProgress")
        page.press("x")
        until("X: not done", lambda: self.redis.todos(today)[0]["status"] == "incomplete")

        page.press(Keys.ARROW_RIGHT, holding=Keys.ALT)
        self.assertSaved(page, ["two", "three"], today)
        until("it is on the next day", lambda: self.redis.contents(page.day(1)) == ["one edited"])
        self.assertEqual(page.focused(), page.part("two", "words"), "the focus is on the row that came up")

        page.press(Keys.DELETE)
        self.assertSaved(page, ["three"], today)
        page.press("z", holding=Keys.CONTROL)
        self.assertSaved(page, ["two", "three"], today)
        self.assertEqual(page.focused(), page.part("three", "words"), "the focus stays")

        page.press("m")
        page.wait("the menu is open", lambda: page.find("dialog.menu").is_displayed())
        page.press(Keys.ESCAPE)
        page.wait("the menu is gone", lambda: not page.all("dialog"))
        self.assertIn("grip", page.focused().get_attribute("class"))
        self.assertEqual(page.new_errors(), [])

    def test_the_calendar_is_a_grid(self):
        page = self.signed_in()
        today = page.today()
        self.tab_to(page, ".cell")

        def at():
            return page.focused().get_attribute("data-day")

        self.assertEqual(at(), today)
        self.assertEqual(len(page.all(".cell")), 42)
        self.assertEqual(len(page.all(".cell[tabindex='0']")), 1)
        page.press(Keys.ARROW_RIGHT)
        self.assertEqual(at(), page.run(DAY_OFF, today, 1))
        page.press(Keys.ARROW_DOWN)
        self.assertEqual(at(), page.run(DAY_OFF, today, 8))
        page.press(Keys.ARROW_UP, Keys.ARROW_LEFT)
        self.assertEqual(at(), today)
        page.press(Keys.HOME)
        self.assertEqual(page.run("return new Date(arguments[0]).getUTCDay()", at()), 1, "the week begins on Monday")
        page.press(Keys.END)
        self.assertEqual(page.run("return new Date(arguments[0]).getUTCDay()", at()), 0)
        month = at()[:7]
        page.press(Keys.PAGE_DOWN)
        self.assertNotEqual(at()[:7], month)
        page.press(Keys.PAGE_UP)
        self.assertEqual(at()[:7], month)
        page.press(Keys.ENTER)
        page.wait("Enter shows that day", lambda: page.find("[aria-selected=true]").get_attribute("data-day") == at())
        self.tab_to(page, "#to-today")
        page.press(Keys.ENTER)
        page.wait("today again", lambda: page.find("[aria-selected=true]").get_attribute("data-day") == today)
        self.assertEqual(page.new_errors(), [])


DAY_OFF = """
const day = new Date(`${arguments[0]}T00:00:00Z`);
day.setUTCDate(day.getUTCDate() + arguments[1]);
return day.toISOString().slice(0, 10);
"""

if __name__ == "__main__":
    main()
