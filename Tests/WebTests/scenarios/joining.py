"""Who makes an account of their own: by an invitation, where anyone may, and who sets another password by a link."""
import subprocess

from selenium.webdriver.common.keys import Keys

import appearance
from board import FRAMES
from waiting import expect, until
from world import PROGRAM, Scenario, main


class Joining(Scenario):
    options = ("--invitations", "everyone", "--registration", "open")

    def command(self, *words):
        """What `todomate` prints."""
        line = [PROGRAM, *words, "--redis", f"unix://{self.redis.socket}"]
        return subprocess.run(line, text=True, check=True, capture_output=True).stdout.strip()

    def invitation(self, *words):
        """What the link of an invitation has behind its address."""
        return "#" + self.command("invite", "alice", *words).split("#")[1]

    def opened(self, ticket, worker=0, **options):
        """Somebody new who opens a link."""
        page = self.board(worker, **options)
        page.door()
        page.driver.get("about:blank")
        page.load(lambda: page.driver.get(page.url + ticket))
        return page

    def assertNoSecret(self, page, ticket):
        """Neither the address nor the page itself holds it, nor what the page has asked for."""
        secret = ticket.split(".")[-1]
        asked = "return performance.getEntriesByType('resource').map((entry) => entry.name).join()"
        for place in (page.driver.current_url, page.source(), page.run(asked)):
            self.assertNotIn(secret, place)

    def fill(self, page, name, password):
        if name is not None:
            page.retype(page.find("#join-user"), name)
        page.retype(page.find("#join-password"), password)
        page.press(Keys.ENTER)

    def test_from_an_invitation_to_the_first_shared_todo(self):
        alice = self.signed_in(0)
        alice.show("people")
        alice.find("#invite-label").type("for bob", Keys.ENTER)
        link = alice.find("#link").shows()
        expect(True, lambda: link.has_focus, "whether the link can be copied")
        ticket = "#" + link.value.split("#")[1]
        self.assertEqual(link.value, f"{alice.url}{ticket}")
        alice.find("#my-invitations").tells("for bob")
        alice.find("#my-invitations").tells("1 of 1 left")
        alice.find("#my-invitations").tells("may follow you at once")

        bob = self.opened(ticket, 1)
        bob.find("#join-title").reads("alice invites you")
        bob.find("#join-follow-words").reads("Follow alice: the list opens at once")
        bob.find("#join-user").takes_focus()
        bob.find("#door").is_gone()
        self.assertNoSecret(bob, ticket)
        for name, password, field, because in (
            ("bo b", "long enough", "user", "A user is 1 to 64 of"), ("bob", "short", "password", "at least 8 characters"),
            ("bobbobbob", "BobBobBob", "password", "must not be the name"), ("alice", "long enough", "user", "alice is taken"),
        ):
            self.fill(bob, name, password)
            bob.find("#join-error").tells(because)
            bob.find(f"#join-{field}").says("aria-invalid", "true")
            bob.find(f"#join-{field}").takes_focus()
        bob.find("#join-shown").click()
        # What is typed but once can be looked at.
        bob.find("#join-rule + .tick").click()
        bob.find("#join-password").says("type", "text")
        bob.find("#join-rule + .tick").click()
        bob.find("#join-password").says("type", "password")
        self.fill(bob, "bob", "correct horse")
        bob.live()
        bob.toast("You now follow alice")
        bob.find("#who").reads("bob")
        expect(["alice"], bob.people, "the lists of bob")
        # Who has invited is told, and nobody waits for anybody.
        alice.find("#close-people").click()
        alice.toast("bob follows you now").find(".act").click()
        alice.toast("You now follow bob")
        expect(["bob"], alice.people, "the lists of alice")
        alice.add("together")
        expect(["together"], lambda: bob.contents_of("alice"), "what bob sees")
        bob.add("here, too")
        expect(["here, too"], lambda: alice.contents_of("bob"), "what alice sees")
        alice.show("people")
        alice.find("#my-invitations").tells("came: bob")
        alice.find("#my-invitations").tells("0 of 1 left")
        # One name was taken, which the browser notes; nothing else is wrong.
        self.assertTrue(all("/v1/accounts" in error and "409" in error for error in bob.new_errors()))

    def test_who_comes_by_a_link_for_several_or_is_not_to_be_let_in_at_once_asks(self):
        alice = self.signed_in(0)
        alice.show("people")
        for number, change in enumerate(("welcome", "uses")):
            alice.find("#invite-welcome").shows()
            if change == "welcome":
                alice.find("#invite-welcome").click()
            else:
                alice.find("#invite-uses").type("5")
                alice.find("#invite-welcome").is_gone()
            alice.find("#make-link").click()
            expect(number + 1, lambda: alice.count("#my-invitations li"), "the invitations of alice")
            self.assertNotIn("at once", alice.find("#my-invitations").text)
            guest = self.opened("#" + alice.find("#link").value.split("#")[1], 1)
            guest.find("#join-follow-words").reads("Ask to follow alice")
            self.fill(guest, change, "correct horse")
            guest.toast("Asked alice")
            expect(str(number + 1), lambda: alice.badge("people"), "the requests to alice")
            self.assertEqual(alice.count(".toast"), 0)
            guest.close()

    def test_an_invitation_that_is_taken_back_lets_nobody_in(self):
        alice = self.signed_in(0)
        alice.show("people")
        alice.find("#make-link").click()
        ticket = "#" + until("there is a link", lambda: alice.find("#link").value).split("#")[1]
        bob = self.opened(ticket, 1)
        bob.find("#join-title").reads("alice invites you")
        alice.find("#my-invitations button").click()
        expect(0, lambda: alice.count("#my-invitations li"), "the invitations of alice")
        alice.find("#made-link").is_gone()
        self.fill(bob, "bob", "correct horse")
        bob.find("#join-error").tells("This invitation is not valid any more")
        # Whoever has an account goes on from here, and whoever opens the link later is told at once.
        bob.find("#to-door").click()
        bob.door()
        late = self.opened(ticket)
        late.toast("This invitation is not valid any more")
        late.door()
        late.find("#join").is_gone()

    def test_a_link_in_a_page_that_is_open(self):
        ticket = self.invitation("--uses", "2")
        page = self.board()
        page.door()
        page.run("location.hash = arguments[0]", ticket)
        page.find("#join-title").reads("alice invites you")
        self.assertNoSecret(page, ticket)
        page.find("#join-follow").click()
        self.fill(page, "carol", "correct horse")
        page.live()
        self.assertEqual(self.redis.cli("EXISTS", "todomate:{carol}:following"), "0", "she did not want to follow")
        # Who is somebody already has no use for it.
        page.run("location.hash = arguments[0]", self.invitation())
        page.toast("You already have an account")
        page.live()
        self.assertEqual(page.new_errors(), [])

    def test_anyone_may_come_where_registration_is_open(self):
        page = self.board()
        page.door()
        page.find("#to-join").click()
        page.find("#join-title").reads("Your own board")
        page.find("#join-user").takes_focus()
        page.find("#join-follow-words").is_gone()
        page.find("#to-door").click()
        page.door()
        page.find("#to-join").click()
        self.fill(page, "dora", "correct horse")
        page.live()
        page.find("#who").reads("dora")
        page.choose_account("leave")
        page.door()
        page.sign_in("dora", "correct horse")
        self.assertEqual(page.new_errors(), [])

    def test_a_link_for_a_new_password(self):
        ticket = "#" + self.command("user", "reset", "alice").split("#")[1]
        elsewhere = self.signed_in(0)
        page = self.opened(ticket, 1)
        page.find("#join-title").reads("A new password")
        page.find("#join-user").holds("alice")
        page.find("#join-password").takes_focus()
        self.assertNoSecret(page, ticket)
        self.fill(page, None, "short")
        page.find("#join-error").tells("at least 8 characters")
        self.fill(page, None, "battery staple")
        page.live()
        page.find("#who").reads("alice")
        elsewhere.door()
        again = self.opened(ticket)
        self.fill(again, None, "another one")
        again.find("#join-error").tells("This link is not valid any more")
        again.find("#to-door").click()
        again.sign_in("alice", "battery staple")

    def test_looks_and_languages(self):
        for scheme in ("light", "dark"):
            page = self.opened(self.invitation(), dark=scheme == "dark")
            page.emulate_scheme(scheme, motion="reduce")
            page.find("#join-title").shows()
            for look in ("empty", "refused", "people"):
                if look == "refused":
                    self.fill(page, "nina", "short")
                    page.find("#join-error").tells("at least 8")
                elif look == "people":
                    self.fill(page, f"nina-{scheme}", "correct horse")
                    page.live()
                    page.show("people")
                    page.find("#make-link").click()
                    page.find("#link").shows()
                self.assertEqual(page.run(appearance.CONTRAST)["poor"], [], f"{look}, {scheme}")
                for size in ((390, 844), (1280, 800)):
                    page.emulate_size(*size)
                    self.assertEqual(page.run(appearance.SMALL_TARGETS), [], f"{look} at {size}")
                    self.assertFalse(page.run(appearance.WIDER_THAN_WINDOW), f"{look} at {size}")
                    self.assertEqual(page.run(appearance.DUPLICATE_IDS), [])
            page.close()
        page = self.opened(self.invitation(), languages="ko-KR,ko,en")
        page.find("#join-title").reads("alice 님이 초대했습니다")
        page.find("#join-enter").reads("계정 만들기")
        page.choose_account("language") if page.find("#account").is_shown else page.find("#language").click()
        page.find("#join-title").reads("alice invites you")
        page.run(FRAMES)
        self.assertEqual(page.new_errors(), [])


class Usual(Scenario):
    def test_nobody_is_offered_what_they_may_not(self):
        page = self.board()
        page.door()
        page.find("#to-join").is_gone()
        page.sign_in("alice", "correct horse")
        page.show("people")
        page.find("#my-audience").shows()
        page.find("#inviting").is_gone()

    def test_one_user_is_let_invite(self):
        self.todomate("user", "limit", "alice", "--invitations", "1")
        alice = self.signed_in()
        alice.show("people")
        alice.find("#invite-label").type("for bob", Keys.ENTER)
        alice.find("#my-invitations").tells("for bob")
        alice.find("#invite-label").type("for carol", Keys.ENTER)
        alice.find(".toast").tells("invitations")
        # Who may make no more still takes back what is open.
        self.todomate("user", "limit", "alice", "--invitations", "0")
        alice.load(alice.driver.refresh)
        alice.show("people")
        alice.find("#invite").is_gone()
        alice.find("#my-invitations button").click()
        alice.find("#inviting").is_gone()


class WithoutSignIn(Scenario):
    secret = None

    def test_a_link_is_no_name(self):
        page = self.board()
        page.load(lambda: page.driver.get(f"{page.url}#join=alice.abcdefghijklmnopqrstuvwxyz012345"))
        page.door()
        page.find("#board").is_gone()
        page.find("#join").is_gone()
        page.find("#enter").click()
        page.live()
        page.find("#who").reads("alice")


if __name__ == "__main__":
    main()
