"""What Ctrl+Z says of what the server is asked for: that it is undone once it is, and nothing of the kind where it is not."""
import json

from selenium.webdriver.common.keys import Keys

from waiting import expect
from world import Scenario, main

# What is to be changed next finds no network; what the page reads meanwhile does.
CUT_ONCE = """
const real = fetch;
window.fetch = async (path, options) => {
  if ((options?.method ?? 'GET') === 'GET') return real(path, options);
  window.fetch = real;
  throw new TypeError('no network');
};
"""
# What is asked for next is done, and its answer comes once `answer()` is called, or is lost by `answer(true)`.
HELD_ONCE = """
const real = fetch;
window.fetch = async (path, options) => {
  const response = await real(path, options);
  if ((options?.method ?? 'GET') === 'GET') return response;
  window.fetch = real;
  return new Promise((resolve, reject) => {
    window.answer = (isLost) => (isLost ? reject(new TypeError('no network')) : resolve(response));
  });
};
"""
CHIPS = "return [...document.querySelectorAll('.person .chip')].map((chip) => chip.textContent)"


class Undone(Scenario):
    def setUp(self):
        super().setUp()
        self.page = self.signed_in()
        self.today = self.page.today()

    def end_routine(self):
        page = self.page
        page.part("Stretch", "grip").click()
        page.choose("End routine from here")
        page.toast(" ends before ")
        page.find("#day-title").click()

    def is_not_undone(self, why):
        self.page.press("z", holding=Keys.CONTROL)
        self.page.toast(why).find(".shut").click()
        self.assertNotIn("Undone", self.page.find("#toasts").text)

    def is_undone(self, what):
        self.page.press("z", holding=Keys.CONTROL)
        self.page.toast(f"Undone: {what}").find(".shut").click()

    def add_of_bob(self, content):
        self.add_user("bob", "correct horse")
        self.todomate("profile", "bob", "--audience", "public")
        self.todomate("follow", "alice", "bob")
        return self.redis.add(content, self.today, uid="bob", visibility="public")

    def test_a_reaction(self):
        page = self.page
        page.add("mine")
        self.assertSaved(page, ["mine"], self.today)
        todo = self.add_of_bob("ran")

        def given():
            return self.redis.todos(self.today, "bob")[0].get("reactions", {})

        def react(emoji):
            page.todo_of("bob", "ran", ".react").click()
            page.find(f".emojis [data-emoji='{emoji}']").click()
            expect({emoji: 1}, given, "the reactions")
            expect([f"{emoji}1"], lambda: page.run(CHIPS), "the reactions that show")

        page.todo_of("bob", "ran", ".react").shows()
        react("🎉")
        react("👏")
        self.is_undone("👏 “ran”")
        expect({"🎉": 1}, given, "the reactions")
        # Taken back by the number itself.
        page.find(".person .chip").click()
        expect({}, given, "the reactions")
        self.is_undone("🎉 “ran”")
        expect({"🎉": 1}, given, "the reactions")
        # By another device meanwhile: it stays.
        react("👏")
        self.redis.call("react", todo["id"], "alice", "😄", uid="bob")
        self.is_not_undone("“ran” has changed since, and stays as it is.")
        expect({"😄": 1}, given, "the reactions")
        # The one before it has gone as well; what is older is mine.
        self.is_not_undone("“ran” has changed since, and stays as it is.")
        self.is_undone("“mine” added")
        expect([], page.contents, "the list")
        self.assertEqual(page.new_errors(), [])

    def test_what_has_no_answer_yet(self):
        page = self.page
        page.add("first")
        self.assertSaved(page, ["first"], self.today)
        self.redis.call("set_routines", json.dumps({"id": "r1", "content": "Stretch", "rule": "FREQ=DAILY", "from": self.today}))
        expect(["first", "Stretch"], page.contents, "the list")
        self.add_of_bob("ran")

        def react():
            page.todo_of("bob", "ran", ".react").click()
            page.find(".emojis [data-emoji='👏']").click()

        def end():
            page.part("Stretch", "grip").click()
            page.choose("End routine from here")

        def follow():
            page.show("people")
            page.follow("carol")
            page.find("#people-title").click()

        for act, words in ((react, "👏 “ran”"), (end, "“Stretch” ends before "), (follow, "Asked carol")):
            page.run(HELD_ONCE)
            act()
            page.wait("the server has done it", lambda: page.run("return Boolean(window.answer)"))
            page.press("z", holding=Keys.CONTROL)
            page.run("answer(); delete window.answer")
            page.toast(f"Undone: {words}").find(".shut").click()
        page.show("today")
        # Nor is anything else meant where it does not come through.
        page.run(HELD_ONCE)
        react()
        page.wait("the server is asked", lambda: page.run("return Boolean(window.answer)"))
        page.press("z", holding=Keys.CONTROL)
        page.run("answer(true)")
        page.toast("Not saved: ").find(".shut").click()
        # What was done before stays, and is taken back by the next key.
        expect(["first", "Stretch"], page.contents, "the list")
        self.is_undone("“first” added.")
        self.assertEqual(page.new_errors(), [])

    def test_a_routine(self):
        page = self.page
        self.redis.call("set_routines", json.dumps({"id": "r1", "content": "Stretch", "rule": "FREQ=DAILY", "from": self.today}))
        page.find(f".cell[data-day='{page.day(2)}']").click()
        expect(["Stretch"], page.contents, "the list")
        self.end_routine()
        expect([], page.contents, "the list")
        self.is_undone("“Stretch” ends before ")
        expect(["Stretch"], page.contents, "the list")
        self.end_routine()
        page.run(CUT_ONCE)
        self.is_not_undone("Routines, unlike todos, are made by the server")
        expect([], page.contents, "the list")
        # What it has become elsewhere stays.
        self.redis.call("set_routines", json.dumps({"id": "r1", "rule": "FREQ=DAILY"}))
        expect(["Stretch"], page.contents, "the list")
        self.end_routine()
        self.redis.call("set_routines", json.dumps({"id": "r1", "rule": "FREQ=DAILY;INTERVAL=2"}))
        self.is_not_undone("It was changed elsewhere.")
        rules = [routine["rule"] for routine in page.request("GET", "/v1/users/alice/routines")["routines"]]
        self.assertEqual(rules, ["FREQ=DAILY;INTERVAL=2"])
        self.assertEqual([error for error in page.new_errors() if "(Precondition Failed)" not in error], [])

    def test_without_a_keyboard(self):
        page = self.page
        page.open_account()
        page.find("#undo").is_gone()
        page.find("#account").click()
        page.add("one")
        page.part("one", "status").click()
        for what, statuses in (("“one” done.", ["todo"]), ("“one” added.", [])):
            page.open_account()
            # Said before it is done: there is nothing to take that back by.
            page.find("#undo").reads(f"Undo: {what}")
            page.find("#account").click()
            page.choose_account("undo")
            page.toast(f"Undone: {what}").find(".shut").click()
            expect(statuses, page.statuses, "the list")
        page.open_account()
        page.find("#undo").is_gone()
        page.find("#account").click()
        # A menu that is open keeps up.
        for content in ("three", "four"):
            page.add(content)
        page.open_account()
        page.find("#undo").reads("Undo: “four” added.")
        for left in ("Undo: “three” added.", None):
            page.press("z", holding=Keys.CONTROL)
            if left:
                page.find("#undo").reads(left)
        page.find("#undo").is_gone()
        page.find("#account").click()
        # Whoever comes next has nothing to do with it.
        page.add("two")
        page.open_account()
        page.find("#undo").shows()
        page.find("#leave").click()
        page.find("#door").shows()
        page.find("#undo").is_gone()

    def test_a_block_and_a_request(self):
        page = self.page
        page.show("people")
        for act, words, shown in (
            ("#block-name", "{} is blocked", "#blockedPeople"), ("#follow [type=submit]", "Asked {}", "#following-people"),
        ):
            for name in ("bob", "carol"):
                page.retype(page.find("#follow-name"), name)
                page.find(act).click()
                page.find(shown).tells(name)
                page.toast(words.format(name))
                page.find("#people-title").click()
                if name == "bob":
                    page.run(CUT_ONCE)
                    self.is_not_undone("The server does not answer.")
                    page.find(shown).tells(name)
                # What did not come through is still there to be taken back.
                self.is_undone(words.format(name))
                page.find(shown).is_gone()
        self.assertEqual(page.new_errors(), [])

    def test_a_todo_where_the_next_one_is_typed(self):
        page = self.page
        page.add("first")
        expect(["first"], page.contents, "the list")
        field = page.find("#new")
        field.type("second")
        page.press("z", holding=Keys.CONTROL)
        self.assertEqual(page.contents(), ["first"])
        page.run("document.getElementById('new').value = ''")
        self.is_undone("“first” added.")
        expect([], page.contents, "the list")
        self.assertEqual(page.new_errors(), [])

    def test_what_was_done_before_is_reached_past_a_request(self):
        page = self.page
        page.add("first")
        page.show("people")
        page.follow("carol")
        page.toast("Asked carol")
        page.find("#following-people [data-act=menu]").click()
        page.choose("Withdraw")
        page.find("#following-people").is_gone()
        page.toast("You no longer follow carol.")
        page.find("#people-title").click()
        self.is_undone("You no longer follow carol.")
        page.find("#following-people").tells("carol")
        self.is_undone("Asked carol")
        page.find("#following-people").is_gone()
        self.is_undone("“first” added.")
        expect([], page.contents, "the list")
        self.assertEqual(page.new_errors(), [])

    # What is done again

    def redo(self):
        self.page.press("z", holding=Keys.CONTROL + Keys.SHIFT)

    def test_all_that_was_undone_is_done_again(self):
        page, other = self.page, self.signed_in()
        self.redis.call("set_routines", json.dumps({"id": "r1", "content": "Stretch", "rule": "FREQ=DAILY", "from": self.today}))
        for content in ("one", "two", "three"):
            self.redis.add(content, self.today)
        expect(4, lambda: len(page.contents()), "the number of todos")

        def note():
            page.find("#day-note-text").type("a good day")
            page.find("#day-title").click()

        def edit():
            page.part("two", "words").type(Keys.F2)
            page.retype(page.find(".editor .edit-content"), "second")
            page.press(Keys.ENTER)

        acts = {
            "added": lambda: page.add("four"),
            "finished": lambda: page.part("one", "status").click(),
            "edited": edit,
            "reordered": lambda: page.part("three", "words").type(Keys.ALT + Keys.ARROW_UP),
            "moved to another day": lambda: page.part("second", "words").type(Keys.ALT + Keys.ARROW_RIGHT),
            "deleted": lambda: page.part("three", "words").type(Keys.DELETE),
            "noted": note,
            "finished of a routine": lambda: page.part("Stretch", "status").click(),
        }

        def state(board):
            return board.contents(), board.statuses(), board.find("#day-note-text").value

        states = [state(page)]
        for name, act in acts.items():
            act()
            page.wait(f"it is {name}", lambda: state(page) != states[-1])
            states.append(state(page))
        page.run("document.activeElement.blur()")
        for _ in range(2):
            expect(states[-1], lambda: state(other), "what shows elsewhere")
            for before in states[-2::-1]:
                page.press("z", holding=Keys.CONTROL)
                expect(before, lambda: state(page), "what is undone")
            expect(states[0], lambda: state(other), "what shows elsewhere")
            for after in states[1:]:
                self.redo()
                expect(after, lambda: state(page), "what is done again")
        expect(states[-1], lambda: state(other), "what shows elsewhere")
        # There is no more of it.
        self.redo()
        expect(states[-1], lambda: state(page), "the list")
        self.assertEqual(page.new_errors(), [])

    def test_a_day_of_a_routine_is_left_out_again(self):
        page, tomorrow = self.page, self.page.day(1)
        self.redis.call("set_routines", json.dumps({"id": "r1", "content": "Stretch", "rule": "FREQ=DAILY", "from": self.today}))
        page.find(f".cell[data-day='{tomorrow}']").click()
        expect(["Stretch"], page.contents, "the list")
        page.part("Stretch", "words").type(Keys.DELETE)
        expect([], page.contents, "the list")
        for _ in range(2):
            self.is_undone("“Stretch”")
            expect(["Stretch"], page.contents, "the list")
            self.redo()
            expect([], page.contents, "the list")
        self.is_undone("“Stretch”")
        routine = lambda: page.request("GET", "/v1/users/alice/routines")["routines"][0]
        expect([], lambda: routine().get("made", []), "the days that are left out")
        # It is finished elsewhere: that stays.
        self.redis.call("update", f"r1--{tomorrow.replace('-', '')}", json.dumps({"status": "complete"}))
        expect(["complete"], page.statuses, "the list")
        self.redo()
        page.toast("“Stretch” has changed since")
        expect(["complete"], page.statuses, "the list")

    def test_leaving_out_a_day_that_was_finished_since(self):
        page, tomorrow = self.page, self.page.day(1)
        self.redis.call("set_routines", json.dumps({"id": "r1", "content": "Stretch", "rule": "FREQ=DAILY", "from": self.today}))
        page.add("one")
        page.find(f".cell[data-day='{tomorrow}']").click()
        expect(["Stretch"], page.contents, "the list")
        page.part("Stretch", "grip").click()
        page.find("dialog[open]").shows()
        self.redis.call("update", f"r1--{tomorrow.replace('-', '')}", json.dumps({"status": "complete"}))
        expect(["complete"], page.statuses, "the list")
        page.choose("Skip this day")
        page.toast("“Stretch” has changed since").find(".shut").click()
        self.assertEqual(page.count(".toast"), 0)
        # There is nothing of it to be taken back.
        page.find("#day-title").click()
        self.is_undone("“one” added.")
        self.assertEqual(page.new_errors(), [])

    def test_an_older_version_keeps_its_place_in_its_day(self):
        page, tomorrow = self.page, self.page.day(1)
        for content in ("a", "b"):
            self.redis.add(content, tomorrow)
        moved = self.redis.add("x", self.today)
        self.redis.update(moved, date=tomorrow, position=0)
        page.find(f".cell[data-day='{tomorrow}']").click()
        expect(["x", "a", "b"], page.contents, "the list")
        page.part("x", "grip").click()
        page.choose("What became of it")
        page.find("dialog .entry button").shows()
        page.run("[...document.querySelectorAll('dialog .entry button')].at(-1).click()")
        for _ in range(2):
            expect((["a", "b"], ["x"]), lambda: (self.redis.contents(tomorrow), self.redis.contents(self.today)), "what Redis has")
            page.run("document.activeElement.blur()")
            page.press("z", holding=Keys.CONTROL)
            expect(["x", "a", "b"], lambda: self.redis.contents(tomorrow), "what Redis has")
            expect(["x", "a", "b"], page.contents, "the list")
            self.redo()
        self.assertEqual(page.new_errors(), [])

    def test_doing_again_by_the_message_and_until_something_else_is_done(self):
        page = self.page
        for content in ("one", "two"):
            page.add(content)
        page.press("z", holding=Keys.CONTROL)
        page.toast("Undone: “two” added.").find(".act").reads("Redo")
        page.toast("Undone: “two” added.").find(".act").click()
        expect(["one", "two"], page.contents, "the list")
        # And so it can be taken back once more, by its message, which tells of it as the keys do. From there the focus goes back to where it was.
        again = page.toast("Redone: “two” added.").find(".act")
        page.find("#new").run("found.focus()")
        again.run("found.focus()")
        page.press(Keys.ENTER)
        page.find("#new").takes_focus()
        expect(["one"], page.contents, "the list")
        page.toast("Undone: “two” added.").find(".act").reads("Redo")
        page.press("y", holding=Keys.CONTROL)
        expect(["one", "two"], page.contents, "the list")
        self.is_undone("“two” added.")
        # What was done first is done again first: the message of what came after it goes.
        self.redo()
        expect(["one", "two"], page.contents, "the list")
        page.press("z", holding=Keys.CONTROL)
        later = page.toast("Undone: “two” added.")
        # What was done since is not to be mixed with it.
        page.press("z", holding=Keys.CONTROL)
        undone = page.toast("Undone: “one” added.")
        later.is_gone()
        page.add("three")
        expect(["three"], page.contents, "the list")
        undone.is_gone()
        self.redo()
        page.press("y", holding=Keys.CONTROL)
        expect(["three"], page.contents, "the list")
        # What it has become elsewhere stays.
        page.part("three", "status").click()
        self.is_undone("“three” done.")
        expect(["todo"], lambda: [todo["status"] for todo in self.redis.todos(self.today)], "what Redis has")
        self.redis.update(self.redis.todos(self.today)[0], status="incomplete")
        expect(["incomplete"], page.statuses, "the list")
        self.redo()
        page.toast("“three” has changed since")
        expect(["incomplete"], page.statuses, "the list")
        # Whoever comes next has nothing to do with it.
        page.part("three", "words").type(Keys.DELETE)
        self.is_undone("“three” deleted.")
        page.choose_account("leave")
        page.sign_in("alice", "correct horse")
        expect(["three"], page.contents, "the list")
        page.run("document.activeElement.blur()")
        self.redo()
        self.assertEqual(page.count(".toast"), 0)
        expect(["three"], page.contents, "the list")
        self.assertEqual(page.new_errors(), [])


if __name__ == "__main__":
    main()
