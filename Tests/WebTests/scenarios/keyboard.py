"""All of it without a mouse."""
from selenium.webdriver.common.keys import Keys

from board import FRAMES
from browser import Browser
from chromium import Chromium
from waiting import expect, until
from world import Scenario, everywhere, main


class Keyboard(Scenario):
    def tab_to(self, page, selector):
        """Presses Tab until something is reached, as somebody without a mouse does."""
        for _ in range(60):
            if page.run("return document.activeElement.matches(arguments[0])", selector):
                return
            page.press(Keys.TAB)
        self.fail(f"Tab never reaches {selector}")

    def key(self, page, key, **about):
        """As the system sends it where it is held, if it `repeat`s."""
        about = {"key": key, "code": key, "bubbles": True, "cancelable": True, **about}
        page.run("document.activeElement.dispatchEvent(new KeyboardEvent('keydown', arguments[0]))", about)
        page.run(FRAMES)

    def test_a_key_that_is_held_acts_on_one_todo(self):
        page = self.signed_in()
        for content in ("one", "two", "three"):
            page.add(content)
        self.assertSaved(page, ["one", "two", "three"], page.today())
        page.run("document.querySelector('#list .words').focus()")
        self.key(page, "Delete")
        expect(["two", "three"], page.contents, "the list")
        page.part("two", "words").takes_focus()
        for key in ({"key": "Delete"}, {"key": "ArrowRight", "altKey": True}, {"key": "x"}, {"key": " "}):
            self.key(page, **key, repeat=True)
        self.assertEqual((page.contents(), page.statuses()), (["two", "three"], ["todo", "todo"]))
        self.key(page, "ArrowDown", altKey=True, repeat=True)
        self.assertSaved(page, ["three", "two"], page.today())

    @everywhere
    def test_a_whole_day(self):
        page = self.board()
        page.find("#user").takes_focus()
        page.press("alice", Keys.TAB, "correct horse", Keys.ENTER)
        page.live()
        today = page.today()
        self.tab_to(page, "#new")
        page.press("one", Keys.ENTER, "two", Keys.ENTER, "three", Keys.ENTER)
        self.assertSaved(page, ["one", "two", "three"], today)
        # Out of the field, where letters are keys; what was typed there stays. All keys are there at once.
        page.press("four", Keys.ESCAPE, "?")
        page.find("dialog.keys").shows()
        self.assertTrue(page.run("const { scrollHeight, clientHeight } = document.querySelector('dialog.keys'); return scrollHeight <= clientHeight"))
        page.escape()
        page.press("n")
        page.find("#new").takes_focus()
        page.find("#new").holds("four")
        page.retype(page.find("#new"))

        # Back over the note of the day and the row's grip to its words.
        page.press(Keys.TAB, holding=Keys.SHIFT)
        page.find("#day-note-text").takes_focus()
        page.press(Keys.TAB, holding=Keys.SHIFT)
        page.press(Keys.TAB, holding=Keys.SHIFT)
        page.find("#list .words:focus").shows()
        page.press(Keys.ARROW_UP, Keys.ARROW_UP, Keys.ARROW_UP)
        page.part("one", "words").takes_focus()
        page.press(Keys.F2)
        page.find(".edit-content").takes_focus()
        page.press(" edited", Keys.ENTER)
        self.assertSaved(page, ["one edited", "two", "three"], today)
        page.part("one edited", "words").takes_focus()

        page.press(Keys.ARROW_DOWN, holding=Keys.ALT)
        self.assertSaved(page, ["two", "one edited", "three"], today)
        page.press(Keys.ARROW_UP, holding=Keys.ALT)
        self.assertSaved(page, ["one edited", "two", "three"], today)
        # The focus goes along.
        page.part("one edited", "words").takes_focus()

        page.press(" ")
        until("Space: done", lambda: self.redis.todos(today)[0]["status"] == "complete")
        page.press(" ")
        until("Space: to do again", lambda: self.redis.todos(today)[0]["status"] == "todo")
        page.press("i")
        until("I: in progress", lambda: self.redis.todos(today)[0]["status"] == "inProgress")
        page.press("x")
        until("X: not done", lambda: self.redis.todos(today)[0]["status"] == "incomplete")

        page.press(Keys.ARROW_RIGHT, holding=Keys.ALT)
        self.assertSaved(page, ["two", "three"], today)
        expect(["one edited"], lambda: self.redis.contents(page.day(1)), "the next day")
        # The focus is on the row that came up.
        page.part("two", "words").takes_focus()

        page.press(Keys.DELETE)
        self.assertSaved(page, ["three"], today)
        page.part("three", "words").takes_focus()
        page.press("z", holding=Keys.CONTROL)
        self.assertSaved(page, ["two", "three"], today)
        # The focus stays.
        page.part("three", "words").takes_focus()
        page.press(Keys.ARROW_UP)
        page.part("two", "words").takes_focus()
        page.press(Keys.DELETE)
        self.assertSaved(page, ["three"], today)
        # By a Korean layout, where the same key types ㅋ.
        if Browser is Chromium:
            for kind in ("rawKeyDown", "keyUp"):
                page.command("Input.dispatchKeyEvent", type=kind, modifiers=2, key="ㅋ", code="KeyZ", windowsVirtualKeyCode=90)
        else:
            page.press("z", holding=Keys.CONTROL)
        self.assertSaved(page, ["two", "three"], today)
        page.part("three", "words").takes_focus()

        page.press("m")
        page.find("dialog.menu").shows()
        page.escape()
        page.part("three", "grip").takes_focus()
        self.assertEqual(page.new_errors(), [])

    def test_a_panel_that_closes_takes_no_focus_from_where_it_went(self):
        page = self.signed_in()
        page.add("one")
        page.part("one", "grip").click()
        page.find("dialog").shows()
        page.run("document.querySelector('dialog').close(); document.querySelector('#new').focus()")
        expect(0, lambda: page.count("dialog"), "the number of open panels")
        page.find("#new").takes_focus()

    def test_the_calendar_is_a_grid(self):
        page = self.signed_in()
        today = page.today()
        self.tab_to(page, ".cell")

        def at(day):
            expect(day, lambda: page.find(":focus").attribute("data-day"), "the day that has the focus")
            return day

        def leads_to(day, *keys):
            page.press(*keys)
            return at(day)

        at(today)
        self.assertEqual(page.count(".cell"), 42)
        self.assertEqual(page.count(".cell[tabindex='0']"), 1)
        leads_to(page.run(DAY_OFF, today, 1), Keys.ARROW_RIGHT)
        leads_to(page.run(DAY_OFF, today, 8), Keys.ARROW_DOWN)
        leads_to(today, Keys.ARROW_UP, Keys.ARROW_LEFT)
        # The week begins on Monday.
        since_monday = page.run("return (new Date(arguments[0]).getUTCDay() + 6) % 7", today)
        leads_to(page.run(DAY_OFF, today, -since_monday), Keys.HOME)
        last = leads_to(page.run(DAY_OFF, today, 6 - since_monday), Keys.END)
        back = leads_to(page.run(MONTHS_OFF, last, -1), Keys.PAGE_UP)
        again = leads_to(page.run(MONTHS_OFF, back, 1), Keys.PAGE_DOWN)
        # On no day of the week is that today, which would need no way back.
        chosen = leads_to(page.run(MONTHS_OFF, again, 1), Keys.PAGE_DOWN)
        page.press(Keys.ENTER)
        page.find("[aria-selected=true]").says("data-day", chosen)
        self.tab_to(page, "#to-today")
        page.press(Keys.ENTER)
        page.find("[aria-selected=true]").says("data-day", today)
        self.assertEqual(page.new_errors(), [])


DAY_OFF = """
const day = new Date(`${arguments[0]}T00:00:00Z`);
day.setUTCDate(day.getUTCDate() + arguments[1]);
return day.toISOString().slice(0, 10);
"""
# The same day of another month, or that month's last one.
MONTHS_OFF = """
const [year, month, day] = arguments[0].split('-').map(Number);
const last = new Date(Date.UTC(year, month + arguments[1], 0));
return new Date(Math.min(last, Date.UTC(year, month - 1 + arguments[1], day))).toISOString().slice(0, 10);
"""

if __name__ == "__main__":
    main()
