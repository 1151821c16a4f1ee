"""What covers nothing, and what stays in sight: short messages, the composer on a phone that lies on its side, what is dragged."""
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from appearance import CONTRAST, DUPLICATE_IDS, SMALL_TARGETS, WIDER_THAN_WINDOW
from waiting import expect, until
from world import Scenario, main

PORTRAIT, LANDSCAPE, TYPING, DESKTOP = (390, 844), (844, 390), (844, 200), (1280, 800)

# What a message lies on: of these, what is in sight, as far as what scrolls it does not cut it off.
COVERED = """
const shown = (element) => {
  let { left, top, right, bottom } = element.getBoundingClientRect();
  for (let around = element.parentElement; around; around = around.parentElement) {
    if (getComputedStyle(around).overflowY === 'visible') continue;
    const edge = around.getBoundingClientRect();
    [left, top, right, bottom] = [Math.max(left, edge.left), Math.max(top, edge.top), Math.min(right, edge.right), Math.min(bottom, edge.bottom)];
  }
  return { left, top, right, bottom };
};
const toasts = [...document.querySelectorAll('.toast')].map((toast) => toast.getBoundingClientRect()).filter(({ height }) => height);
const isInWindow = ({ left, top, right, bottom }) => left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
return {
  toasts: toasts.length,
  inWindow: toasts.every(isInWindow),
  covered: [...document.querySelectorAll(arguments[0])].filter((element) => {
    if (!element.checkVisibility()) return false;
    const at = shown(element);
    return toasts.some((toast) => Math.min(at.right, toast.right) - Math.max(at.left, toast.left) > 1
      && Math.min(at.bottom, toast.bottom) - Math.max(at.top, toast.top) > 1);
  }).map((element) => element.id || element.className || element.textContent),
};
"""
# Whether something is whole in the window, and nothing lies over it.
IN_SIGHT = """
return arguments[0].every((selector) => {
  const element = document.querySelector(selector);
  const { left, top, right, bottom } = element.getBoundingClientRect();
  const middle = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return left >= 0 && top >= 0 && right <= innerWidth + 1 && bottom <= innerHeight + 1 && (middle === element || element.contains(middle));
});
"""
# Whether the row of a todo can be read from its upper to its lower edge.
READABLE = """
const row = [...document.querySelectorAll('#list .row')].find((row) => row.querySelector('.content')?.textContent === arguments[0]);
if (!row) return false;
const { left, right, top, bottom } = row.getBoundingClientRect();
return [top + 2, bottom - 2].every((height) => row.contains(document.elementFromPoint((left + right) / 2, height)));
"""
# How far the page and my list are scrolled.
STAND = "return [scrollY, document.querySelector('.today .list-area').scrollTop];"
FIRST_ROW = "document.querySelector('#list .row').scrollIntoView(); scrollTo(0, 0);"
# Scrolls until the row of a todo has just left at the upper end.
PAST = """
const row = [...document.querySelectorAll('#list .row')].find((row) => row.querySelector('.content').textContent === arguments[0]);
const area = row.closest('.list-area');
const isPage = getComputedStyle(area).overflowY === 'visible';
const by = row.getBoundingClientRect().bottom - (isPage ? 0 : area.getBoundingClientRect().top) + 4;
(isPage ? window : area).scrollBy(0, by);
"""
ALL = "main button, main input, main .row, .tabs button, .top button, #new, .cell, .item"
LAST = "#new, .add, .tabs button, #list .row:last-child, #list .row:last-child button"


class Room(Scenario):
    def setUp(self):
        super().setUp()
        self.page = self.signed_in()
        self.today = self.page.today()

    def befriend(self):
        self.add_user("bob", "correct horse")
        self.todomate("profile", "bob", "--audience", "public")
        self.todomate("follow", "alice", "bob")
        for number in range(12):
            self.redis.add(f"of bob {number}", self.today, uid="bob", visibility="public")
        self.page.wait("bob's list", lambda: self.page.count(".person .row") == 12)

    def fill(self, count):
        for number in range(count):
            self.redis.add(f"todo {number}", self.today)
        expect(count, lambda: len(self.page.contents()), "the number of todos")

    def to_the_end(self):
        self.page.run("for (const area of document.querySelectorAll('.list-area')) area.scrollTop = area.scrollHeight; scrollTo(0, 0)")

    def finish(self, content):
        self.page.part(content, "status").run("found.click()")
        self.page.toast(f"“{content}”")

    def expect_nothing_covered(self, selector, look):
        def found():
            self.page.run("return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
            return self.page.run(COVERED, selector)

        expect([], lambda: found()["covered"], f"what is covered, {look}")
        state = found()
        self.assertGreater(state["toasts"], 0, look)
        self.assertTrue(state["inWindow"], look)

    def test_messages_cover_nothing(self):
        page = self.page
        self.fill(24)
        number = 0
        for friends in (False, True):
            if friends:
                self.befriend()
            for size in (PORTRAIT, LANDSCAPE, DESKTOP):
                page.emulate_size(*size)
                look = f"{size} {'with' if friends else 'without'} friends"
                # Alone on a phone the page itself scrolls: what lies below is still to come. What is at its end is to be seen whole.
                selector = LAST if size == PORTRAIT and not friends else ALL
                for messages in (1, 3):
                    for _ in range(messages):
                        self.finish(f"todo {number}")
                        number += 1
                    self.to_the_end()
                    self.expect_nothing_covered(selector, f"{look}, {messages} messages")
                    if size == PORTRAIT and not friends:
                        page.run("document.querySelector('#list .row:last-child').scrollIntoView({ block: 'end' }); scrollBy(0, 300)")
                        self.expect_nothing_covered(selector, f"{look}, {messages} messages, at the end")
                        page.run("scrollTo(0, document.body.scrollHeight)")
                        self.expect_nothing_covered(".cell:last-child, #new, .add", f"{look}, the month")
                        page.run("scrollTo(0, 0)")
                for view in ("feed", "people", "month", "today") if friends else ():
                    page.show(view)
                    self.expect_nothing_covered("main .row:last-child, main button.primary, .tabs button, #new, .add", f"{look}, {view}")
                while page.count(".toast"):
                    page.run("document.querySelector('.toast .shut').click()")
        # The room is the list's again.
        page.emulate_size(*DESKTOP)
        self.assertEqual(page.run("return getComputedStyle(document.querySelector('.today .list-area')).marginBottom"), "0px")
        self.assertEqual(page.new_errors(), [])

    def test_messages_go_along_where_a_list_grows(self):
        page = self.page
        page.emulate_size(*PORTRAIT)
        page.add("far tomorrow")
        page.toast("“far” added to")
        for content in ("one", "two", "three"):
            page.add(content)
        expect(["one", "two", "three"], page.contents, "today")
        expect([], lambda: page.run(COVERED, "#list .row, #new, .add")["covered"], "what is covered")
        self.assertEqual(page.new_errors(), [])

    def test_the_last_row_stays_in_sight_when_a_message_comes(self):
        page = self.page
        self.fill(20)
        for number, size in enumerate((LANDSCAPE, DESKTOP)):
            page.emulate_size(*size)
            self.to_the_end()
            self.finish(f"todo {number}")
            self.expect_nothing_covered(ALL, size)
            # The note of the day ends what the list stands in.
            self.assertTrue(page.run(IN_SIGHT, ["#day-note-text", "#new", ".add"]), size)
            page.find(".toast .shut").click()
            expect(0, lambda: page.count(".toast"), "the messages")

    def test_what_was_just_added_stays_in_sight_when_a_message_comes(self):
        page = self.page
        for number in range(40):
            self.redis.add(f"todo {number}", self.today, time="09:00" if number < 12 else "20:00")
        expect(40, lambda: len(page.contents()), "the number of todos")
        others = iter(range(40))
        for friends in (False, True):
            if friends:
                self.befriend()
            for size in (PORTRAIT, LANDSCAPE, DESKTOP):
                page.emulate_size(*size)
                for place, time, away in (("last", "", FIRST_ROW), ("between", " at 12:00", PAST)):
                    name = f"{place} {size} {'with' if friends else 'without'} friends"
                    page.run(FIRST_ROW)
                    page.add(name + time)
                    page.wait(f"{name} can be read", lambda: page.run(READABLE, name))
                    self.finish_and_draw(f"todo {next(others)}")
                    self.assertTrue(page.run(READABLE, name), name)
                    self.shut_messages()
                    # Nor does what is written next lie over it, where there is room for both.
                    page.find("#new").type("call Ann tomorrow at 9")
                    page.find(".read-chip").shows()
                    self.assertTrue(page.run(READABLE, name), name)
                    page.retype(page.find("#new"))
                    # Whoever has scrolled it away is left alone.
                    page.run(away, name)
                    stand = page.run(STAND)
                    self.finish_and_draw(f"todo {next(others)}")
                    self.assertEqual(page.run(STAND), stand, name)
                    self.shut_messages()
        self.assertEqual(page.new_errors(), [])

    def test_a_message_leaves_whoever_has_scrolled_alone(self):
        page = self.page
        self.fill(40)
        page.emulate_size(*PORTRAIT)
        # From what has the focus.
        page.part("todo 2", "status").click()
        page.toast("“todo 2”")
        page.run("scrollTo(0, 1200)")
        self.shut_messages()
        self.assertEqual(page.run(STAND), [1200, 0])
        # To the beginning of a note that is longer than the window.
        page.run("""
        const field = document.getElementById('day-note-text');
        field.value = 'a line of the note\\n'.repeat(200);
        field.dispatchEvent(new Event('input', { bubbles: true }));
        field.focus();
        field.setSelectionRange(0, 0);
        field.scrollIntoView({ block: 'start' });
        scrollBy(0, -100);
        """)
        stand = page.run(STAND)
        self.finish_and_draw("todo 3")
        self.assertEqual(page.run(STAND), stand)
        page.find("#day-note-text").takes_focus()
        self.shut_messages()
        self.assertEqual(page.run(STAND), stand)

    def test_a_todo_longer_than_the_window_is_shown_from_its_beginning(self):
        page = self.page
        self.fill(20)
        page.emulate_size(390, 420)
        long = " ".join(["word"] * 95)
        page.add(long)
        page.row(long).shows()
        top, bottom = page.run("const { top, bottom } = document.querySelector('#list .row:last-child').getBoundingClientRect(); return [top, bottom]")
        self.assertGreater(bottom - top, 360)
        self.assertTrue(0 <= top < 60, top)

    def finish_and_draw(self, content):
        self.finish(content)
        self.page.run("return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def shut_messages(self):
        self.page.run("for (const button of document.querySelectorAll('.toast .shut')) button.click()")
        expect(0, lambda: self.page.count(".toast"), "the messages")

    def test_the_composer_is_in_sight_on_a_phone_on_its_side(self):
        page = self.page
        for friends in (False, True):
            if friends:
                self.befriend()
            page.emulate_size(*LANDSCAPE)
            look = "with friends" if friends else "without"
            page.wait(f"all is in sight, {look}", lambda: page.run(IN_SIGHT, ["#new", ".add", "#day-title"]))
            self.assertFalse(page.run("return document.documentElement.scrollHeight > innerHeight"), look)
            self.assertFalse(page.run(WIDER_THAN_WINDOW), look)
            self.assertEqual(page.run(SMALL_TARGETS), [], look)
            # With the keyboard there is room for what is typed, and the list.
            page.find("#new").click()
            page.emulate_size(*TYPING)
            page.wait(f"the line is in sight, {look}", lambda: page.run(IN_SIGHT, ["#new", ".add"]))
            page.add(f"typed {look}")
            expect([f"typed {look}"], lambda: page.contents()[-1:], "the last todo")
            page.wait("it is in sight", lambda: page.run(IN_SIGHT, ["#list .row:last-child .content", "#new", ".add"]))
            page.emulate_size(*DESKTOP)
        self.assertEqual(page.new_errors(), [])

    def test_what_is_dragged_stays_under_the_pointer(self):
        page = self.page
        self.fill(3)
        grip = page.part("todo 0", "grip").element()
        inside = """
        const { x, y } = arguments[0];
        const { left, top, right, bottom } = document.querySelector('.ghost').getBoundingClientRect();
        const grip = document.querySelector('.ghost .grip').getBoundingClientRect();
        return [x > left && x < right && y > top && y < bottom,
          Math.hypot(x - (grip.left + grip.right) / 2, y - (grip.top + grip.bottom) / 2) < 12];
        """
        # Six weeks are shown, of which five days at least follow on any day of the month.
        days = [page.find(f"[data-day='{page.day(offset)}']") for offset in (1, 5)]
        for target in (page.row("todo 2").element(), *(day.element() for day in days)):
            actions = ActionChains(self.page.driver).move_to_element(grip).click_and_hold().move_by_offset(4, 4).move_by_offset(6, 6)
            actions.move_to_element(target).perform()
            rect = target.rect
            at = {"x": rect["x"] + rect["width"] / 2, "y": rect["y"] + rect["height"] / 2}
            self.assertEqual(page.run(inside, at), [True, True])
            page.press(Keys.ESCAPE)
            expect(0, lambda: page.count(".ghost"), "what is dragged")
            ActionChains(self.page.driver).release().perform()

    def test_times_of_day_show_wherever_todos_do(self):
        page = self.page
        self.befriend()
        self.redis.add("call", self.today, uid="bob", visibility="public", time="09:30")
        page.todo_of("bob", "call", ".at").reads("9:30")
        page.show("feed")
        expect("9:30", lambda: page.run("return document.querySelector('#feed-list .at:not(:empty)')?.textContent"), "the time in the feed")
        self.assertEqual(page.run("return document.querySelectorAll('#feed-list .at:not(:empty)').length"), 1)
        self.assertIn("09:30  call", self.todomate("feed", "alice"))
        self.assertEqual(page.new_errors(), [])

    def test_the_lists_of_others_look_the_same_while_something_is_typed(self):
        page = self.page
        self.befriend()
        heights = "return [...document.querySelectorAll('.person .row')].map((row) => row.offsetHeight)"
        before = page.run(heights)
        self.assertLess(max(before), 60)
        page.find("#new").type("call tomorrow")
        page.find(".read-chip").shows()
        self.assertEqual(page.run(heights), before)

    def test_who_is_new_is_told_three_things_until_they_take_note(self):
        page = self.page
        greeting = page.find("#greeting")
        greeting.tells("Three things to know")
        self.assertEqual(page.count("#greeting li"), 3)
        page.find("#empty").is_gone()
        for size in (PORTRAIT, LANDSCAPE, DESKTOP):
            page.emulate_size(*size)
            self.assertEqual(page.run(SMALL_TARGETS), [], size)
            self.assertFalse(page.run(WIDER_THAN_WINDOW), size)
        for scheme in ("light", "dark"):
            page.emulate_scheme(scheme, motion="reduce")
            self.assertEqual(page.run(CONTRAST)["poor"], [], scheme)
        self.assertEqual(page.run(DUPLICATE_IDS), [])
        page.choose_account("language")
        greeting.tells("세 가지만 알아 두십시오")
        self.assertEqual(page.run("return [...document.querySelectorAll('#greeting li')].filter((item) => !/[가-힣]/.test(item.textContent)).length"), 0)
        page.choose_account("language")
        greeting.tells("Ctrl+Z")
        # It is gone for good once it is taken note of, or something was written.
        page.add("one")
        expect(["one"], page.contents, "today")
        greeting.is_gone()
        page.part("one", "words").type(Keys.DELETE)
        page.find("#empty").reads("Nothing planned. Enjoy, or add the first thing below.")
        page.refresh()
        page.live()
        page.find("#empty").reads("Nothing planned. Enjoy, or add the first thing below.")
        greeting.is_gone()
        # Somebody else here is new, too.
        self.add_user("carol", "correct horse")
        page.choose_account("leave")
        page.sign_in("carol", "correct horse")
        greeting.shows()
        page.command("Emulation.setTouchEmulationEnabled", enabled=True)
        until("nobody is told of keys who has none", lambda: "Ctrl" not in greeting.text)
        page.find("#greeted").click()
        greeting.is_gone()
        page.find("#new").takes_focus()
        # Nor while a todo is edited, where there are buttons for it.
        page.add("call plumber")
        page.part("call plumber", "words").type(Keys.F2)
        page.find(".editor .save").shows()
        page.find(".editor .hint").is_gone()
        self.assertEqual(page.new_errors(), [])


if __name__ == "__main__":
    main()
