"""What people do about their own accounts: the panel, and what it changes."""
import json
import urllib.error
import urllib.request

from selenium.webdriver.common.keys import Keys

from appearance import DUPLICATE_IDS
from waiting import expect, until
from world import Scenario, main


class MyAccount(Scenario):
    def open_section(self, board, key):
        """Opens the panel, and a section of it."""
        board.open_account()
        board.find("#my-account").click()
        board.find("dialog.settings").shows()
        board.find(f".setting.{key} summary").click()
        return board.find(f".setting.{key}")

    def test_another_password_signs_out_everywhere_else(self):
        here, there = self.signed_in(), self.signed_in(1)
        tab = self.board(beside=here)
        tab.live()
        self.open_section(here, "password")

        def refused(current, chosen, because):
            here.retype(here.find("#current-password"), current)
            here.retype(here.find("#new-password"), chosen)
            here.press(Keys.ENTER)
            here.find("#password-error").tells(because)

        refused("not hers", "battery staple", "The current password is wrong.")
        refused("correct horse", "short", "At least 8 characters")
        refused("correct horse", "alice", "not your user name")
        here.new_errors()
        here.retype(here.find("#current-password"), "correct horse")
        here.find(".setting.password .tick").click()
        here.find("#new-password").says("type", "text")
        # The box stands beside its words.
        self.assertLess(here.run("return document.querySelector('.setting.password .tick span').offsetHeight"), 40)
        here.retype(here.find("#new-password"), "battery staple", Keys.ENTER)
        # What is typed there next is not for all to see.
        here.find("#new-password").says("type", "password")
        here.find("#password-done").tells("Your password is changed.")
        here.find("#current-password").holds("")
        there.door()
        here.escape()
        here.live()
        here.add("still here")
        self.assertSaved(here, ["still here"], None)
        # Another tab of this browser has the new cookie as well.
        expect(["still here"], tab.contents, "the other tab")
        there.sign_in("alice", "battery staple")
        expect(["still here"], there.contents, "the other browser, signed in again")

    def test_another_device_is_ended(self):
        here, there = self.signed_in(), self.signed_in(1)
        section = self.open_section(here, "devices")
        lines = "return [...document.querySelectorAll('.devices .entry')].map((line) => line.innerText)"
        expect(2, lambda: len(here.run(lines)), "the number of sign-ins")
        self.assertEqual(sum("this device" in line for line in here.run(lines)), 1)
        self.assertTrue(all("Chrome on Linux" in line for line in here.run(lines)))
        section.find(".entry .quiet").click()
        section.find("#devices-done").reads("Ended.")
        there.door()
        expect(1, lambda: len(here.run(lines)), "the number of sign-ins")
        there.sign_in("alice", "correct horse")
        here.escape()
        self.open_section(here, "devices").find("#end-others").click()
        here.find("#devices-done").reads("One session ended.")
        there.door()
        here.escape()
        here.live()

    def test_a_token_is_made_copied_used_and_ended(self):
        board = self.signed_in()
        section = self.open_section(board, "tokens")
        section.find("#token-name").type(Keys.ENTER)
        board.find("#tokens-error").reads("Say what the token is for.")
        section.find("#token-name").type("backup", Keys.ENTER)
        field = section.find("#new-token").shows()
        field.takes_focus()
        token = field.value
        section.find("#copy-token").click()
        until("it says what became of it", lambda: board.find("#tokens-done").text)
        section.find(".entry").tells("backup")
        section.find(".entry").tells("Read")
        self.assertEqual(self.ask(token, "GET"), 200)
        self.assertEqual(self.ask(token, "POST"), 403)
        section.find(".entry .quiet").click()
        board.find("#tokens-done").reads("Ended.")
        until("it opens nothing", lambda: self.ask(token, "GET") == 401)
        self.assertEqual(board.count(".tokens .entry"), 0)
        # What is shown once is not shown again.
        board.escape()
        self.open_section(board, "tokens").find("#token-name").shows()
        self.assertNotIn(token, board.source())

    def ask(self, token, method):
        """The status that a program gets for reading or writing alice's todos."""
        body = json.dumps({"content": "by a program", "date": "2026-11-20"}).encode() if method == "POST" else None
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        request = urllib.request.Request(f"{self.workers[1].url}v1/users/alice/todos", body, headers, method=method)
        try:
            with urllib.request.urlopen(request) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            return error.code

    def test_a_sign_in_elsewhere_is_told_and_ended(self):
        here = self.signed_in()
        there = self.signed_in(1)
        toast = here.toast("Someone signed in as you: Chrome on Linux")
        toast.find(".act").click()
        here.toast("Ended.")
        there.door()
        here.live()

    def test_what_was_made_elsewhere_is_told_once_also_when_nobody_looked(self):
        here = self.signed_in()
        here.driver.get("about:blank")
        there = self.signed_in(1)
        here.driver.get(here.url)
        here.toast("Someone signed in as you: Chrome on Linux")
        self.open_section(there, "tokens").find("#token-name").type("backup", Keys.ENTER)
        there.find("#new-token").shows()
        here.toast("A token was made for your account, “backup”: Chrome on Linux")
        there.find(".setting.tokens .entry .note").tells("Chrome on Linux · 127.0.0.0/24 · since")
        here.refresh()
        here.live()
        there.live()
        for page in (here, there):
            self.assertEqual(page.count(".toast.decision, .toast .act"), 0)

    def test_what_happened_is_told(self):
        board = self.signed_in()
        self.open_section(board, "tokens").find("#token-name").type("backup", Keys.ENTER)
        board.find("#new-token").shows()
        board.find(".setting.events summary").click()
        lines = "return [...document.querySelectorAll('.events .entry p:first-child')].map((line) => line.innerText)"
        expect(["Token made", "Signed in"], lambda: board.run(lines), "what happened")
        board.find(".events").tells("backup")

    def test_what_one_may_have_is_told(self):
        board = self.signed_in()
        board.add("Buy milk")
        self.assertSaved(board, ["Buy milk"], None)
        self.todomate("user", "limit", "alice", "--todos", "20000", "--tokens", "0", "--writes", "600/min")
        section = self.open_section(board, "limits")
        section.find("[data-kind=todos]").tells("1 of 20,000 · as the operator allows you")
        section.find("[data-kind=bytes]").tells("of 32 MiB")
        section.find("[data-kind=streams]").tells("of 1,000")
        section.find("[data-kind=writes]").tells("at most 600 · as the operator allows you")
        self.assertEqual(board.run("return document.querySelector('[data-kind=goals]').innerText.includes('operator')"), False)
        self.assertEqual(board.run(DUPLICATE_IDS), [])
        # One who may make no token is not told a number that is another one's.
        board.find(".setting.tokens summary").click()
        board.find("#token-name").type("backup", Keys.ENTER)
        board.find("#tokens-error").reads("You have as many tokens as you may: end some first.")
        board.new_errors()

    def test_opens_and_closes_by_the_keyboard_and_at_the_door(self):
        board = self.signed_in()
        section = self.open_section(board, "password")
        section.find("#current-password").shows()
        # What is typed here is not meant for the board.
        board.press("x")
        board.escape()
        board.find("#account").takes_focus()
        board.press(Keys.ENTER)
        board.press(*4 * [Keys.TAB], Keys.ENTER)
        board.find("dialog.mine #settings-title").takes_focus()

    def test_no_sheet_stays_open_at_the_door(self):
        for button in ("#my-account", "#goals", "#routines", "#deleted", "#search"):
            with self.subTest(button):
                board = self.signed_in()
                if button != "#search":
                    board.open_account()
                board.find(button).click()
                board.find("dialog.settings").shows()
                self.leave(board)

    def test_no_panel_of_a_todo_stays_open_at_the_door(self):
        board = self.signed_in()
        board.add("a secret")
        board.part("a secret", "grip").click()
        board.find("dialog.menu").shows()
        self.leave(board)

    def leave(self, board):
        """The session ends elsewhere."""
        board.driver.delete_all_cookies()
        board.run("new BroadcastChannel('todomate.session').postMessage('changed')")
        board.door()
        expect(0, lambda: board.count("dialog"), "the number of open panels")

    def test_speaks_korean_and_fits_a_phone(self):
        board = self.signed_in(languages="ko-KR,ko")
        board.emulate_size(360, 640)
        self.open_section(board, "password").tells("현재 비밀번호")
        board.find("#settings-title").reads("내 계정")
        width = "return document.querySelector('dialog').scrollWidth <= innerWidth && document.documentElement.scrollWidth <= innerWidth"
        self.assertTrue(board.run(width))


if __name__ == "__main__":
    main()
