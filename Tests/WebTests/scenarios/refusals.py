"""What the server does not take, and what nobody should be able to smuggle in."""
import signal

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from world import Scenario, main, until


class Refusals(Scenario):
    def setUp(self):
        super().setUp()
        self.page = self.signed_in()
        self.today = self.page.today()

    def begin_edit(self, content):
        ActionChains(self.page.driver).double_click(self.page.part(content, "words")).perform()
        return self.page.find(".edit-content")

    def test_an_edit_of_what_changed_meanwhile_is_rolled_back_and_can_be_insisted_on(self):
        page = self.page
        todo = self.redis.add("as it was", self.today)
        field = self.begin_edit("as it was")
        page.retype(field, "mine")
        self.redis.update(todo, content="theirs " + "x" * 493)
        page.wait("the month shows theirs", lambda: page.cell_lines(self.today)[0].startswith("theirs"))
        self.assertEqual(field.get_attribute("value"), "mine", "what is being typed stays")
        field.send_keys(Keys.ENTER)
        toast = page.toast("was changed elsewhere")
        page.wait("theirs is shown", lambda: page.contents()[0].startswith("theirs xxx"))
        self.assertTrue(self.redis.contents()[0].startswith("theirs xxx"))
        toast.find_element("css selector", ".act").click()
        self.assertSaved(page, ["mine"], self.today)
        errors = page.new_errors()
        self.assertEqual(len(errors), 1)
        self.assertIn("412", errors[0])

    def test_an_edit_of_what_was_deleted_meanwhile_can_be_added_again(self):
        page = self.page
        todo = self.redis.add("short-lived", self.today)
        self.begin_edit("short-lived").send_keys(" but mine")
        self.redis.call("remove", todo["id"])
        page.toast("was deleted elsewhere").find_element("css selector", ".act").click()
        self.assertSaved(page, ["short-lived but mine"], self.today)

    def test_what_the_server_refuses_is_rolled_back_with_its_reason(self):
        page = self.page
        # Past the page's own limit, as another client with the page's session would send it.
        page.run("document.querySelector('#new').removeAttribute('maxlength')")
        page.run("document.querySelector('#new').value = 'y'.repeat(501)")
        page.find("#new").send_keys(Keys.ENTER)
        page.toast("Not saved: content must have 1 to 500 characters")
        page.wait("it is taken away", lambda: page.contents() == [])
        self.assertEqual(self.redis.contents(), [])

    def test_a_paused_redis_loses_nothing(self):
        page = self.page
        page.add("before")
        self.assertSaved(page, ["before"], self.today)
        self.redis.send(signal.SIGSTOP)
        page.part("before", "status").click()
        page.wait("it shows at once", lambda: page.statuses() == ["inProgress"])
        page.wait("it says that it waits", lambda: "unsaved" in page.find("#pill").text)
        self.redis.send(signal.SIGCONT)
        until("it is saved", lambda: self.redis.todos()[0]["status"] == "inProgress")
        page.wait("it says so", lambda: page.find("#pill").text == "Live")
        self.assertEqual(page.statuses(), ["inProgress"])

    def test_markup_is_only_text(self):
        page = self.page
        attacks = [
            "<img src=x onerror=\"window.hit=1\">", "<script>window.hit=1</script>", "\"><svg onload=window.hit=1>",
            "{{7*7}}", "javascript:window.hit=1", "</li></ul><h1>x</h1>",
        ]
        for attack in attacks:
            self.redis.add(attack, self.today, detail=attack)
        page.wait("they show as they are", lambda: page.contents() == attacks)
        self.assertEqual(page.cell_lines(self.today), attacks[:3])
        for attack in attacks:
            page.part(attack, "grip").click()
            self.assertIn(attack, page.find("dialog").get_attribute("aria-label"))
            page.press(Keys.ESCAPE)
            page.wait("the menu is gone", lambda: not page.all("dialog"))
        page.part(attacks[1], "words").send_keys(Keys.DELETE)
        page.toast("<script>window.hit=1</script>")
        self.assertIsNone(page.run("return window.hit"))
        self.assertEqual(page.all("#list img, #list script, #list h1, #grid img"), [])
        self.assertEqual(page.new_errors(), [])


if __name__ == "__main__":
    main()
