"""The ways out: people take their data along, delete their accounts, and change their minds."""
from selenium.webdriver.common.keys import Keys

from device import KEPT
from waiting import expect, until
from world import Scenario, main

# From now on no todo is taken, nor by the service worker.
NONE_TAKEN = """
if (globalThis.SyncManager) SyncManager.prototype.register = async () => {};
const real = globalThis.fetch;
globalThis.fetch = (path, options) => (options?.method === 'POST' && `${path}`.endsWith('/todos')
  ? Promise.resolve(new Response('{"type":"urn:todomate:problem:unavailable"}', { status: 503 })) : real(path, options));
"""

# Somebody on the way answers in the place of a server that is being replaced.
STRANGER = """
const real = globalThis.fetch;
globalThis.fetch = (path, options) => (`${path}`.endsWith('/deletion')
  ? Promise.resolve(new Response('<h1>Not found</h1>', { status: arguments[0] })) : real(path, options));
"""

ARCHIVE = "const done = arguments[0]; fetch(document.querySelector('a.fetch').href).then((answer) => answer.text()).then(done)"
FITS = "return document.documentElement.scrollWidth <= innerWidth && (document.querySelector('dialog')?.scrollWidth ?? 0) <= innerWidth"


class WaysOut(Scenario):
    def open_section(self, board, key):
        """Opens the panel, and a section of it."""
        board.open_account()
        board.find("#my-account").click()
        board.find("dialog.settings").shows()
        board.find(f".setting.{key} summary").click()
        return board.find(f".setting.{key}")

    def decide(self, board, password="correct horse"):
        """Gives the password, and says yes."""
        board.retype(board.find("#deletion-password"), password, Keys.ENTER)
        board.find("#deletion-question").takes_focus()
        board.find("#confirm-deletion").click()

    def archive(self, board):
        """What the link of the page fetches."""
        return board.driver.execute_async_script(ARCHIVE)

    def test_all_data_are_taken_along(self):
        board = self.signed_in()
        board.add("to be kept")
        self.assertSaved(board, ["to be kept"], None)
        section = self.open_section(board, "archive")
        section.tells("todomate import")
        link = section.find("a.fetch").shows()
        self.assertEqual(link.attribute("download"), "todomate-alice.jsonl")
        archive = self.archive(board)
        self.assertIn('"content":"to be kept"', archive)
        self.assertNotIn("argon2", archive)

    def test_an_account_is_deleted_and_kept(self):
        self.add_user("bob", "correct horse")
        self.redis.cli("FCALL", "todomate_settings", "1", "todomate:{alice}", '{"audience":"public","name":"Alice A."}')
        here, there, friend = self.signed_in(), self.signed_in(1), self.signed_in(1, "bob")
        here.add("to be kept")
        friend.show("people")
        friend.follow("alice")
        expect(["to be kept"], lambda: friend.contents_of("alice"), "what bob sees")
        section = self.open_section(here, "deletion")
        here.find("#deletion-time").tells("For 7 days")
        section.tells("others see you no more")
        section.find("#ask-deletion").click()
        here.find("#deletion-error").reads("Type your password.")
        # By the keyboard alone, and first with a wrong password.
        self.decide(here, "wrong")
        here.find("#deletion-error").reads("The current password is wrong.")
        here.find("#deletion-password").takes_focus()
        here.new_errors()
        here.retype(here.find("#deletion-password"), "correct horse", Keys.ENTER)
        here.find("#deletion-question").takes_focus()
        here.find("#cancel-deletion").click()
        here.find("#ask-deletion").shows()
        here.retype(here.find("#deletion-password"), "correct horse", Keys.ENTER)
        here.find("#deletion-question").takes_focus()
        here.press(Keys.TAB, Keys.ENTER)
        here.find("#farewell-title").reads("Your account will be deleted")
        here.find("#farewell-title").takes_focus()
        here.find("#farewell-time").tells("Until then others do not see you")
        there.door()
        until("bob sees her no more", lambda: friend.contents_of("alice") == [])
        self.assertNotIn("Alice A.", friend.source())
        # Another device gets in, and sees the same.
        there.find("#password").type("correct horse", Keys.ENTER)
        there.find("#farewell-title").shows()
        there.refresh()
        there.find("#farewell-title").shows()
        self.assertIn('"content":"to be kept"', self.archive(there))
        there.find("#keep-account").click()
        there.live()
        there.toast("Your account is as it was.")
        expect(["to be kept"], there.contents, "what the page shows")
        expect(["to be kept"], lambda: friend.contents_of("alice"), "what bob sees")
        there.add("and more")
        expect(["to be kept", "and more"], lambda: friend.contents_of("alice"), "what bob sees")
        for board in (here, there, friend):
            board.new_errors()

    def delete_with_something_unsent(self, board):
        board.run(NONE_TAKEN)
        board.add("unsent")
        board.find("#pill").tells("1 unsaved")
        board.find("#new").type("half typed")
        self.open_section(board, "deletion")
        self.decide(board)
        board.find("#farewell-title").shows()

    def test_what_was_not_sent_is_there_when_the_account_is_kept(self):
        board = self.signed_in()
        board.live()
        self.delete_with_something_unsent(board)
        expect([], lambda: board.run(KEPT)["todos"], "what was seen")
        board.refresh()
        board.find("#keep-account").click()
        board.live()
        self.assertSaved(board, ["unsent"], None)
        board.find("#new").holds("half typed")
        board.new_errors()

    def test_nobody_on_the_way_is_believed_that_an_account_is_gone(self):
        board = self.signed_in()
        board.live()
        self.delete_with_something_unsent(board)
        for status in (404, 401):
            board.run(STRANGER, status)
            board.find("#keep-account").click()
            board.find("#farewell-error").shows()
            self.assertEqual(len(board.run(KEPT)["writes"]), 1, status)
        board.refresh()
        board.find("#keep-account").click()
        board.live()
        self.assertSaved(board, ["unsent"], None)
        board.find("#new").holds("half typed")

    def test_what_was_not_sent_goes_with_whoever_leaves(self):
        board = self.signed_in()
        board.live()
        other = self.board(beside=board)
        other.live()
        other.find("#new").type("half typed there")
        other.run(NONE_TAKEN)
        self.delete_with_something_unsent(board)
        other.find("#farewell-title").shows()
        self.assertEqual(len(board.run(KEPT)["writes"]), 1)
        board.find("#farewell-leave").click()
        for tab in (board, other):
            tab.door()
            expect("{}", lambda tab=tab: tab.run("return JSON.stringify(sessionStorage)"), "what the tab keeps")
        expect([[], []], lambda: [board.run(KEPT)[name] for name in ("users", "writes")], "what the device keeps")
        for tab in (board, other):
            tab.new_errors()

    def test_the_language_and_the_way_out_are_there(self):
        board = self.signed_in(languages="ko-KR,ko")
        board.emulate_size(360, 640)
        section = self.open_section(board, "deletion")
        section.tells("되돌릴 수 없습니다")
        board.find("#deletion-time").tells("7일")
        self.assertTrue(board.run(FITS))
        self.decide(board)
        board.find("#farewell-title").reads("계정이 삭제될 예정입니다")
        self.assertTrue(board.run(FITS))
        board.find("#language").click()
        board.find("#farewell-title").reads("Your account will be deleted")
        board.find("#farewell-leave").click()
        board.find("#door").shows()
        self.assertEqual(board.count("#farewell"), 0)
        board.new_errors()


class AtOnce(Scenario):
    options = ("--deletion-grace", "0")

    def test_an_account_is_deleted_at_once(self):
        board = self.signed_in()
        board.add("gone")
        self.assertSaved(board, ["gone"], None)
        board.run(NONE_TAKEN)
        board.add("unsent")
        board.find("#pill").tells("1 unsaved")
        board.find("#new").type("half typed")
        section = WaysOut.open_section(self, board, "deletion")
        section.find("#deletion-time").reads("All of it is gone for good at once.")
        WaysOut.decide(self, board)
        until("nothing is left", lambda: self.redis.cli("KEYS", "*alice*") == "")
        board.door()
        expect([[], []], lambda: [board.run(KEPT)[name] for name in ("users", "writes")], "what the device keeps")
        expect("{}", lambda: board.run("return JSON.stringify(sessionStorage)"), "what the tab keeps")
        board.new_errors()


if __name__ == "__main__":
    main()
