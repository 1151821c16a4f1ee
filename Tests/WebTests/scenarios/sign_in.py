"""Who comes in, who does not, and how they leave."""
from selenium.webdriver.common.keys import Keys

from world import Scenario, main, until


class SignIn(Scenario):
    def test_refused_then_accepted_then_left(self):
        board = self.board()
        board.wait("the door is open", lambda: board.find("#enter").is_displayed())
        self.assertFalse(board.find("#board").is_displayed())
        self.assertFalse(any(note.is_displayed() for note in board.all("[data-only=open]")))

        def refused(user, password, because):
            for name, text in (("user", user), ("password", password)):
                board.find(f"#{name}").clear()
                board.find(f"#{name}").send_keys(text)
            board.press(Keys.ENTER)
            board.wait(because, lambda: because in board.find("#door-error").text)
            self.assertFalse(board.find("#board").is_displayed())

        refused("alice", "not her password", "The user or the password is wrong.")
        refused("nobody", "correct horse", "The user or the password is wrong.")
        refused("alice", "", "Type your password.")
        refused("al ice", "correct horse", "A user is 1 to 64 of")

        board.sign_in("alice", "correct horse")
        self.assertFalse(board.find("#welcome").is_displayed())
        self.assertEqual(board.find("#who").text, "alice")
        cookie = board.driver.get_cookie("todomate_session")
        self.assertTrue(cookie["httpOnly"])
        self.assertEqual(cookie["sameSite"], "Strict")
        self.assertEqual(board.run("return document.cookie"), "")

        board.driver.refresh()
        board.live()
        board.choose_account("leave")
        board.wait("the door is open again", lambda: board.find("#enter").is_displayed())
        board.driver.refresh()
        board.wait("the door stays", lambda: board.find("#enter").is_displayed())
        # The browser notes each refused request; nothing else may be in its log.
        self.assertTrue(all("/v1/session" in error and "401" in error for error in board.new_errors()))

    def test_signing_out_in_one_tab_leaves_nothing_in_any(self):
        board = self.signed_in()
        board.add("private")
        first = board.driver.current_window_handle
        board.driver.switch_to.new_window("tab")
        board.driver.get(self.workers[0].url)
        board.live()
        board.wait("it shows the todo", lambda: board.contents() == ["private"])
        board.choose_account("leave")
        board.wait("the door is open", lambda: board.find("#enter").is_displayed())
        self.assertNotIn("private", board.run("return document.body.textContent"))
        board.driver.switch_to.window(first)
        board.wait("the door is open in the other tab", lambda: board.find("#enter").is_displayed())

    def test_a_session_that_ends_elsewhere_leads_back_to_the_door(self):
        board = self.signed_in()
        board.driver.delete_all_cookies()
        board.add("after the session")
        board.wait("the door is open", lambda: board.find("#enter").is_displayed())
        self.assertEqual(self.redis.contents(), [])
        board.find("#password").send_keys("correct horse", Keys.ENTER)
        # What was written before is still there, and goes out now.
        self.assertSaved(board, ["after the session"], None)


class WithoutSignIn(Scenario):
    secret = None

    def test_asks_whose_board_and_says_that_anybody_may(self):
        board = self.board()
        board.wait("the door is open", lambda: board.find("#enter").is_displayed())
        words = "everybody on this machine may act as anybody"
        self.assertIn(words, board.find("#door").text)
        self.assertFalse(board.find("#password-field").is_displayed())
        self.assertEqual(board.find("#user").get_attribute("value"), "alice")
        board.find("#enter").click()
        board.live()
        self.assertTrue(board.driver.current_url.endswith("/#alice"))
        self.assertIn(words, board.find("#board").text)
        self.redis.add("for bob", board.today(), uid="bob")
        board.run("location.hash = 'bob'")
        board.wait("bob's board", lambda: board.contents() == ["for bob"] and board.find("#who").text == "bob")
        board.run("location.hash = 'carol'")
        board.wait("carol's board is empty", lambda: board.contents() == [] and board.find("#who").text == "carol")
        board.driver.get(f"{self.workers[0].url}#%zz")
        board.driver.refresh()
        board.wait("the door is open for a name that is none", lambda: board.find("#enter").is_displayed())
        board.driver.get(f"{self.workers[0].url}#bob")
        board.driver.refresh()
        board.wait("bob's board again", lambda: board.contents() == ["for bob"])
        board.add("by anybody")
        until("it is bob's", lambda: self.redis.contents(uid="bob") == ["for bob", "by anybody"])
        self.assertEqual(board.new_errors(), [])


if __name__ == "__main__":
    main()
