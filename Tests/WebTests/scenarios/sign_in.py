"""Who comes in, who does not, and how they leave."""
from selenium.webdriver.common.keys import Keys

from board import FRAMES
from waiting import expect
from world import Scenario, everywhere, main


class SignIn(Scenario):
    @everywhere
    def test_refused_then_accepted_then_left(self):
        board = self.board()
        board.door()
        board.find("#board").is_gone()
        self.assertEqual(board.count("[data-only=open]:not([hidden])"), 0)

        def refused(user, password, because):
            for name, text in (("user", user), ("password", password)):
                board.retype(board.find(f"#{name}"), text)
            board.press(Keys.ENTER)
            board.wait(f"it is said: {because}", lambda: board.asks_again() or because in board.find("#door-error").text)
            self.assertFalse(board.find("#board").is_shown)

        refused("alice", "not her password", "The user or the password is wrong.")
        refused("nobody", "correct horse", "The user or the password is wrong.")
        refused("alice", "", "Type your password.")
        refused("al ice", "correct horse", "A user is 1 to 64 of")

        board.sign_in("alice", "correct horse")
        board.find("#welcome").is_gone()
        board.find("#who").reads("alice")
        cookie, = board.driver.get_cookies()
        self.assertTrue(cookie["httpOnly"])
        self.assertEqual(cookie["sameSite"], "Strict")
        self.assertEqual(board.run("return document.cookie"), "")

        board.refresh()
        board.live()
        board.choose_account("leave")
        board.door()
        board.refresh()
        board.door()
        # The browser notes each refused request, at the door and what was under way as she left; nothing else may be in its log.
        errors = board.new_errors()
        self.assertTrue(all("/v1/" in error and "401" in error for error in errors), errors)

    @everywhere
    def test_signing_out_in_one_tab_leaves_nothing_in_any(self):
        board = self.signed_in()
        board.add("private")
        self.assertSaved(board, ["private"], None)
        other = self.board(beside=board)
        other.live()
        expect(["private"], other.contents, "the other tab")
        other.choose_account("leave")
        other.door()
        self.assertNotIn("private", other.run("return document.body.textContent"))
        board.door()

    def test_a_session_that_ends_elsewhere_leads_back_to_the_door(self):
        board = self.signed_in()
        board.driver.delete_all_cookies()
        board.add("after the session")
        board.door()
        self.assertEqual(self.redis.contents(), [])
        # When the page is told so once more, what is being typed stays.
        board.find("#password").type("correct ")
        asked = "return performance.getEntriesByName(`${location.origin}/v1/session`).length"
        before = board.run(asked)
        board.run("new BroadcastChannel('todomate.session').postMessage('changed')")
        board.wait("it asked whether it is still welcome", lambda: board.run(asked) > before)
        board.run(FRAMES)
        board.find("#password").holds("correct ")
        board.find("#password").type("horse", Keys.ENTER)
        # What was written before is still there, and goes out now.
        self.assertSaved(board, ["after the session"], None)


class WithoutSignIn(Scenario):
    secret = None

    def test_asks_whose_board_and_says_that_anybody_may(self):
        board = self.board()
        board.door()
        words = "anyone on this machine can act as any user"
        board.find("#door").tells(words)
        board.find("#password-field").is_gone()
        board.find("#user").holds("alice")
        board.find("#enter").click()
        board.live()
        expect("#alice", lambda: board.run("return location.hash"), "the address")
        board.find("#board").tells(words)
        self.redis.add("for bob", board.today(), uid="bob")
        board.run("location.hash = 'bob'")
        board.find("#who").reads("bob")
        expect(["for bob"], board.contents, "bob's board")
        board.run("location.hash = 'carol'")
        board.find("#who").reads("carol")
        board.find("#greeting").shows()
        # At once, not with the next change that happens to come.
        self.assertFalse(board.run("document.getElementById('greeted').click(); return document.getElementById('empty').hidden"))
        self.assertEqual(board.contents(), [])
        board.driver.get(f"{self.workers[0].url}#%zz")
        board.refresh()
        board.door()
        board.driver.get(f"{self.workers[0].url}#bob")
        board.refresh()
        expect(["for bob"], board.contents, "bob's board again")
        board.add("by anybody")
        expect(["for bob", "by anybody"], lambda: self.redis.contents(uid="bob"), "what Redis holds of bob's")
        self.assertEqual(board.new_errors(), [])


if __name__ == "__main__":
    main()
