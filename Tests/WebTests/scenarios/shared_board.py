"""Two people at two workers who share their boards, and what each sees of the other."""
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from world import Scenario, main, until


class SharedBoard(Scenario):
    def setUp(self):
        super().setUp()
        self.add_user("bob", "correct horse")
        self.alice = self.signed_in(0)
        self.bob = self.signed_in(1, "bob")
        self.today = self.alice.today()

    def make_friends(self):
        """Alice follows bob, who accepts."""
        self.alice.request("PUT", "/v1/users/alice/following/bob")
        self.bob.wait("a request", lambda: self.bob.badge("people") == "1")
        self.bob.request("PUT", "/v1/users/bob/followers/alice")
        self.alice.wait("bob's list", lambda: self.alice.people() == ["bob"])
        self.alice.wait("it is open", lambda: self.alice.person("bob", ".eyebrow").text == "Today")

    def add(self, content, **fields):
        """Something on bob's list, which alice sees."""
        todo = self.redis.add(content, self.today, uid="bob", **fields)
        self.alice.wait(f"alice sees {content!r}", lambda: content in self.alice.contents_of("bob"))
        return todo

    def set_visibility(self, content, words):
        self.bob.part(content, "grip").click()
        self.bob.choose(words)

    def test_asked_accepted_and_live(self):
        alice, bob = self.alice, self.bob
        bob.add("before")
        # Who follows nobody sees one more button, and nothing else.
        shown = [tab.get_attribute("data-view") for tab in bob.all("#tabs button") if tab.is_displayed()]
        self.assertEqual(shown, ["people"])
        self.assertFalse(bob.find("#pager").is_displayed())

        alice.show("people")
        alice.follow("bob")
        alice.toast("Asked bob")
        alice.wait("his list waits", lambda: alice.person("bob", ".eyebrow").text == "Asked")
        self.assertEqual(alice.contents_of("bob"), [])

        bob.wait("a request", lambda: bob.badge("people") == "1")
        bob.wait("the title", lambda: bob.driver.title == "(2) bob · TodoMate")
        self.assertEqual(bob.find("#tabs [data-view=people]").get_attribute("aria-label"), "People, 1 request")
        bob.show("people")
        bob.wait("who asks", lambda: bob.find("#requests").is_displayed() and "alice" in bob.find("#requests").text)
        bob.find("[data-act=accept][data-uid=alice]").click()
        bob.wait("no request", lambda: bob.badge("people") == "" and not bob.find("#requests").is_displayed())
        bob.wait("a follower", lambda: "alice" in bob.find("#followers").text)

        alice.wait("his list is there", lambda: alice.contents_of("bob") == ["before"])
        bob.find("#close-people").click()
        bob.add("after")
        alice.wait("what he adds", lambda: alice.contents_of("bob") == ["before", "after"])
        bob.part("before", "status").click()
        alice.wait("what he begins", lambda: alice.todo_of("bob", "before", ".status").accessible_name == "In progress")
        self.assertEqual(bob.people(), [])
        self.assertEqual(alice.contents(), [])
        self.assertEqual(alice.new_errors() + bob.new_errors(), [])

    def test_a_request_that_is_refused_or_taken_back(self):
        alice, bob = self.alice, self.bob
        bob.show("people")
        for take_away in ("refuse", "take back"):
            alice.request("PUT", "/v1/users/alice/following/bob")
            alice.wait("his list waits", lambda: alice.people() == ["bob"])
            bob.wait("a request", lambda: bob.find("#requests").is_displayed())
            if take_away == "refuse":
                bob.find("[data-act=dismiss][data-uid=alice]").click()
            else:
                alice.person("bob", ".panel-head .grip").click()
                alice.choose("Take back")
            alice.wait(f"no list after {take_away}", lambda: alice.people() == [])
            bob.wait(f"no request after {take_away}", lambda: not bob.find("#requests").is_displayed())

    def test_what_is_made_private_vanishes_and_comes_back(self):
        alice, bob = self.alice, self.bob
        self.make_friends()
        self.add("open")
        self.add("secret")
        alice.show("feed")
        alice.wait("both in the feed", lambda: len(alice.all(".item")) == 2)
        self.set_visibility("secret", "Only me")
        alice.wait("one is left", lambda: alice.contents_of("bob") == ["open"])
        alice.wait("also in the feed", lambda: len(alice.all(".item")) == 1)
        self.assertNotIn("secret", alice.run("return document.documentElement.outerHTML"))
        bob.wait("it says so", lambda: "Only me" in bob.row("secret").text)
        self.set_visibility("secret", "Followers")
        alice.wait("both are there", lambda: sorted(alice.contents_of("bob")) == ["open", "secret"])

        bob.show("people")
        bob.find("#my-visibility input[value=private]").click()
        until("it is kept", lambda: bob.request("GET", "/v1/users/bob/profile")["visibility"] == "private")
        bob.find("#close-people").click()
        bob.add("quiet")
        bob.wait("it says so", lambda: "Only me" in bob.row("quiet").text)
        loud = {"id": "loud", "content": "loud", "date": self.today, "visibility": "followers"}
        bob.request("POST", "/v1/users/bob/todos", loud)
        alice.wait("what is for followers", lambda: "loud" in alice.contents_of("bob"))
        self.assertNotIn("quiet", alice.contents_of("bob"))

    def test_deleting_and_undoing_what_is_private_keeps_it_private(self):
        bob = self.bob
        self.make_friends()
        self.add("witness")
        bob.add("secret")
        self.set_visibility("secret", "Only me")
        bob.wait("it says so", lambda: "Only me" in bob.row("secret").text)
        bob.part("secret", "words").send_keys(Keys.DELETE)
        bob.toast("“secret” deleted").find_element("css selector", ".act").click()
        until("it is back", lambda: "secret" in self.redis.contents(uid="bob"))
        self.add("later")
        self.assertNotIn("secret", self.alice.contents_of("bob"))

    def test_reactions(self):
        alice, bob = self.alice, self.bob
        self.make_friends()
        self.add("ran 5 km")

        def chips(page, row):
            script = "return [...arguments[0].querySelectorAll('.chip')].map((e) => [...e.children].map((c) => c.textContent).join(' '))"
            return page.run(script, row)

        def both_show(*wanted):
            alice.wait(f"alice sees {wanted}", lambda: chips(alice, alice.person("bob")) == list(wanted))
            bob.wait(f"bob sees {wanted}", lambda: chips(bob, bob.row("ran 5 km")) == list(wanted))

        alice.todo_of("bob", "ran 5 km", ".react").click()
        alice.find(".emojis [data-emoji='🎉']").click()
        both_show("🎉 1")
        alice.wait("it is mine", lambda: alice.find(".person .chip").get_attribute("aria-pressed") == "true")
        bob.part("ran 5 km", "chip").click()
        both_show("🎉 2")
        # One a person: another one takes its place.
        alice.todo_of("bob", "ran 5 km", ".react").click()
        alice.type_emoji("🦊")
        both_show("🎉 1", "🦊 1")
        alice.todo_of("bob", "ran 5 km", ".react").click()
        alice.type_emoji("no emoji")
        alice.toast("one emoji, please")
        both_show("🎉 1", "🦊 1")
        alice.driver.refresh()
        alice.wait("still mine", lambda: alice.find(".person .chip[data-emoji='🦊']").get_attribute("aria-pressed") == "true")
        alice.find(".person .chip[data-emoji='🦊']").click()
        both_show("🎉 1")
        self.assertEqual(len(self.redis.todos(uid="bob")), 1)

    def test_feed_badges_and_title(self):
        alice, bob = self.alice, self.bob
        self.make_friends()
        alice.add("mine")
        self.redis.add("mine tomorrow", alice.day(1))
        alice.wait("today", lambda: (alice.badge("today"), alice.badge("month")) == ("1", "1"))
        todo = self.add("bake bread")
        alice.wait("one is new", lambda: alice.badge("feed") == "1")
        self.redis.update(todo, uid="bob", status="complete")
        alice.wait("two are new", lambda: alice.badge("feed") == "2")
        alice.wait("the title", lambda: alice.driver.title == "(3) alice · TodoMate")

        alice.show("feed")
        script = "return [...document.querySelectorAll('.item')].map((e) => e.querySelector('.who-did span').textContent + ' ' + e.querySelector('.content').textContent)"
        alice.wait("newest first", lambda: alice.run(script) == ["finished bake bread", "added bake bread"])
        alice.wait("all seen", lambda: alice.badge("feed") == "")
        alice.wait("the title again", lambda: alice.driver.title == "(1) alice · TodoMate")
        bob.add("eat <b>bread</b>")
        alice.wait("live", lambda: alice.run(script)[0] == "added eat <b>bread</b>")
        alice.wait("seen at once", lambda: alice.badge("feed") == "")
        self.redis.update(todo, uid="bob", status="todo")
        alice.wait("taken back", lambda: alice.run(script) == ["added eat <b>bread</b>", "added bake bread"])
        self.redis.update(todo, uid="bob", status="complete")
        alice.wait("told once", lambda: alice.run(script) == ["finished bake bread", "added eat <b>bread</b>", "added bake bread"])
        alice.part("mine", "status").click()
        alice.part("mine", "status").click()
        alice.wait("nothing is open", lambda: alice.badge("today") == "")
        alice.driver.refresh()
        alice.wait("still seen", lambda: alice.badge("month") == "1" and alice.badge("feed") == "")
        self.assertEqual(bob.badge("feed"), "")
        self.assertEqual(alice.new_errors(), [])

    def test_unfollowing_blocking_and_closing_take_all_away_at_once(self):
        alice, bob = self.alice, self.bob
        self.make_friends()
        self.add("between us")
        alice.person("bob", ".name").click()
        alice.wait("his month", lambda: alice.find("#month-title").text.startswith("bob · "))
        self.assertEqual(alice.cell_lines(self.today), ["between us"])

        bob.show("people")
        bob.find("#my-audience input[value=private]").click()
        alice.wait("nothing is left", lambda: "between us" not in alice.run("return document.documentElement.outerHTML"))
        alice.wait("it says why", lambda: "bob shares nothing with you right now" in alice.text())
        self.assertEqual(alice.people(), ["bob"])
        bob.find("#my-audience input[value=followers]").click()
        alice.wait("it is back", lambda: alice.contents_of("bob") == ["between us"])

        bob.wait("the follower's line", lambda: bob.find("#followers [data-act=menu]")).click()
        bob.choose("Block")
        bob.wait("blocked", lambda: "alice" in bob.find("#blockedPeople").text)
        alice.wait("no list", lambda: alice.people() == [])
        self.assertNotIn("between us", alice.run("return document.documentElement.outerHTML"))
        self.assertFalse(alice.find("#month-title").text.startswith("bob"))
        alice.show("people")
        alice.follow("bob")
        alice.wait("he cannot be followed", lambda: alice.find("#follow-error").text == "bob cannot be followed.")
        for name, words in (("alice", "That is you."), ("no one", "A user is 1 to 64 of")):
            alice.retype(alice.find("#follow-name"), name, Keys.ENTER)
            alice.wait(words, lambda words=words: words in alice.find("#follow-error").text)

        bob.find("[data-act=unblock]").click()
        bob.wait("nobody is blocked", lambda: not bob.find("#blockedPeople").is_displayed())
        self.make_friends()
        alice.person("bob", ".panel-head .grip").click()
        alice.choose("Unfollow")
        alice.toast("You follow bob no more.")
        alice.wait("no list", lambda: alice.people() == [])
        self.assertNotIn("between us", alice.run("return document.documentElement.outerHTML"))

    def test_order(self):
        alice = self.alice
        self.add_user("carol", "correct horse")
        for name in ("bob", "carol", "dave"):
            alice.request("PUT", f"/v1/users/alice/following/{name}")
        alice.wait("three lists", lambda: alice.people() == ["bob", "carol", "dave"])

        def stored():
            return [entry["uid"] for entry in alice.request("GET", "/v1/users/alice/following")["following"]]

        def arranged(*order):
            alice.wait(f"{order}", lambda: alice.people() == list(order))
            until(f"{order} is kept", lambda: stored() == list(order))

        alice.person("bob", ".name").send_keys(Keys.ALT + Keys.ARROW_RIGHT)
        arranged("carol", "bob", "dave")
        self.assertEqual(alice.focused(), alice.person("bob", ".name"), "the focus goes along")
        alice.show("people")
        alice.wait("the arrows", lambda: alice.find("[data-act=up][data-uid=dave]")).click()
        arranged("carol", "dave", "bob")
        alice.emulate_size(1900, 900)
        target = alice.person("carol", ".panel-head")
        hold = ActionChains(alice.driver).move_to_element(alice.person("bob", ".eyebrow")).click_and_hold()
        hold.move_by_offset(-10, 0).move_to_element_with_offset(target, -target.size["width"] // 3, 0).release().perform()
        arranged("bob", "carol", "dave")
        alice.driver.refresh()
        alice.wait("the order stays", lambda: alice.people() == ["bob", "carol", "dave"])
        self.assertEqual(alice.new_errors(), [])

    def test_a_phone_swipes(self):
        alice = self.alice
        alice.emulate_size(390, 844)
        self.make_friends()
        self.add("on a phone")

        def left(selector):
            return alice.run("return document.querySelector(arguments[0]).getBoundingClientRect().left", selector)

        self.assertLess(left(".today"), 30)
        self.assertGreater(left(".person"), 360)
        self.assertFalse(alice.run("return document.documentElement.scrollWidth > document.documentElement.clientWidth"))
        alice.swipe((340, 600), (60, 600))
        alice.wait("bob's list snaps into place", lambda: abs(left(".person") - 12) < 2)
        alice.wait("the pager follows", lambda: alice.find("#pager [aria-current]").text.endswith("bob"))
        alice.find("#pager [data-uid=alice]").click()
        alice.wait("mine again", lambda: abs(left(".today") - 12) < 2)
        alice.find("#pager [data-uid=bob]").click()
        alice.wait("bob's again", lambda: abs(left(".person") - 12) < 2)
        alice.person("bob", ".name").click()
        alice.wait("his month alone", lambda: alice.find("#calendar").is_displayed() and not alice.find("#lists").is_displayed())
        alice.find(f"[data-day='{alice.day(1)}']").click()
        alice.wait("his list of that day", lambda: alice.person("bob", ".eyebrow").text == "tomorrow")
        alice.wait("in sight", lambda: abs(left(".person") - 12) < 2)
        self.assertEqual(alice.new_errors(), [])

    def test_what_was_missed_is_caught_up(self):
        alice = self.alice
        self.make_friends()
        self.add("before")
        self.workers[0].kill()
        alice.wait("it says that it is not live", lambda: alice.state() in ("reconnecting", "offline"))
        self.redis.add("missed", self.today, uid="bob")
        self.workers[0].start()
        alice.live()
        alice.wait("it has it", lambda: alice.contents_of("bob") == ["before", "missed"])


class WithoutSignIn(Scenario):
    secret = None

    def test_anybody_may_be_anybody(self):
        page = self.board()
        page.wait("the door is open", lambda: page.find("#enter").is_displayed())
        page.find("#enter").click()
        page.live()
        self.redis.add("for bob", page.today(), uid="bob")
        page.show("people")
        page.follow("bob")
        page.toast("Asked bob")
        page.run("location.hash = 'bob'")
        page.wait("bob's own board", lambda: page.find("#who").text == "bob" and page.contents() == ["for bob"])
        self.assertEqual(page.people(), [], "alice's lists are gone")
        page.wait("a request", lambda: page.badge("people") == "1")
        page.show("people")
        page.wait("alice asks", lambda: page.find("[data-act=accept][data-uid=alice]")).click()
        page.wait("a follower", lambda: page.find("#followers").is_displayed())
        page.run("location.hash = 'alice'")
        page.wait("bob's list", lambda: page.contents_of("bob") == ["for bob"])
        page.todo_of("bob", "for bob", ".react").click()
        page.find(".emojis [data-emoji='👍']").click()
        page.wait("the reaction", lambda: page.all(".person .chip"))
        self.assertEqual(page.new_errors(), [])


if __name__ == "__main__":
    main()
