"""What an operator sees and decides in the page, and what others notice of it."""
from selenium.webdriver.common.keys import Keys

from appearance import CONTRAST, DUPLICATE_IDS, SMALL_TARGETS
from waiting import expect, until
from world import Scenario, main

FITS = "return document.querySelector('dialog').scrollWidth <= innerWidth && document.documentElement.scrollWidth <= innerWidth"
MODULES = "return performance.getEntriesByType('resource').map((entry) => entry.name).filter((name) => name.includes('operator'))"
LINES = "return [...document.querySelectorAll('.account-line')].map((line) => line.dataset.uid)"


class Operating(Scenario):
    def setUp(self):
        super().setUp()
        self.add_user("root", "correct horse")
        self.todomate("user", "role", "root", "operator")

    def open_section(self, board):
        board.open_account()
        board.find("#my-account").click()
        board.find("dialog.settings").shows()
        board.find(".setting.operator summary").click()
        board.find(".figures .entry").shows()
        return board.find(".setting.operator")

    def open_line(self, board, uid):
        board.find(f".account-line[data-uid='{uid}'] summary").click()
        return board.find(f".account-line[data-uid='{uid}']")

    def test_only_operators_have_it(self):
        alice = self.signed_in()
        alice.open_account()
        alice.find("#my-account").click()
        alice.find("#settings-title").shows()
        expect(0, lambda: alice.count(".setting.operator"), "the number of operator's sections")
        self.assertEqual([name for name in alice.run(MODULES) if "Section" not in name], [])

    def test_somebody_is_suspended_and_resumed(self):
        alice, board = self.signed_in(1), self.signed_in(user="root")
        section = self.open_section(board)
        section.find(".figures").tells("2 accounts")
        expect(3, lambda: board.count(".figures .entry"), "accounts and two workers")
        expect(["alice", "root"], lambda: board.run(LINES), "the accounts")
        line = self.open_line(board, "alice")
        line.find("#reason-alice").type("Too loud", Keys.ENTER)
        board.find("#accounts-done").reads("alice is suspended.")
        line.tells("suspended: Too loud")
        line.find("summary").takes_focus()
        alice.door()
        alice.find("#door-error").reads("This account is suspended: Too loud")
        alice.new_errors()
        alice.find("#password").type("correct horse", Keys.ENTER)
        alice.find("#door-error").reads("This account is suspended: Too loud")
        alice.refresh()
        alice.find("#door-error").reads("This account is suspended: Too loud")
        alice.new_errors()
        line.find("form .primary").click()
        board.find("#accounts-done").reads("alice can sign in again.")
        # A worker believes for half a second what it has read of somebody whom nobody follows there.
        until("her session is good again", lambda: "alice" in str(alice.request("GET", "/v1/session")))
        alice.refresh()
        alice.live()
        # Neither themselves nor one another.
        self.open_line(board, "root").find("#todos-root").shows()
        self.assertEqual(board.count(".account-line[data-uid='root'] form"), 1)

    def test_accounts_are_searched_and_limited(self):
        for number in range(3):
            self.add_user(f"bob{number}", "correct horse")
        board = self.signed_in(user="root")
        self.open_section(board)
        board.find("#search-accounts").type("bob")
        expect(["bob0", "bob1", "bob2"], lambda: board.run(LINES), "the accounts found")
        line = self.open_line(board, "bob1")
        line.find("#todos-bob1").type("7")
        line.find("#bytes-bob1").type("2", Keys.ENTER)
        board.find("#accounts-done").reads("The limits of bob1 are saved.")
        line.tells("own limits")
        self.assertIn("of 1.9 MiB", self.todomate("user", "list", "--prefix", "bob1"))
        line.find("#todos-bob1").holds("7")
        for field, words, fault in (
            ("writes", "0", "Writes in a minute: a whole number from 1 to 60,000, or nothing."),
            ("todos", "50001", "Number of todos: a whole number from 0 to 50,000, or nothing."),
            ("tokens", "1.5", "Number of tokens: a whole number from 0 to 500, or nothing."),
            ("bytes", "1074", "Size of the todos, in MB: a number from 0 to 1,073, or nothing."),
            ("invitations", "-1", "Open invitations: a whole number from 0 to 50, or nothing."),
        ):
            board.retype(line.find(f"#{field}-bob1"), words, Keys.ENTER)
            line.find(".error:not(:empty)").reads(fault)
            line.find(f"#{field}-bob1").says("aria-invalid", "true")
            # What remains of it is mended.
            board.retype(line.find(f"#{field}-bob1"))
            line.find(f"#{field}-bob1").says("aria-invalid", None)
        self.assertEqual(board.new_errors(), [])
        board.retype(board.find("#search-accounts"), "nobody")
        expect([], lambda: board.run(LINES), "the accounts found")
        board.find("#accounts-done").reads("There is no such account.")

    def test_it_is_seen_who_leaves_and_who_has_a_second_factor(self):
        self.add_user("bob", "correct horse")
        self.todomate("user", "leave", "alice")
        self.redis.cli("HSET", "todomate:{bob}:factor", "secret", "sealed", "since", "1", "step", "1")
        board = self.signed_in(user="root")
        self.open_section(board)
        board.find(".account-line[data-uid='alice'] .note").tells("to be deleted: ")
        board.find(".account-line[data-uid='bob'] .note").tells("second factor")
        self.assertNotIn("second factor", board.find(".account-line[data-uid='alice'] .note").text)

    def test_an_announcement_shows_to_all_and_is_taken_away(self):
        alice, board = self.signed_in(1), self.signed_in(user="root")
        self.open_section(board)
        board.find("#announce-text").type(Keys.ENTER)
        board.find("#announce-error").reads("Write what everybody is to be told.")
        board.find("#announce-text").type("Back at <b>noon</b>", Keys.ENTER)
        board.find("#announce-done").tells("It shows until")
        alice.find(".announcement p").reads("Back at <b>noon</b>")
        alice.find(".announcement").says("role", "status")
        # At the door as well, without a reload of those who are in.
        self.board().find(".announcement p").reads("Back at <b>noon</b>")
        alice.find(".announcement .shut").click()
        alice.find(".announcement p").is_gone()
        alice.refresh()
        alice.live()
        alice.find(".announcement p").is_gone()
        self.todomate("announce", "Now in both", "--ko", "두 언어로", "--level", "warning")
        alice.find(".announcement p").reads("Now in both")
        alice.choose_account("language")
        alice.find(".announcement p").reads("두 언어로")
        board.find("#announce-end").click()
        board.find("#announce-done").reads("Nothing is announced any more.")
        alice.find(".announcement p").is_gone()

    def test_is_for_all_eyes_hands_and_screen_readers(self):
        self.todomate("user", "suspend", "alice", "--reason", "Too loud")
        self.todomate("announce", "Back at noon", "--level", "warning")
        board = self.signed_in(user="root")
        self.open_section(board)
        for uid in ("alice", "root"):
            self.open_line(board, uid).find("form").shows()
        for scheme in ("light", "dark"):
            board.emulate_scheme(scheme, motion="reduce")
            found = board.run(CONTRAST)
            self.assertEqual(found["poor"], [], scheme)
        for size in ((390, 844), (1280, 800)):
            board.emulate_size(*size)
            self.assertEqual(board.run(SMALL_TARGETS), [], size)
        self.assertEqual(board.run(DUPLICATE_IDS), [])
        tree = board.command("Accessibility.getFullAXTree")["nodes"]
        shown = [node for node in tree if not node["ignored"] and node["role"]["value"] in ("button", "textbox", "spinbutton", "combobox", "searchbox", "list")]
        nameless = [node["role"]["value"] for node in shown if not node["name"]["value"].strip()]
        self.assertGreater(len(shown), 15)
        self.assertEqual([role for role in nameless if role != "list"], [])

    def test_ends_when_the_role_is_taken_away(self):
        board = self.signed_in(user="root")
        self.open_section(board)
        self.todomate("user", "role", "root", "none")
        board.find("#look-again").click()
        board.find("#operator-error").reads("You may not do this, or not to this account.")
        board.new_errors()

    def test_speaks_korean_and_fits_a_phone(self):
        self.todomate("announce", "A long announcement that does not fit into one line of a phone", "--ko", "공지입니다")
        board = self.signed_in(user="root", languages="ko-KR,ko")
        board.emulate_size(360, 640)
        board.find(".announcement p").reads("공지입니다")
        section = self.open_section(board)
        section.find("h3").reads("운영")
        section.find(".figures").tells("계정 2개")
        line = self.open_line(board, "alice")
        line.tells("당사자에게 알릴 이유")
        board.retype(line.find("#writes-alice"), "0", Keys.ENTER)
        line.tells("1분에 쓰는 횟수: 1에서 60,000까지의 정수를 쓰거나 비워 두십시오.")
        self.assertTrue(board.run(FITS))
        words = board.run("return document.querySelector('.operator').innerText")
        self.assertNotIn("undefined", words)


if __name__ == "__main__":
    main()
