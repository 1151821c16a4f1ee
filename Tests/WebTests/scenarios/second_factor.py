"""A second factor: set up under my account, and asked for at the door."""
import base64
import hashlib
import hmac
import struct
import subprocess
import time

from selenium.webdriver.common.keys import Keys

import appearance
from waiting import expect, until
from world import PROGRAM, Scenario, main

PASSWORD = "correct horse"


def code_at(secret, step):
    """The code of a step, as RFC 6238 says it and an app would show it."""
    key = base64.b32decode(secret.replace(" ", ""))
    digest = hmac.new(key, struct.pack(">Q", step), hashlib.sha1).digest()
    start = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[start:start + 4])[0] & 0x7FFFFFFF) % 1_000_000:06}"


class SecondFactor(Scenario):
    def setUp(self):
        super().setUp()
        self.last = 0

    def next_code(self, secret):
        """A code that was not used yet; the app shows another one every 30 seconds."""
        def step():
            now, seconds = divmod(time.time(), 30)
            # The server takes that of the step before and of the next one as well; the one before may be over before it is typed.
            first = int(now) if seconds > 10 else int(now) - 1
            return next((one for one in range(first, int(now) + 2) if one > self.last), None)

        self.last = until("there is a code that was not used", step)
        return code_at(secret, self.last)

    def open_section(self, board):
        board.open_account()
        board.find("#my-account").click()
        board.find("dialog.settings").shows()
        board.find(".setting.factor summary").click()
        return board.find(".setting.factor")

    def set_up(self, board):
        """Turns it on, by the keyboard alone from the password on; the secret, and the recovery codes."""
        self.open_section(board).find("#factor-password").type(PASSWORD, Keys.ENTER)
        secret = board.find("#factor-key").shows().value
        board.find("#first-code").type(self.next_code(secret), Keys.ENTER)
        board.find(".codes").shows()
        return secret, board.find(".codes").text.split()

    def leave(self, board):
        if board.count("dialog"):
            board.escape()
        board.choose_account("leave")
        board.door()

    def test_is_set_up_and_asked_for_at_the_door(self):
        board, elsewhere = self.signed_in(), self.signed_in(1)
        section = self.open_section(board)
        section.tells("Your password alone signs you in.")
        section.find("#factor-password").type(Keys.ENTER)
        board.find("#factor-error").reads("Type your password.")
        section.find("#factor-password").type("not hers", Keys.ENTER)
        board.find("#factor-error").reads("The current password is wrong.")
        board.find("#factor-password").takes_focus()
        board.retype(board.find("#factor-password"), PASSWORD, Keys.ENTER)
        secret = board.find("#factor-key").shows().value
        self.assertEqual(len(secret.replace(" ", "")), 32)
        picture = "const p = document.querySelector('.qr'); return [p.getAttribute('aria-label'), p.clientWidth, p.clientHeight, getComputedStyle(p).stroke]"
        # Lines of the page's own pictures would make it unreadable.
        self.assertEqual(board.run(picture), ["QR code of the key below", 200, 200, "none"])
        self.assertTrue(board.find("#factor-link").attribute("href").startswith("otpauth://totp/TodoMate:alice?secret="))
        board.find("#first-code").type(Keys.ENTER)
        board.find("#factor-error").reads("Type the code.")
        board.find("#first-code").type(code_at(secret, 1), Keys.ENTER)
        board.find("#factor-error").tells("The code is wrong")
        board.find("#first-code").takes_focus()
        board.retype(board.find("#first-code"), self.next_code(secret), Keys.ENTER)
        board.find("#factor-done").reads("Your second factor is on. You are signed out everywhere else; tokens go on.")
        codes = board.find(".codes").text.split()
        self.assertEqual(len(set(codes)), 10)
        elsewhere.door()
        board.find("#codes-kept").click()
        section.tells("10 recovery codes are left.")
        self.assertNotIn(codes[0], board.source())
        self.assertNotIn(secret.replace(" ", ""), board.source().replace(" ", ""))
        self.leave(board)
        board.new_errors()

        board.retype(board.find("#user"), "alice")
        board.retype(board.find("#password"), "not hers", Keys.ENTER)
        board.find("#door-error").reads("The user or the password is wrong. Capitals count in both.")
        self.assertEqual(board.count("#code"), 0)
        board.retype(board.find("#password"), PASSWORD, Keys.ENTER)
        board.find("#code").takes_focus()
        board.find("#code-hint").reads("Six digits from your authenticator app, or a recovery code.")
        self.assertEqual(board.run("return document.activeElement.labels[0].innerText"), "Code of your second factor")
        board.press(code_at(secret, 1), Keys.ENTER)
        board.find("#door-error").tells("The code is wrong")
        board.find("#code").takes_focus()
        board.retype(board.find("#code"), self.next_code(secret), Keys.ENTER)
        board.live()
        board.new_errors()
        self.leave(board)
        # What was asked of one is not asked of the next.
        board.find("#code").is_gone()
        board.retype(board.find("#password"), PASSWORD, Keys.ENTER)
        board.find("#code").takes_focus()
        board.find("#code").holds("")
        board.press(codes[0].replace("-", " "), Keys.ENTER)
        board.live()
        board.new_errors()
        section = self.open_section(board)
        section.tells("9 recovery codes are left.")
        board.find(".setting.events summary").click()
        told = "return [...document.querySelectorAll('.events .entry p:first-child')].map((line) => line.innerText)"
        until("the events tell it", lambda: {"Second factor turned on", "Wrong code", "Recovery code used, 9 left"} <= set(board.run(told)))

    def test_other_recovery_codes_and_off(self):
        board = self.signed_in()
        secret, codes = self.set_up(board)
        board.find("#codes-kept").click()
        board.find("#factor-password").takes_focus()
        board.press(PASSWORD)
        board.find("#factor-code").type(codes[0], Keys.ENTER)
        board.find("#factor-done").reads("Those of before are no good any more.")
        others = board.find(".codes").text.split()
        self.assertEqual(set(others) & set(codes), set())
        board.find("#codes-kept").click()
        board.find("#factor-password").type(PASSWORD)
        board.find("#factor-code").type(codes[1])
        turn_off = board.find(".setting.factor form .quiet")
        turn_off.reads("Turn it off")
        turn_off.click()
        board.find("#factor-error").tells("The code is wrong")
        board.find("#factor-code").takes_focus()
        board.retype(board.find("#factor-code"), others[0])
        turn_off.click()
        board.find("#factor-done").reads("Your second factor is off.")
        board.new_errors()
        self.leave(board)
        board.retype(board.find("#password"), PASSWORD, Keys.ENTER)
        board.live()

    def test_a_link_for_a_new_password_asks_for_it(self):
        board = self.signed_in()
        _, codes = self.set_up(board)
        command = [PROGRAM, "user", "reset", "alice", "--redis", f"unix://{self.redis.socket}"]
        link = subprocess.run(command, text=True, check=True, capture_output=True).stdout.strip()
        page = self.board(1)
        page.load(lambda: page.driver.get(f"{page.url}#{link.split('#')[1]}"))
        page.find("#join-password").type("battery staple", Keys.ENTER)
        page.find("#join-code").takes_focus()
        page.press("000000", Keys.ENTER)
        page.find("#join-error").tells("The code is wrong")
        page.retype(page.find("#join-code"), codes[5], Keys.ENTER)
        page.live()
        board.door()
        page.new_errors()
        board.new_errors()

    def test_looks_and_languages(self):
        board = self.signed_in(languages="ko-KR,ko")
        for size in ((360, 640), (1280, 800)):
            board.emulate_size(*size)
            section = self.open_section(board)
            section.tells("2단계 인증")
            section.find("#factor-password").type(PASSWORD, Keys.ENTER)
            board.find("#factor-key").shows()
            section.tells("인증 앱으로 이 그림을 찍거나")
            self.fits(board, size)
            board.escape()
        _, codes = self.set_up(board)
        board.find("#factor-done").tells("2단계 인증을 켰습니다.")
        for size in ((360, 640), (1280, 800)):
            board.emulate_size(*size)
            self.fits(board, size)
        board.find("#codes-kept").click()
        board.find(".setting.factor").tells("복구 코드가 10개 남았습니다.")
        board.find("#factor-password").shows()
        self.fits(board, "the section that is on")
        self.leave(board)
        board.emulate_size(360, 640)
        board.emulate_scheme("dark", motion="reduce")
        board.retype(board.find("#password"), PASSWORD, Keys.ENTER)
        board.find("#code-hint").reads("인증 앱에 보이는 숫자 여섯 자리나 복구 코드를 입력하십시오.")
        self.fits(board, "the door")
        board.press("123456", Keys.ENTER)
        board.find("#door-error").tells("코드가 틀렸거나")
        board.find("#language").click()
        expect("en", board.language, "the language")
        board.find("#code-hint").reads("Six digits from your authenticator app, or a recovery code.")
        board.find("#door-error").tells("The code is wrong")
        board.retype(board.find("#code"), codes[0], Keys.ENTER)
        board.live()
        board.new_errors()

    def fits(self, board, look):
        self.assertEqual(board.run(appearance.CONTRAST)["poor"], [], look)
        self.assertEqual(board.run(appearance.SMALL_TARGETS), [], look)
        self.assertFalse(board.run(appearance.WIDER_THAN_WINDOW), look)
        self.assertEqual(board.run(appearance.DUPLICATE_IDS), [], look)
        wide = "const d = document.querySelector('dialog'); return d ? d.scrollWidth <= d.clientWidth : true"
        self.assertTrue(board.run(wide), look)


if __name__ == "__main__":
    main()
