"""What todos are for: made, given to todos and seen at them, live."""
from selenium.webdriver.common.keys import Keys

from waiting import expect
from world import Scenario, main


class Goals(Scenario):
    def setUp(self):
        super().setUp()
        self.page = self.signed_in()
        self.today = self.page.today()

    def goals(self):
        return self.page.request("GET", "/v1/users/alice/goals")["goals"]

    def stored(self, id):
        return next(todo for todo in self.redis.todos(self.today) if todo["id"] == id)

    def open(self):
        self.page.choose_account("goals")
        self.page.find("dialog.goals").shows()

    def select(self, selector, value):
        self.page.run(
            "const s = document.querySelector(arguments[0]); s.value = arguments[1]; s.dispatchEvent(new Event('change', { bubbles: true }))",
            selector, value,
        )

    def test_are_made_given_to_a_todo_and_changed(self):
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

    def test_are_told_live_and_to_nobody_else(self):
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
