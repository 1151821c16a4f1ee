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


if __name__ == "__main__":
    main()
