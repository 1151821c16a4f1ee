"""What somebody leaves on a device: nothing, once they have signed out, and nothing that another one sees."""
import json

from selenium.webdriver.common.keys import Keys

from board import FRAMES
from device import KEPT, Devices
from modules import run_with
from waiting import expect, until
from world import Scenario, main

EMPTY = {"users": [], "todos": [], "writes": [], "parked": []}
# All that caches have, and all that the tab and the browser keep as text.
TEXTS = """
const texts = [JSON.stringify(sessionStorage), JSON.stringify(localStorage)];
for (const name of await caches.keys()) {
  const cache = await caches.open(name);
  for (const request of await cache.keys()) texts.push(`${request.url} ${await (await cache.match(request)).text()}`);
}
return texts;
"""


class LeftBehind(Devices):
    def setUp(self):
        super().setUp()
        self.redis.add("a secret", self.today)
        self.page.row("a secret").shows()
        self.seen(["a secret"])

    def texts(self, page):
        return page.run(f"return (async () => {{ {TEXTS} }})()")

    def test_signing_out_deletes_it_for_all_tabs(self):
        page = self.page
        beside = self.device(beside=page)
        beside.row("a secret").shows()
        page.choose_account("leave")
        for tab in (page, beside):
            tab.door()
            expect(EMPTY, lambda tab=tab: self.kept(tab), "what the device keeps")
            texts = self.texts(tab)
            self.assertGreater(len(texts), 10)
            self.assertFalse([text for text in texts if "a secret" in text])
            self.assertFalse([text for text in texts if "/v1/" in text.split(" ")[0]])
        # The page itself opens, and shows nothing of hers.
        self.cut(page, beside)
        page.refresh()
        page.toast("The server does not answer")
        self.assertNotIn("a secret", page.source())
        self.assertEqual(page.contents(), [])

    def test_a_tab_that_reaches_nobody_believes_who_signed_out(self):
        page = self.page
        beside = self.device(beside=page)
        beside.row("a secret").shows()
        beside.find("#new").type("half a line")
        until("it is kept", lambda: any("half a line" in text for text in self.texts(beside)))
        beside.run(
            "const real = fetch; globalThis.fetch = (path, ...rest) => (path === '/v1/session' ? Promise.reject(new TypeError('cut')) : real(path, ...rest));"
        )
        page.choose_account("leave")
        beside.door()
        until("nothing is left", lambda: not any("half a line" in text for text in self.texts(beside)))

    def test_what_a_tab_hears_late_takes_nothing_from_who_is_here(self):
        look = "return new made.Keeping({ uid: null, place: 'board' }, {})"
        run_with(self.page, "keeping", f"{look}.forgetSeen('alice')")
        self.assertEqual(["a secret"], [each["todo"]["content"] for each in self.kept()["todos"]])
        run_with(self.page, "keeping", f"{look}.forget('bob')")
        self.assertEqual(self.page.run("return localStorage.getItem('todomate.kept')"), "yes")

    def test_what_waits_is_asked_about_and_then_deleted(self):
        page = self.page
        self.way.loses = "POST"
        page.add("unsent")
        page.find("#pill").tells("1 unsaved")
        page.choose_account("leave")
        page.toast("Some changes are not saved yet.").find(".act").click()
        page.door()
        expect(EMPTY, self.kept, "what the device keeps")

    def test_an_answer_that_comes_after_leaving_says_nothing_to_who_is_next(self):
        page = self.page
        self.add_user("bob", "correct horse")

        def routine():
            page.add("Take pills every day")

        def follow():
            page.show("people")
            page.follow("bob")

        for act, path, ends in (
            (routine, "/routines", "return real(path, options)"), (routine, "/routines", "throw new TypeError('no answer')"),
            (follow, "/following/", "return real(path, options)"), (follow, "/following/", "throw new TypeError('no answer')"),
        ):
            page.run(
                "const real = fetch; window.fetch = (path, options) => { if (!path.includes(arguments[0])) return real(path, options);"
                " const answer = (async () => { await new Promise((resume) => { window.go = resume; }); " + ends + "; })();"
                " window.over = answer.then(() => {}, () => {}); return answer; }",
                path,
            )
            act()
            until("it is asked", lambda: page.run("return Boolean(window.go)"))
            page.choose_account("leave")
            page.door()
            page.sign_in("bob", "correct horse")
            page.run("go(); return over")
            page.run(FRAMES)
            self.assertEqual((page.count(".toast"), page.run("return document.querySelector('#new').value")), (0, ""), (path, ends))
            page.choose_account("leave")
            page.door()
            page.refresh()
            page.sign_in("alice", "correct horse")

    def test_what_was_refused_is_asked_about_as_well(self):
        page = self.page
        self.cut()
        page.part("a secret", "words").double_click()
        page.retype(page.find(".edit-content"), "typed on the train", Keys.ENTER)
        page.find("#pill").tells("1 unsaved")
        self.redis.call("remove", self.redis.todos()[0]["id"])
        self.mend()
        page.toast("was deleted elsewhere")
        page.choose_account("leave")
        page.toast("Some changes are not saved yet.").find(".act").click()
        page.door()
        expect(EMPTY, self.kept, "what the device keeps")

    def test_one_can_leave_without_the_server(self):
        page = self.page
        beside = self.device(beside=page)
        beside.row("a secret").shows()
        self.cut(page, beside)
        page.choose_account("leave")
        page.toast("The server does not answer. It signs you out once it does").find(".act").click()
        for tab in (page, beside):
            tab.door()
            expect(EMPTY, lambda tab=tab: self.kept(tab), "what the device keeps")
            self.assertFalse([text for text in self.texts(tab) if "a secret" in text])
        page.refresh()
        page.toast("The server does not answer")
        self.assertEqual(page.contents(), [])
        beside.close()
        self.mend()
        page.door()
        answer = page.run("return fetch('/v1/session').then((answer) => answer.json())")
        self.assertNotIn("uid", answer)
        self.assertIsNone(page.run("return localStorage.getItem('todomate.left')"))
        page.sign_in("alice", "correct horse")
        page.row("a secret").shows()

    def test_a_session_that_was_ended_elsewhere_takes_what_was_seen_with_it(self):
        # At the same worker: another one takes the session for good until it has heard, and what waits would be sent.
        page, other = self.page, self.signed_in()
        self.cut()
        page.add("unsent")
        page.find("#pill").tells("1 unsaved")
        other.request("DELETE", "/v1/users/alice/sessions")
        self.mend()
        page.door()
        expect([], lambda: self.kept()["todos"], "what was seen")
        # What nobody else has is sent once she is back.
        page.refresh()
        page.toast("One change of alice could not be sent.")
        self.assertNotIn("a secret", page.source())
        page.sign_in("alice", "correct horse")
        self.assertSaved(page, ["a secret", "unsent"], self.today)

    def test_somebody_else_neither_sees_nor_sends_it(self):
        page, other = self.page, self.signed_in()
        self.add_user("bob", "correct horse")
        self.cut()
        page.add("unsent")
        page.find("#pill").tells("1 unsaved")
        other.request("DELETE", "/v1/users/alice/sessions")
        page.driver.get("about:blank")
        self.mend()
        page.driver.get(page.url)
        page.door()
        page.sign_in("bob", "correct horse")
        page.toast("unsaved changes were discarded")
        expect(["bob"], lambda: [user["uid"] for user in self.kept()["users"]], "whose things the device keeps")
        until("only his", lambda: {each["uid"] for name in ("todos", "writes", "parked") for each in self.kept()[name]} <= {"bob"})
        self.assertNotIn("unsent", json.dumps(self.kept()))
        self.assertEqual(page.contents(), [])
        self.assertEqual([self.redis.contents(uid=uid) for uid in ("alice", "bob")], [["a secret"], []])
        self.seen([])
        self.cut()
        page.refresh()
        page.find("#who").reads("bob")
        self.assertEqual(page.contents(), [])

    def test_nothing_is_kept_where_its_user_does_not_want_it(self):
        page = self.page

        def choose():
            page.open_account()
            page.find("#my-account").click()
            page.find(".setting.devices summary").click()
            page.find("#keep-here").click()

        choose()
        page.find("#devices-done").tells("Nothing is kept")
        self.assertEqual(self.kept(), EMPTY)
        page.escape()
        page.refresh()
        page.live()
        page.add("another")
        self.assertSaved(page, ["a secret", "another"], self.today)
        self.assertEqual(self.kept(), EMPTY)
        # Through a reload it is safe all the same.
        self.way.loses = "POST"
        page.add("a third")
        page.find("#pill").tells("1 unsaved")
        self.assertEqual(self.kept(), EMPTY)
        self.way.loses = None
        self.assertSaved(page, ["a secret", "another", "a third"], self.today)
        choose()
        page.find("#devices-done").tells("Kept once")
        page.escape()
        page.refresh()
        self.seen(["a secret", "another", "a third"])


class LeftByName(Scenario):
    """Where nobody signs in, several may be here at once, each in a tab."""
    secret = None

    def test_each_takes_their_own_with_them(self):
        one = self.board()
        two = self.board(beside=one)
        for page, name in ((one, "alice"), (two, "bob")):
            page.retype(page.find("#user"), name)
            page.find("#enter").click()
            page.live()
        users = lambda: sorted(user["uid"] for user in two.run(KEPT).get("users", []))
        expect(["alice", "bob"], users, "whose things the device keeps")
        one.choose_account("leave")
        expect(["bob"], users, "whose things the device keeps")
        two.choose_account("leave")
        expect([], users, "whose things the device keeps")


if __name__ == "__main__":
    main()
