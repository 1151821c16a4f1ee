"""A day's work by mouse; what Redis holds is looked at after each step."""
import datetime

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from board import FRAMES
from waiting import expect
from world import Scenario, everywhere, main


def has_begun_in_the_east(day):
    """Whether it is this day where the sun rises first; where not, it is the day before where it sets last."""
    return (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=14)).date().isoformat() == day


TITLE_IN_SIGHT = "const { top, bottom } = document.getElementById('day-title').getBoundingClientRect(); return top >= 0 && bottom <= innerHeight;"


class DailyWork(Scenario):
    def setUp(self):
        super().setUp()
        self.page = self.signed_in()
        self.today = self.page.today()

    def stored(self, content):
        return next((todo for todo in self.redis.todos() if todo["content"] == content), {})

    def expect_stored(self, content, **fields):
        def look():
            todo = self.stored(content)
            return {name: todo.get(name) for name in fields}

        expect(fields, look, f"{content!r} in Redis")

    @everywhere
    def test_add_and_edit(self):
        page = self.page
        page.add("  buy milk ")
        # Two at once may come in either order.
        self.assertSaved(page, ["buy milk"], self.today)
        page.add("우유 사기")
        self.assertSaved(page, ["buy milk", "우유 사기"], self.today)
        page.add("third")
        self.assertSaved(page, ["buy milk", "우유 사기", "third"], self.today)
        page.add("   ")

        page.part("buy milk", "words").double_click()
        page.retype(page.find(".edit-content"), "buy oat milk", Keys.ENTER)
        self.assertSaved(page, ["buy oat milk", "우유 사기", "third"], self.today)

        page.part("third", "words").double_click()
        page.find(".edit-content").type(" never", Keys.ESCAPE)
        page.part("third", "words").takes_focus()

        # Where a button that is clicked takes no focus, what it stands in does, and nothing is saved before Cancel.
        page.part("third", "words").double_click()
        page.find(".edit-content").type(" never")
        self.assertTrue(page.run("const editor = document.querySelector('.editor'); editor.focus(); return document.activeElement === editor"))
        page.find(".cancel").click()
        page.part("third", "words").takes_focus()

        page.part("third", "words").double_click()
        page.find(".edit-detail").click()
        page.find(".edit-detail").type("first line", Keys.ENTER, "second line")
        page.find("#day-title").click()
        self.expect_stored("third", detail="first line\nsecond line")
        expect("first line\nsecond line", lambda: page.part("third", "detail").run("return found.textContent"), "the note")
        # Nothing else was ever written.
        self.assertSaved(page, ["buy oat milk", "우유 사기", "third"], self.today)
        self.assertEqual([todo["revision"] for todo in self.redis.todos()], [4, 2, 5])
        self.assertEqual(page.new_errors(), [])

    @everywhere
    def test_status(self):
        page = self.page
        page.add("one")
        for status in ("complete", "todo"):
            page.part("one", "status").click()
            self.expect_stored("one", status=status)
            expect([status], page.statuses, "the status on the page")
        for status in ("inProgress", "todo"):
            page.part("one", "status").do(
                lambda button: ActionChains(page.driver).click_and_hold(button).pause(0.7).release().perform()
            )
            self.expect_stored("one", status=status)
            expect([status], page.statuses, "the status on the page")
        page.part("one", "status").do(
            lambda status: ActionChains(page.driver).key_down(Keys.SHIFT).click(status).key_up(Keys.SHIFT).perform()
        )
        self.expect_stored("one", status="incomplete")
        page.part("one", "grip").click()
        page.find(".menu [data-status=complete]").click()
        self.expect_stored("one", status="complete")
        page.find("#count").reads("1 of 1 done")
        # Faster than answers come: each builds on the one before.
        revision = self.stored("one")["revision"]
        for _ in range(7):
            page.part("one", "status").click()
        expect(["todo"], page.statuses, "the status on the page")
        self.expect_stored("one", status="todo", revision=revision + 7)
        self.assertEqual(page.new_errors(), [])

    def test_what_a_click_is_about_is_painted_first(self):
        page = self.page
        page.add("one")
        self.assertSaved(page, ["one"], self.today)
        page.find("#pill").reads("Live")
        page.run(FRAMES)
        cell = f".cell[data-day='{self.today}'] .lines span"
        page.find(cell).says("data-status", "todo")
        looks = f"""
        const looks = () => [document.querySelector('.row').dataset.status, document.querySelector("{cell}").dataset.status,
          document.querySelectorAll('.toast').length];
        document.querySelector('.row .status').click();
        """
        # What the page does with its frame comes before this.
        seen = page.run(f"{looks} return new Promise((resume) => requestAnimationFrame(() => resume(looks())))")
        self.assertEqual(seen, ["complete", "todo", 0])
        page.find(cell).says("data-status", "complete")
        page.toast("“one” done.").find(".shut").click()
        # Who turns to another day, of the same month, sees all that is there.
        other = page.day(-1 if page.day(1).endswith("-01") else 1)
        seen = page.run(f"{looks} document.querySelector(\".cell[data-day='{other}']\").click(); "
                        f"return document.querySelector(\"{cell}\").dataset.status")
        self.assertEqual(seen, "todo")
        page.run("document.getElementById('to-today').click()")
        # What is taken back before it shows is not told as done.
        page.run(f"{looks} document.body.dispatchEvent(new KeyboardEvent('keydown', {{ key: 'z', ctrlKey: true, bubbles: true }}))")
        page.toast("Undone: “one” done.")
        self.assertEqual(page.run("return [...document.querySelectorAll('.toast p')].filter((e) => e.textContent === '“one” done.').length"), 0)
        self.assertEqual(page.new_errors(), [])

    def test_so_is_a_click_while_what_follows_from_another_is_still_to_come(self):
        page = self.page
        for name in ("one", "two"):
            page.add(name)
        self.assertSaved(page, ["one", "two"], self.today)
        lines = f".cell[data-day='{self.today}'] .lines span"
        expect(2, lambda: page.count(lines), "the todos in the month")
        seen = page.run(f"""
        const rows = () => [...document.querySelectorAll('.row')];
        const states = (elements) => elements.map((e) => e.dataset.status);
        rows()[0].querySelector('.status').click();
        // The page's own frame comes before this: the month waits for it to be painted.
        return new Promise((resume) => requestAnimationFrame(() => {{
          rows()[1].querySelector('.status').click();
          requestAnimationFrame(() => resume([states(rows()), states([...document.querySelectorAll("{lines}")])]));
        }}));
        """)
        self.assertEqual(seen, [["complete"] * 2, ["todo"] * 2])
        expect(["complete"] * 2, lambda: page.run(f"return [...document.querySelectorAll(\"{lines}\")].map((e) => e.dataset.status)"),
               "the month")

    def test_the_month_is_drawn_though_something_new_comes_with_each_frame(self):
        page = self.page
        page.add("one")
        page.add("two")
        expect(["one", "two"], lambda: page.cell_lines(self.today), "the month")
        page.find("#pill").reads("Live")
        # What comes with the first click, such as the words for it, draws everything.
        for status in "complete", "todo":
            page.part("two", "status").click()
            self.expect_stored("two", status=status)
        seen = page.run("""
        const line = () => document.querySelector(arguments[0]).dataset.status;
        let [left, isDrawn] = [300, false];
        const [one, two] = document.querySelectorAll('.row .status');
        one.click();
        new MutationObserver(() => { isDrawn ||= line() !== 'todo'; }).observe(document.getElementById('grid'), { attributes: true, childList: true, subtree: true });
        return new Promise((resume) => {
          const step = () => {
            if (isDrawn || !left) return resume(isDrawn);
            left -= 1;
            two.click();
            requestAnimationFrame(step);
          };
          step();
        });
        """, f".cell[data-day='{self.today}'] .lines span")
        self.assertTrue(seen)

    def test_a_double_click_on_the_status_is_two_steps(self):
        page = self.page
        page.add("one")
        page.part("one", "status").double_click()
        self.expect_stored("one", status="todo", revision=3)
        expect(["todo"], page.statuses, "the status on the page")
        self.assertEqual(page.count(".editor"), 0)

    def test_reorder_by_drag(self):
        page = self.page
        for name in "abc":
            page.add(name)
        self.assertSaved(page, ["a", "b", "c"], self.today)
        page.drag(page.part("c", "grip"), page.row("a"))
        self.assertSaved(page, ["c", "a", "b"], self.today)
        page.drag(page.part("c", "words"), page.row("b"), part=(0, 1 / 3))
        self.assertSaved(page, ["a", "b", "c"], self.today)
        # No menu and no editor opened by the click that ended a drag.
        self.assertEqual(page.count("dialog, .editor"), 0)

        # Positions without a number between them: the day is numbered anew.
        for todo in self.redis.todos():
            self.redis.update(todo, position=7)
        # What was made in one second is then in the order of its ids.
        first, second, third = self.redis.contents(self.today)
        self.assertSaved(page, [first, second, third], self.today)
        page.drag(page.part(third, "grip"), page.row(second))
        self.assertSaved(page, [first, third, second], self.today)
        self.assertEqual(page.new_errors(), [])

    @everywhere
    def test_move_to_another_day(self):
        page, today = self.page, self.today
        day, next_day = page.day(-1 if today[8:] > "15" else 1), page.day(1)
        page.add("moves")
        page.add("stays")
        self.assertSaved(page, ["moves", "stays"], today)
        page.drag(page.part("moves", "grip"), page.find(f"[data-day='{day}']"))
        self.assertSaved(page, ["stays"], today)
        expect(["moves"], lambda: self.redis.contents(day), "that day")
        expect(["moves"], lambda: page.cell_lines(day), "that day in the month")
        page.toast("“moves” moved to").find(".act").click()
        self.assertSaved(page, ["moves", "stays"], today)

        page.part("moves", "grip").click()
        page.find(".menu input").fill(next_day)
        page.find(".menu .go").click()
        expect(["moves"], lambda: self.redis.contents(next_day), "the next day")
        page.find(f"[data-day='{next_day}']").click()
        self.assertSaved(page, ["moves"], next_day)
        page.find("#day-eyebrow").reads("tomorrow")
        page.find("#to-today").click()
        expect(["stays"], page.contents, "today")
        self.assertEqual(page.new_errors(), [])

    def test_the_next_day_and_the_one_before_on_a_phone(self):
        page = self.page
        for days in (-1, 0, 1):
            self.redis.add(f"of {days}", page.day(days))
        expect(["of 0"], page.contents, "today")
        # Where the month stands beside the list, it leads to the days.
        page.find("#day-after").is_gone()
        page.emulate_size(390, 844)
        for step, eyebrow, content in (
            ("after", "tomorrow", "of 1"), ("before", "Today", "of 0"), ("before", "yesterday", "of -1"), ("after", "Today", "of 0"),
        ):
            page.find(f"#day-{step}").click()
            page.find("#day-eyebrow").reads(eyebrow)
            expect([content], page.contents, "the list")
            # In one line, whichever day it is.
            self.assertLess(page.run("return document.querySelector('#day-title').getBoundingClientRect().height"), 40)
        # A day of the month shows its list, which stands above that.
        page.emulate_size(390, 420)
        page.run("document.querySelector('.week:last-child').scrollIntoView({ block: 'end' })")
        self.assertFalse(page.run(TITLE_IN_SIGHT))
        page.find(f".cell[data-day='{page.day(1)}']").click()
        expect(True, lambda: page.run(TITLE_IN_SIGHT), "whether the day is in sight")
        expect(["of 1"], page.contents, "the list")
        page.emulate_size(1280, 800)

    def test_another_day_by_travelling(self):
        page, today = self.page, self.today
        is_east = has_begun_in_the_east(page.day(1))
        there = page.day(1 if is_east else -1)
        self.redis.add("here", today)
        for name in ("there", "there too"):
            self.redis.add(name, there)
        expect(["here"], page.contents, "the day at home")
        # What is left from the day before counts as well.
        page.expect_title(f"({1 if is_east else 3}) alice · TodoMate")
        page.travel("Pacific/Kiritimati" if is_east else "Etc/GMT+12")
        expect(["there", "there too"], page.contents, "the day there")
        self.assertEqual(page.today(), there)
        # The server counts by the same day.
        page.expect_title(f"({3 if is_east else 2}) alice · TodoMate")
        page.live()
        self.assertEqual(page.new_errors(), [])

    def test_another_day_waits_for_what_is_being_typed(self):
        page, today = self.page, self.today
        east = has_begun_in_the_east(page.day(1))
        there, note = page.day(1 if east else -1), page.find("#day-note-text")
        self.redis.add("here", today)
        page.row("here").shows()
        note.type("late ")
        page.travel("Pacific/Kiritimati" if east else "Etc/GMT+12")
        expect(there, page.today, "the day there")
        note.type("thoughts")
        note.holds("late thoughts")
        self.assertEqual(page.contents(), ["here"])
        page.find("#new").click()
        note.holds("")
        expect([], page.contents, "the day there")
        notes = lambda: [todo["detail"] for todo in self.redis.todos(today) if todo["id"] == f"note-of-{today}"]
        expect(["late thoughts"], notes, "the note")
        # Likewise with an edit.
        self.redis.add("there", there)
        page.part("there", "words").double_click()
        page.find(".edit-content").type(", and ")
        page.travel("UTC")
        expect(today, page.today, "the day at home")
        page.find(".edit-content").type("back", Keys.ENTER)
        expect(["here"], page.contents, "the day at home")
        expect(["there, and back"], lambda: self.redis.contents(there), "what Redis holds")
        self.assertEqual(page.new_errors(), [])

    @everywhere
    def test_what_is_left_from_earlier(self):
        page, today = self.page, self.today
        for name, offset, status in (
            ("oldest", -9, "todo"), ("begun", -1, "inProgress"), ("yesterday's", -1, "todo"),
            ("done", -1, "complete"), ("given up", -2, "incomplete"), ("tomorrow's", 1, "todo"),
        ):
            self.redis.add(name, page.day(offset), status=status)
        page.add("today's")

        def earlier():
            return page.run("return [...document.querySelectorAll('#earlier .content')].map((e) => e.textContent)")

        expect(["begun", "yesterday's", "oldest"], earlier, "what is left from earlier")
        page.find("#earlier-title").reads("From earlier · 3")
        # The tab's number has what waits behind it.
        page.expect_title("(4) alice · TodoMate")
        page.find("#earlier li").find(".status").click()
        expect("complete", lambda: self.stored("begun")["status"], "what was begun")
        # The second click of two, which the next one is not meant by.
        expect(["yesterday's", "oldest"], earlier, "what is left from earlier")
        page.run("document.querySelector('#earlier li .status').dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 2 }))")
        self.assertEqual(["yesterday's", "oldest"], earlier())
        page.find("#earlier li").find(".move").click()
        self.assertSaved(page, ["today's", "yesterday's"], today)
        page.toast("“yesterday's” moved to").find(".act").click()
        expect(["yesterday's", "oldest"], earlier, "what is left from earlier")
        self.assertSaved(page, ["today's"], today)
        # Those of a day stay in their order.
        self.redis.add("too", page.day(-1))
        expect(["yesterday's", "too", "oldest"], earlier, "what is left from earlier")
        page.find("#earlier-all").click()
        self.assertSaved(page, ["today's", "oldest", "yesterday's", "too"], today)
        page.find("#earlier").is_gone()
        page.toast("3 todos moved to today.").find(".act").click()
        expect(["yesterday's", "too", "oldest"], earlier, "what is left from earlier")
        self.assertSaved(page, ["today's"], today)
        # Another day has no such list.
        page.find(f"[data-day='{page.day(1)}']").click()
        page.find("#earlier").is_gone()
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
        page.toast("“b” deleted").find(".act").click()
        self.assertSaved(page, ["a", "b", "c"], self.today)
        after = self.stored("b")
        for name in ("id", "date", "content", "detail", "status", "position"):
            self.assertEqual(after[name], before[name])
        self.assertEqual(page.new_errors(), [])


if __name__ == "__main__":
    main()
