"""What todos are for: made, given to todos and seen at them, live."""
import json

from selenium.webdriver.common.keys import Keys

from waiting import expect, until
from world import Scenario, everywhere, main


# The contrast of each dot of the month with what it lies on.
DOTS = """
const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
const parts = (color) => {
  canvas.clearRect(0, 0, 1, 1);
  canvas.fillStyle = color;
  canvas.fillRect(0, 0, 1, 1);
  return [...canvas.getImageData(0, 0, 1, 1).data];
};
const light = (value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
const luminance = ([r, g, b]) => 0.2126 * light(r) + 0.7152 * light(g) + 0.0722 * light(b);
const behind = (element) => (parts(getComputedStyle(element).backgroundColor)[3] === 255
  ? parts(getComputedStyle(element).backgroundColor) : behind(element.parentElement));
return [...document.querySelectorAll('.lines [data-color]:not([data-color=""])')].map((line) => {
  const dot = luminance(parts(getComputedStyle(line, '::before').borderTopColor));
  const back = luminance(behind(line));
  return { color: line.dataset.color, ratio: (Math.max(dot, back) + .05) / (Math.min(dot, back) + .05) };
});
"""


class Goals(Scenario):
    def setUp(self):
        super().setUp()
        self.page = self.signed_in()
        self.today = self.page.today()

    def goals(self):
        return self.page.request("GET", "/v1/users/alice/goals")["goals"]

    def stored(self, id):
        return next((todo for todo in self.redis.todos(self.today) if todo["id"] == id), {})

    def open(self):
        self.page.choose_account("goals")
        self.page.find("dialog.goals").shows()

    def select(self, selector, value):
        self.page.run(
            "const s = document.querySelector(arguments[0]); s.value = arguments[1]; s.dispatchEvent(new Event('change', { bubbles: true }))",
            selector, value,
        )

    def ungroup(self):
        """As somebody who does not want the list by goals: then each todo says its own."""
        self.page.run("localStorage.setItem('todomate.grouped', 'no')")
        self.page.refresh()
        self.page.live()

    def groups(self):
        """The list, a heading in brackets before those that stand under it."""
        return self.page.run(
            "return [...document.querySelectorAll('#list :is(.group, .content)')]"
            ".map((e) => (e.matches('.group') ? `[${e.textContent}]` : e.textContent)).join(' ')"
        )

    def make_three(self):
        for goal in ('{"id":"g1","name":"Work","color":"teal"}', '{"id":"g2","name":"집안일","color":"red"}', '{"id":"g3","name":"Old","archived":true}'):
            self.redis.call("set_goal", goal)
        for content, goal in (("a", "g1"), ("b", ""), ("c", "g2"), ("d", "g1"), ("e", "g3"), ("f", "gone"), ("g", "g1")):
            self.redis.add(content, self.today, id=content, **({"goal": goal} if goal and goal != "gone" else {}))

    @everywhere
    def test_are_made_given_to_a_todo_and_changed(self):
        self.ungroup()
        page = self.page
        self.redis.add("report", self.today, id="r")
        expect(["report"], page.contents, "today")
        page.part("report", "grip").click()
        self.assertEqual(page.count("dialog.menu .move select"), 0, "there is nothing to choose yet")
        page.escape()
        self.open()
        page.find("dialog.goals").tells("There are no goals yet.")
        page.find(".goals form .primary").click()
        page.find("#goals-error").reads("Type a name.")
        page.find("#goal-name").type("Work <b>")
        self.select("#goal-color-new", "teal")
        self.select("#goal-visibility-new", "private")
        page.find(".goals form .primary").click()
        page.find(".goals legend").reads("Work <b>")
        page.find("#goals-done").reads("Saved.")
        goal = self.goals()[0]
        self.assertEqual((goal["name"], goal["color"], goal["visibility"]), ("Work <b>", "teal", "private"))
        page.escape()

        page.part("report", "grip").click()
        self.select("dialog.menu .move select", goal["id"])
        page.part("report", "goal").reads("Work <b>")
        expect(goal["id"], lambda: self.stored("r").get("goal"), "what it is for")
        self.assertEqual(self.stored("r")["visibility"], "followers", "nobody's view of it changes by that")
        self.open()
        page.choose("Give all its todos this visibility")
        page.find("#goals-done").reads("One todo changed.")
        self.assertEqual(self.stored("r")["visibility"], "private")
        page.retype(page.find(".goal-fields input"), "Office", Keys.TAB)
        page.find(".goals legend").reads("Office")
        page.choose("Archive")
        page.find(".goals legend").reads("Office (archived)")
        page.escape()
        page.part("report", "goal").reads("Office")
        # All of which is taken back as anything else.
        page.press("z", holding=Keys.CONTROL)
        page.part("report", "goal").is_gone()
        expect(None, lambda: self.stored("r").get("goal"), "what it is for")
        self.assertEqual(page.new_errors(), [])

    def test_the_list_stands_by_goals_where_that_is_wanted(self):
        page = self.page
        self.redis.add("alone", self.today, id="alone")
        expect("alone", self.groups, "the list")
        page.find("#by-goal").is_gone()
        self.redis.call("remove", "alone")
        self.make_three()
        by_goal = "[Work] a d g [집안일] c [Old] e [No goal] b f"
        expect(by_goal, self.groups, "the list")
        page.find("#by-goal").says("aria-pressed", "true")
        # Of another order, and of another name.
        self.redis.call("set_goal", '{"id":"g2","name":"Home","position":-5}')
        expect("[Home] c [Work] a d g [Old] e [No goal] b f", self.groups, "the list")
        # It is remembered, and taken back.
        page.find("#by-goal").click()
        expect("a b c d e f g", self.groups, "the list")
        page.part("a", "goal").reads("Work")
        page.refresh()
        page.live()
        expect("a b c d e f g", self.groups, "the list")
        page.find("#by-goal").says("aria-pressed", "false")
        page.find("#by-goal").click()
        expect("[Home] c [Work] a d g [Old] e [No goal] b f", self.groups, "the list")
        self.assertEqual(page.new_errors(), [])

    def test_todos_move_within_their_goal_and_are_refused_elsewhere(self):
        page = self.page
        self.make_three()
        expect("[Work] a d g [집안일] c [Old] e [No goal] b f", self.groups, "the list")
        page.part("d", "words").run("found.focus()")
        page.press(Keys.ARROW_UP, holding=Keys.ALT)
        expect("[Work] d a g [집안일] c [Old] e [No goal] b f", self.groups, "the list")
        page.press(Keys.ARROW_UP, holding=Keys.ALT)
        self.assertEqual(page.count(".toast"), 0, "it is the first")
        page.part("g", "words").run("found.focus()")
        page.press(Keys.ARROW_DOWN, holding=Keys.ALT)
        page.toast("Todos stand by what they are for. To move “g” there, give it that goal in its menu.")
        self.assertEqual(self.groups(), "[Work] d a g [집안일] c [Old] e [No goal] b f")
        # The arrows walk over all of them.
        page.press(Keys.ARROW_DOWN)
        page.part("c", "words").takes_focus()
        # By drag likewise.
        page.drag(page.part("a", "grip"), page.row("d"))
        expect("[Work] a d g [집안일] c [Old] e [No goal] b f", self.groups, "the list")
        page.drag(page.part("f", "grip"), page.row("a"))
        page.toast("To move “f” there")
        self.assertEqual(self.groups(), "[Work] a d g [집안일] c [Old] e [No goal] b f")
        expect(["a", "d", "g"], lambda: [each for each in self.redis.contents(self.today) if each in "adg"], "what Redis holds")
        page.part("b", "grip").click()
        self.select("dialog.menu .move select", "g2")
        expect("[Work] a d g [집안일] b c [Old] e [No goal] f", self.groups, "the list")
        self.assertEqual(page.new_errors(), [])

    def test_dots_of_the_month_have_the_colours_of_goals(self):
        colors = ["red", "orange", "yellow", "green", "teal", "blue", "indigo", "purple", "pink", "gray"]
        page = self.page
        for number, color in enumerate(colors):
            self.redis.call("set_goal", f'{{"id":"g{number}","name":"{color}","color":"{color}"}}')
            self.redis.add(color, page.day(number // 3), id=color, goal=f"g{number}", status="complete" if number % 2 else "todo")
        expect(10, lambda: page.count('.lines [data-color]:not([data-color=""])'), "the dots of goals in the month")
        for scheme in ("light", "dark"):
            page.emulate_scheme(scheme, motion="reduce")
            found = page.run(DOTS)
            self.assertGreaterEqual(len(found), 10)
            self.assertEqual([dot for dot in found if dot["ratio"] < 3], [], scheme)
        self.assertEqual(page.new_errors(), [])

    def test_are_put_in_order_and_removed(self):
        page = self.page
        self.make_three()
        expect("[Work] a d g [집안일] c [Old] e [No goal] b f", self.groups, "the list")
        names = lambda: page.run("return [...document.querySelectorAll('.goals legend')].map((e) => e.textContent)")
        press = lambda name, words: page.run(
            "[...document.querySelectorAll('.goals fieldset')].find((e) => e.querySelector('legend').textContent === arguments[0])"
            ".querySelectorAll('button').forEach((e) => { if (e.firstChild.textContent === arguments[1]) e.click(); })", name, words)
        self.open()
        expect(["Work", "집안일", "Old (archived)"], names, "the goals")
        press("집안일", "Move up")
        expect(["집안일", "Work", "Old (archived)"], names, "the goals")
        expect(["집안일", "Work", "Old"], lambda: [goal["name"] for goal in self.goals()], "what is stored")
        # Whose visibility is another one than their goal's is said.
        self.select("#goal-visibility-g1", "private")
        page.find(".goals [data-id=g1] .acts").tells("(3 left)")
        press("Work", "Remove")
        page.find(".goals [data-id=g1] .acts").tells("Its todos stay (3)")
        press("Work", "Cancel")
        expect(["집안일", "Work", "Old (archived)"], names, "the goals")
        press("Work", "Remove")
        press("Work", "Remove it")
        expect(["집안일", "Old (archived)"], names, "the goals")
        page.find("#goals-done").reads("“Work” removed. 3 todos are for nothing now.")
        page.escape()
        expect("[집안일] c [Old] e [No goal] a b d f g", self.groups, "the list")
        expect([None, "followers"], lambda: [self.stored("a").get("goal"), self.stored("a")["visibility"]], "what it is for, and who sees it")
        # What has come first elsewhere meanwhile goes no further.
        for goal in ('{"id":"g5","name":"B"}', '{"id":"g6","name":"C"}'):
            self.redis.call("set_goal", goal)
        self.redis.add("h", self.today, id="h", goal="g6")
        self.open()
        expect(["집안일", "B", "C", "Old (archived)"], names, "the goals")
        first = self.goals()[0]["position"]
        self.redis.call("set_goal", json.dumps({"id": "g6", "position": first - 1}))
        expect(True, lambda: self.groups().startswith("[C] h [집안일]"), "whether it comes first")
        press("C", "Move up")
        page.find("#goals-done").reads("Saved.")
        expect(["C", "집안일", "B", "Old (archived)"], names, "the goals")
        self.assertEqual(page.new_errors(), [])

    def hold(self):
        """From now on answers about goals come once they are let go."""
        self.page.run(
            "const real = fetch; const held = new Promise((resume) => { window.letGo = () => { window.fetch = real; resume(); }; });"
            " window.fetch = async (path, options) => { if (path.includes('/goals')) { window.isHeld = true; await held; } return real(path, options); }"
        )

    def let_go(self):
        until("it is asked", lambda: self.page.run("return window.isHeld"))
        self.page.run("window.isHeld = false; letGo()")

    def names(self):
        return sorted(goal["name"] for goal in self.goals())

    def test_a_late_answer_leaves_what_is_typed_and_where(self):
        page = self.page
        self.make_three()
        self.open()
        name = lambda goal: page.find(f".goals [data-id={goal}] input")
        name("g2").shows()
        self.hold()
        page.retype(name("g1"), "Work at", Keys.ENTER)
        page.press(" home")
        self.let_go()
        page.find("#goals-done").reads("Saved.")
        name("g1").holds("Work at home")
        self.hold()
        page.retype(name("g1"), "Office")
        name("g2").click()
        page.press(Keys.END, " 2")
        self.let_go()
        page.find("#goals-done").reads("Saved.")
        page.find(".goals [data-id=g1] legend").reads("Office")
        name("g2").takes_focus()
        name("g2").holds("집안일 2")
        self.hold()
        page.press(Keys.TAB)
        self.let_go()
        page.find(".goals [data-id=g2] legend").reads("집안일 2")
        page.find(".goals [data-id=g2] select").takes_focus()
        self.assertEqual(self.names(), ["Office", "Old", "집안일 2"])
        # Nor does one that is refused late take the focus.
        page.run(
            """
            const real = fetch;
            window.fetch = (path, options) => (options?.method === 'GET' ? real(path, options) : new Promise((resume) => {
              window.isHeld = true;
              window.letGo = () => {
                window.fetch = real;
                resume(new Response('{"type":"urn:todomate:problem:invalid","status":422}', { status: 422 }));
              };
            }));
            """
        )
        page.retype(name("g1"), "Refused")
        page.find("#goal-name").click()
        page.press("Gar")
        self.let_go()
        page.find("#goals-error").tells("Not saved")
        page.press("den")
        page.find("#goal-name").holds("Garden")
        name("g1").holds("Refused")

    def test_two_that_are_made_at_once_are_two(self):
        page = self.page
        self.open()
        self.hold()
        for words in ("Work", "Home"):
            page.retype(page.find("#goal-name"), words, Keys.ENTER)
        page.retype(page.find("#goal-name"), "half a na")
        self.let_go()
        expect(["Home", "Work"], self.names, "the goals")
        page.find(".goals [data-id]:nth-of-type(2)").shows()
        page.find("#goal-name").holds("half a na")

    def test_a_name_is_said_as_it_is(self):
        self.redis.call("set_goal", '{"id":"g1","name":"{count} {x}"}')
        self.open()
        self.page.find(".goals legend").reads("{count} {x}")
        self.page.choose("Remove")
        self.page.choose("Remove it")
        self.page.find("#goals-done").tells("“{count} {x}” removed. 0 todos")

    def test_are_told_live_and_to_nobody_else(self):
        self.ungroup()
        page = self.page
        self.redis.cli("FCALL", "todomate_settings", "1", "todomate:{alice}", '{"audience":"public"}')
        self.redis.call("set_goal", '{"id":"g1","name":"Secret plan","visibility":"public"}')
        self.redis.add("open", self.today, id="o", goal="g1")
        page.part("open", "goal").reads("Secret plan")
        self.redis.call("set_goal", '{"id":"g1","name":"Plan","color":"red"}')
        page.part("open", "goal").reads("Plan")
        self.add_user("bob", "correct horse")
        other = self.signed_in(user="bob")
        other.request("PUT", "/v1/users/bob/following/alice")
        expect(["open"], lambda: other.contents_of("alice"), "what bob sees")
        self.assertNotIn("Plan", other.source())
        # A deleted todo comes back to what it was for.
        page.part("open", "grip").click()
        page.choose("Delete")
        expect([], page.contents, "today")
        page.find(".toast .act").click()
        page.part("open", "goal").reads("Plan")
        expect("g1", lambda: self.stored("o").get("goal"), "what it is for")
        for board in (page, other):
            self.assertEqual(board.new_errors(), [])


if __name__ == "__main__":
    main()
