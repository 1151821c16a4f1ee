"""What became of todos: told in words, as far as it is known, and brought back as it was."""
import json
import re

from selenium.webdriver.common.keys import Keys

from waiting import expect
from world import Scenario, everywhere, main


class Past(Scenario):
    def setUp(self):
        super().setUp()
        self.page = self.signed_in()
        self.today = self.page.today()

    def menu(self, content, words):
        """Chooses from a todo's menu."""
        self.page.part(content, "grip").click()
        self.page.choose(words)
        self.page.find("dialog.past").shows()

    def lines(self):
        return self.page.run("return [...document.querySelectorAll('.past .entry')].map((row) => row.innerText.replace(/\\s+/g, ' '))")

    def deleted(self):
        self.page.choose_account("deleted")
        self.page.find("dialog.past").shows()

    @everywhere
    def test_tells_what_became_of_a_todo_and_brings_it_back(self):
        page = self.page
        self.redis.add("wine", self.today, id="w1", detail="red")
        self.redis.cli("FCALL", "todomate_update", "1", "todomate:{alice}", "w1", '{"content":"milk","status":"complete","visibility":"private"}')
        expect(["milk"], page.contents, "today")
        self.menu("milk", "What became of it")
        expect(2, lambda: len(self.lines()), "the changes")
        newest, oldest = self.lines()
        self.assertIn("as it is now", newest)
        self.assertIn("“wine” → “milk” · To do → Done · Followers → Only me", newest)
        self.assertIn("Added", oldest)
        self.assertIn("“wine” · To do", oldest)
        self.assertIn("Note: red", oldest)
        page.find(".past [role=status]").tells("That is everything")
        self.assertEqual(page.count(".past .entry button"), 1)
        page.find(".past .entry button").click()
        expect(["wine"], page.contents, "today")
        self.assertSaved(page, ["wine"], self.today)
        page.find("#toasts").tells("“wine” is back as it was.")
        # And that is taken back as all else.
        page.press("z", holding=Keys.CONTROL)
        expect(["milk"], page.contents, "today")
        # What was written here says so; what came from elsewhere by hand does not.
        self.menu("milk", "What became of it")
        expect(4, lambda: len(self.lines()), "the changes")
        self.assertEqual([bool(re.search(r"(Chrome|Firefox|Safari) on Linux", line)) for line in self.lines()], [True, True, False, False])
        page.escape()
        self.assertEqual(page.new_errors(), [])

    def test_tells_which_words_of_a_long_text_have_changed(self):
        page = self.page
        self.redis.add("bake", self.today, id="w1")
        for end in ("bread", "butter", ""):
            text = 30 * "red " + end if end else ""
            self.redis.cli("FCALL", "todomate_update", "1", "todomate:{alice}", "w1", json.dumps({"detail": text}))
        expect(["bake"], page.contents, "today")
        self.menu("bake", "What became of it")
        expect(4, lambda: len(self.lines()), "the changes")
        gone, second, first, added = self.lines()
        self.assertTrue(gone.startswith("Note taken away “bake” · To do · "), gone)
        self.assertTrue(second.startswith("Note: “…"), second)
        self.assertIn("red bread” → “…", second)
        self.assertIn("red butter” “bake” · To do · ", second)
        self.assertTrue(first.startswith("Note: “red red"), first)
        self.assertTrue(added.startswith("Added “bake” · To do · "), added)

    def test_lists_what_was_deleted_and_brings_it_back_under_its_name(self):
        page = self.page
        self.deleted()
        page.find(".past [role=status]").tells("Nothing was deleted.")
        page.escape()
        for content in ("keep", "cheese", "bread"):
            self.redis.add(content, self.today, id=content)
        expect(3, lambda: len(page.contents()), "today")
        for content in ("cheese", "bread"):
            self.redis.cli("FCALL", "todomate_remove", "1", "todomate:{alice}", content)
        expect(["keep"], page.contents, "today")
        self.deleted()
        expect(2, lambda: len(self.lines()), "what was deleted")
        self.assertTrue(self.lines()[0].startswith("bread"))
        # What became of one, and from there back, by keys alone.
        page.run("document.querySelectorAll('.past .entry')[1].querySelector('button').focus()")
        page.press(Keys.ENTER)
        page.find(".past h2").reads("What became of “cheese”")
        expect(2, lambda: len(self.lines()), "the changes of it")
        self.assertIn("Deleted", self.lines()[0])
        page.run("document.querySelectorAll('.past .entry')[0].querySelector('button').focus()")
        page.press(Keys.ENTER)
        expect(["keep", "cheese"], page.contents, "today")
        self.assertSaved(page, ["keep", "cheese"], self.today)
        self.menu("cheese", "What became of it")
        expect(["Brought back", "Deleted", "Added"], lambda: [line.split(" “")[0] for line in self.lines()], "the changes of it")
        page.escape()
        self.deleted()
        expect(1, lambda: len(self.lines()), "what is still deleted")
        self.assertEqual(page.new_errors(), [])

    def test_overwrites_nobody(self):
        page = self.page
        for content in ("one", "two"):
            self.redis.add(content, self.today, id=content)
        self.redis.cli("FCALL", "todomate_update", "1", "todomate:{alice}", "one", '{"content":"first"}')
        self.redis.cli("FCALL", "todomate_remove", "1", "todomate:{alice}", "two")
        expect(["first"], page.contents, "today")
        self.menu("first", "What became of it")
        expect(2, lambda: len(self.lines()), "the changes")
        self.redis.cli("FCALL", "todomate_update", "1", "todomate:{alice}", "one", '{"content":"by somebody else"}')
        expect(["by somebody else"], page.contents, "today")
        page.find(".past .entry button").click()
        page.find("#toasts").tells("“by somebody else” was changed elsewhere.")
        page.find(".toast.decision .act:last-of-type").click()
        self.deleted()
        expect(1, lambda: len(self.lines()), "what was deleted")
        self.redis.add("somebody else's", self.today, id="two")
        expect(2, lambda: len(page.contents()), "today")
        page.choose("Bring back")
        page.find("#toasts").tells("“two” has changed since, and stays as it is.")
        self.assertSaved(page, ["by somebody else", "somebody else's"], self.today)
        # Chromium writes down what was refused.
        self.assertEqual([error for error in page.new_errors() if "412" not in error], [])

    def test_is_read_in_parts_and_says_where_it_ends(self):
        page = self.page
        self.redis.add("0", self.today, id="many")
        for number in range(1, 121):
            self.redis.cli("FCALL", "todomate_update", "1", "todomate:{alice}", "many", f'{{"content":"{number}"}}')
        expect(["120"], page.contents, "today")
        self.menu("120", "What became of it")
        expect(100, lambda: len(self.lines()), "the latest changes")
        self.assertTrue(self.lines()[98].startswith("“21” → “22”"))
        self.assertNotIn("not known", self.lines()[99])
        # A double click reads them once.
        page.run("const more = [...document.querySelectorAll('.past button')].find((e) => e.textContent === 'Show more'); more.click(); more.click();")
        expect(121, lambda: len(self.lines()), "all changes")
        self.assertTrue(self.lines()[99].startswith("“20” → “21”"))
        page.find(".past [role=status]").tells("That is everything")
        page.escape()
        # In Korean, too, and of a log that was lost.
        self.redis.cli("DEL", "todomate:{alice}:log")
        page.choose_account("language")
        expect("ko", page.language, "the language")
        self.menu("120", "변경 기록")
        page.find(".past [role=status]").tells("기록이 사라")
        self.assertEqual(page.new_errors(), [])


if __name__ == "__main__":
    main()
