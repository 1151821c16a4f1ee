"""How people are called and pictured, and how days are shown to them, as their accounts say."""
from waiting import expect
from world import Scenario, main

SIGN = "return document.querySelector('.panel[data-uid=bob] .avatar')?.textContent"


class Preferences(Scenario):
    def set(self, page, uid, **fields):
        page.request("PATCH", f"/v1/users/{uid}/profile", fields)

    def test_names_and_faces(self):
        self.add_user("bob", "correct horse")
        alice, bob = self.signed_in(0), self.signed_in(1, "bob")
        self.set(bob, "bob", name="Bob Bear", face="🐻")
        bob.find("#who").reads("Bob Bear")
        expect("🐻", lambda: bob.run("return document.querySelector('#sign .avatar').textContent"), "bob's sign")
        alice.request("PUT", "/v1/users/alice/following/bob")
        # Until he accepts, his name is none of her business.
        alice.show("people")
        # To whom he has not accepted he is a name and no more.
        alice.find("#following-people .link").reads("B\nbob")
        bob.request("PUT", "/v1/users/bob/followers/alice")
        alice.find(".panel[data-uid=bob] .name").tells("Bob Bear")
        expect("🐻", lambda: alice.run(SIGN), "bob's sign on alice's page")
        alice.find("#following-people .link").tells("Bob Bear (bob)")
        self.set(bob, "bob", name="", face="")
        bob.find("#who").reads("bob")

    def test_about_me(self):
        alice = self.signed_in(0)
        alice.open_account()
        alice.find("#my-account").click()
        alice.find(".setting.profile summary").click()
        alice.find("#my-face").type("fox")
        alice.find(".setting.profile .primary").click()
        alice.find("#profile-error").reads("That is not one emoji.")
        alice.find("#my-face").says("aria-invalid", "true")
        alice.new_errors()
        alice.retype(alice.find("#my-face"), "🦊")
        alice.retype(alice.find("#my-name"), "Alice Fox")
        # By the city; there are hundreds.
        alice.find("#my-timeZone").type("seoul")
        alice.find(".setting.profile .primary").click()
        alice.find("#profile-done").reads("Saved.")
        alice.escape()
        alice.find("#who").reads("Alice Fox")
        zone = "return fetch('/v1/users/alice/profile').then((answer) => answer.json()).then(({ timeZone }) => timeZone)"
        expect("Asia/Seoul", lambda: alice.run(zone), "the zone")
        # The next device finds it all.
        other = self.signed_in(1)
        other.find("#who").reads("Alice Fox")

    def test_days_and_language(self):
        alice = self.signed_in(0)
        first = "return document.querySelector('#grid [role=columnheader]')?.textContent"
        for day, words in (("monday", "M"), ("saturday", "S"), ("sunday", "S")):
            self.set(alice, "alice", weekStart=day)
            column = {"monday": 1, "saturday": 6, "sunday": 0}[day]
            weekday = "return new Date(document.querySelector('#grid [data-day]').dataset.day + 'T00:00Z').getUTCDay()"
            expect(column, lambda: alice.run(weekday), f"the first column of a week that begins on {day}")
            expect(words, lambda: alice.run(first)[0], "what stands above it")
        self.set(alice, "alice", language="ko")
        expect("ko", lambda: alice.run("return document.documentElement.lang"), "the language")
        # Now the account decides: the menu's language is kept there.
        alice.find("#account").click()
        alice.find("#language").click()
        expect("en", lambda: alice.run("return document.documentElement.lang"), "the language")
        profile = "return fetch('/v1/users/alice/profile').then((answer) => answer.json()).then(({ language }) => language)"
        expect("en", lambda: alice.run(profile), "the language of the account")
        there = "return new Intl.DateTimeFormat('en-CA', { timeZone: arguments[0] }).format(new Date())"
        for zone in ("Pacific/Kiritimati", "Pacific/Niue"):
            self.set(alice, "alice", timeZone=zone)
            expect(alice.run(there, zone), alice.today, f"the day in {zone}")
            # What was done is said by that clock as well.
            self.redis.call("remove", self.redis.add("gone", alice.today(), id=zone.replace("/", "-"))["id"])
            alice.choose_account("deleted")
            alice.find(".past .entry").shows()
            words = "return document.querySelector('.past .entry .note:last-child').textContent"
            at = alice.request("GET", "/v1/users/alice/removed")["changes"][0]["at"] / 1000
            clock = "return new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: arguments[0] }).format(arguments[1])"
            self.assertIn(alice.run(clock, zone, at), alice.run(words))
            alice.escape()


if __name__ == "__main__":
    main()
