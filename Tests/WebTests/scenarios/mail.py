"""Who sets a forgotten password by mail: over a real mail server."""
import http.server
import json
import os
import re
import tempfile
import threading

from selenium.webdriver.common.keys import Keys

import appearance
from waiting import expect, until
from world import Process, Scenario, main
from providers import free_port

SERVER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mailbox", "server.py")
FITS = "return document.documentElement.scrollWidth <= innerWidth && (document.querySelector('dialog')?.scrollWidth ?? 0) <= innerWidth"
ADDRESS = "alice@mail.example"


class Elsewhere(http.server.BaseHTTPRequestHandler):
    """Another site, which notes where its visitors say that they come from."""

    def do_GET(self):
        # Not for the icon, which the browser asks for from there.
        if self.path == "/":
            self.server.referrers.append(self.headers.get("Referer"))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_):
        pass


class Mail(Scenario):
    def setUp(self):
        self.port = free_port("127.0.0.1")
        folder = tempfile.TemporaryDirectory(prefix="todomate-mailbox-")
        self.addCleanup(folder.cleanup)
        self.mailbox = folder.name
        server = Process(["/usr/bin/python3", "-B", SERVER, folder.name], f"{folder.name}/log")
        self.addCleanup(server.stop)
        server.start()
        port = until("the mail server listens", lambda: re.match(r"ready (\d+)\n", server.said()))[1]
        settings = f"{folder.name}/mail.json"
        with open(settings, "w", encoding="utf-8") as file:
            json.dump({"server": f"smtp://127.0.0.1:{port}", "from": "TodoMate <todo@todo.example>"}, file)
        os.chmod(settings, 0o600)
        self.options = ("--mail-file", settings, "--public-url", f"http://127.0.0.1:{self.port}")
        super().setUp()

    def mails(self, count):
        """What has come, once it is as many."""
        def read():
            try:
                with open(f"{self.mailbox}/mails", encoding="utf-8") as file:
                    mails = [json.loads(line) for line in file]
            except FileNotFoundError:
                return False
            return len(mails) >= count and mails
        mails = until(f"{count} mails come", read)
        self.assertEqual(len(mails), count)
        return mails

    def ticket(self, mail):
        """What its link has behind the address, which must be the first worker's."""
        link = next(word for word in mail["text"].split() if word.startswith("http") and "#" in word)
        self.assertTrue(link.startswith(f"http://127.0.0.1:{self.port}/#"), link)
        return "#" + link.split("#")[1]

    def open_section(self, board):
        board.open_account()
        board.find("#my-account").click()
        board.find("dialog.settings").shows()
        board.find(".setting.mail summary").click()
        return board.find(".setting.mail")

    def opened(self, ticket, **options):
        page = self.board(**options)
        page.driver.get("about:blank")
        page.load(lambda: page.driver.get(page.url + ticket))
        return page

    def assertNoSecret(self, page, ticket):
        """Nothing tells it: not the page, its address or what it asked for, no log, and no site that it leads to."""
        secret = ticket.split(".")[-1]
        asked = "return performance.getEntriesByType('resource').map((entry) => entry.name).join()"
        for place in (page.driver.current_url, page.source(), page.run(asked), *(worker.said() for worker in self.workers)):
            self.assertNotIn(secret, place)

    def assertNoReferrer(self, page):
        """The link of a reset in a referrer: where the page leads from here, nobody learns where from."""
        other = http.server.ThreadingHTTPServer(("127.0.0.2", 0), Elsewhere)
        other.referrers = []
        threading.Thread(target=other.serve_forever, daemon=True).start()
        self.addCleanup(other.server_close)
        self.addCleanup(other.shutdown)
        page.run("location.assign(arguments[0])", f"http://127.0.0.2:{other.server_port}/")
        until("the other site is asked", lambda: other.referrers)
        self.assertEqual(set(other.referrers), {None})

    def test_from_an_address_to_another_password(self):
        board = self.signed_in()
        section = self.open_section(board)
        board.find("#mail-state").tells("With a mail address you can set a new password")
        for address, password, because, field in (
            ("", "correct horse", "looks like alice@example.org", "mail-address"),
            ("alice", "correct horse", "looks like alice@example.org", "mail-address"),
            ("앨리스@example.org", "correct horse", "Before the @ there can only be the letters a to z", "mail-address"),
            (ADDRESS, "", "Type your password.", "mail-password"),
            (ADDRESS, "wrong", "The current password is wrong.", "mail-password"),
        ):
            board.retype(board.find("#mail-address"), address)
            board.retype(board.find("#mail-password"), password, Keys.ENTER)
            board.find("#mail-error").tells(because)
            board.find(f"#{field}").takes_focus()
            board.find(f"#{field}").says("aria-invalid", "true")
        board.new_errors()
        board.retype(board.find("#mail-password"), "correct horse", Keys.ENTER)
        board.find("#mail-done").tells("Open the link in that mail")
        section.tells(f"A link was sent to {ADDRESS}")
        mail = self.mails(1)[0]
        self.assertEqual(mail["to"], [ADDRESS])

        ticket = self.ticket(mail)
        page = self.opened(ticket)
        page.find("#mail-title").reads("Is this your mail address?")
        page.find("#mail-title").takes_focus()
        page.find("#mail-link").tells("Mail for alice goes to the address where you found this link")
        self.assertNoSecret(page, ticket)
        # By the keyboard alone.
        page.press(Keys.TAB, Keys.ENTER)
        page.toast(f"Mail for alice goes to {ADDRESS} from now on.")
        page.find("#mail-link").is_gone()
        page.door()
        self.assertEqual(self.redis.cli("HGET", "todomate:{alice}:profile", "mail"), ADDRESS)
        self.assertNoReferrer(page)
        board.refresh()
        board.live()
        self.open_section(board)
        board.find("#mail-state").tells(f"Mail goes to {ADDRESS}.")

        lost = self.board()
        lost.door()
        lost.find("#forgotten").click()
        lost.find("#door-error").tells("Type the name of your account")
        lost.find("#user").takes_focus()
        lost.find("#user").type("alice")
        lost.find("#forgotten").click()
        lost.find("#forgotten-done").tells("If the account alice has a confirmed mail address")
        ticket = self.ticket(self.mails(2)[1])
        lost.retype(lost.find("#user"), "nobody")
        lost.find("#forgotten").click()
        lost.find("#forgotten-done").tells("If the account nobody has a confirmed mail address")

        page = self.opened(ticket)
        page.find("#join-title").reads("A new password")
        self.assertNoSecret(page, ticket)
        page.find("#join-password").type("another horse", Keys.ENTER)
        page.live()
        page.find("#who").reads("alice")
        board.door()
        self.assertNoSecret(page, ticket)
        late = self.opened(ticket)
        late.find("#join-password").type("third horses", Keys.ENTER)
        late.find("#join-error").tells("This link is not valid any more")
        self.assertNoReferrer(late)
        self.assertEqual(len(self.mails(2)), 2)
        lost.new_errors()

        self.open_section(page)
        page.find("#mail-password").type("another horse")
        page.find("#remove-mail").click()
        page.find("#mail-done").reads("There is no mail address any more.")
        page.find("#remove-mail").is_gone()
        self.assertEqual(self.mails(3)[2]["to"], [ADDRESS])
        page.find(".setting.events summary").click()
        page.find(".setting.events").tells("Mail address taken away")
        page.new_errors()

    def assertLooks(self, page, look):
        self.assertEqual(page.run(appearance.CONTRAST)["poor"], [], look)
        for size in ((390, 844), (1280, 800)):
            page.emulate_size(*size)
            self.assertEqual(page.run(appearance.SMALL_TARGETS), [], f"{look} at {size}")
            self.assertTrue(page.run(FITS), f"{look} at {size}")
            self.assertEqual(page.run(appearance.DUPLICATE_IDS), [])

    def test_looks(self):
        for scheme in ("light", "dark"):
            page = self.board(dark=scheme == "dark")
            page.emulate_scheme(scheme, motion="reduce")
            page.door()
            page.find("#user").type("alice")
            page.find("#forgotten").click()
            page.find("#forgotten-done").tells("If the account alice")
            self.assertLooks(page, f"the door, {scheme}")
            page.run("location.hash = arguments[0]", "#mail=alice." + "x" * 32)
            page.find("#confirm-mail").click()
            page.find("#mail-link-error").tells("not valid any more")
            self.assertLooks(page, f"the question, {scheme}")
            if os.environ.get("TODOMATE_PICTURES"):
                page.driver.save_screenshot(f"{os.environ['TODOMATE_PICTURES']}/mail-{scheme}.png")
            page.find("#cancel-mail").click()
            page.sign_in("alice", "correct horse")
            self.open_section(page)
            page.find("#save-mail").click()
            page.find("#mail-error").tells("looks like alice@example.org")
            self.assertLooks(page, f"my account, {scheme}")
            page.new_errors()
            page.close()

    def test_in_korean_on_a_phone(self):
        board = self.signed_in(languages="ko-KR,ko")
        board.emulate_size(360, 640)
        section = self.open_section(board)
        section.tells("다른 사람에게는 보이지 않습니다")
        self.assertTrue(board.run(FITS))
        board.find("#mail-address").type(ADDRESS)
        board.find("#mail-password").type("correct horse", Keys.ENTER)
        board.find("#mail-done").tells("보냈습니다")
        mail = self.mails(1)[0]
        self.assertIn("하루 안에", mail["text"])
        self.assertTrue(board.run(FITS))
        ticket = self.ticket(mail)
        # Who is signed in may stay so.
        board.find("dialog.settings .round").click()
        board.run("location.hash = arguments[0]", ticket)
        board.find("#mail-title").reads("본인의 메일 주소입니까?")
        self.assertTrue(board.run(FITS))
        board.find("#cancel-mail").click()
        board.find("#mail-link").is_gone()
        self.assertEqual(self.redis.cli("HEXISTS", "todomate:{alice}:profile", "mail"), "0")
        board.run("location.hash = arguments[0]", ticket)
        board.find("#confirm-mail").click()
        board.toast(ADDRESS)
        board.live()
        board.run("location.hash = arguments[0]", ticket)
        board.find("#confirm-mail").click()
        board.find("#mail-link-error").tells("더는 쓸 수 없는 링크입니다")
        board.find("#cancel-mail").click()
        board.run("location.hash = arguments[0]", "#mail=broken")
        board.toast("더는 쓸 수 없는 링크입니다")
        # The link that was used, which the browser notes.
        self.assertTrue(all("mail-confirmation" in error and "404" in error for error in board.new_errors()))


if __name__ == "__main__":
    main()
