"""Two people at two workers who share their boards, and what each sees of the other."""
import json

from selenium.webdriver.common.keys import Keys

from waiting import expect
from world import Scenario, everywhere, main


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
        expect("1", lambda: self.bob.badge("people"), "the requests to bob")
        self.bob.request("PUT", "/v1/users/bob/followers/alice")
        expect(["bob"], self.alice.people, "the lists of alice")
        self.alice.person("bob", ".eyebrow").reads("Today")

    def add(self, content, **fields):
        """Something on bob's list, which alice sees."""
        todo = self.redis.add(content, self.today, uid="bob", **fields)
        self.alice.wait(f"alice sees {content!r}", lambda: content in self.alice.contents_of("bob"))
        return todo

    def set_visibility(self, content, visibility):
        """By the menu, which has that once bob's page has heard that there is somebody to share with."""
        def is_offered():
            self.bob.part(content, "grip").click()
            self.bob.find("dialog").shows()
            return self.bob.count("dialog .visibilities") or self.bob.escape()

        self.bob.wait("the menu has visibilities", is_offered)
        self.bob.choose({"private": "Only me", "followers": "Followers"}[visibility])
        self.assertVisible(content, visibility)

    def assertVisible(self, content, visibility):
        """To whom one of bob's todos shows, as Redis has it and as it stands there."""
        def stored():
            return {todo["content"]: todo["visibility"] for todo in self.redis.todos(uid="bob")}.get(content)

        expect(visibility, stored, f"the visibility of {content!r}")
        self.bob.part(content, "seen-by").reads({"private": "Only me", "followers": ""}[visibility])

    def test_the_second_click_of_two_accepts_nobody_else(self):
        bob = self.bob
        self.add_user("carol", "correct horse")
        for name in ("alice", "carol"):
            self.todomate("follow", name, "bob")
        bob.show("people")
        accept = "[data-act=accept]"
        expect(2, lambda: bob.count(accept), "the requests to bob")
        bob.find(accept).click()
        expect(1, lambda: bob.count(accept), "the requests to bob")
        bob.run("document.querySelector(arguments[0]).dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 2 }))", accept)
        self.assertEqual(bob.run("return document.querySelectorAll('[aria-busy=true]').length"), 0)
        # Nor is somebody followed twice who is asked for twice at once.
        bob.run(
            """
            window.asked = 0;
            const real = fetch;
            window.fetch = (path, options) => { if (path.includes('/following/')) window.asked += 1; return real(path, options); };
            document.getElementById('follow-name').value = 'dave';
            const form = document.getElementById('follow');
            for (const time of [1, 2]) form.requestSubmit();
            """
        )
        bob.toast("Asked dave")
        self.assertEqual(bob.run("return window.asked"), 1)

    @everywhere
    def test_asked_accepted_and_live(self):
        alice, bob = self.alice, self.bob
        bob.add("before")
        # Who follows nobody sees one more button, and nothing else.
        self.assertSaved(bob, ["before"], self.today, "bob")
        shown = "return [...document.querySelectorAll('#tabs button')].filter((e) => e.checkVisibility()).map((e) => e.dataset.view)"
        expect(["people"], lambda: bob.run(shown), "the tabs of bob")
        bob.find("#pager").is_gone()

        alice.show("people")
        alice.follow("bob")
        alice.toast("Asked bob")
        alice.find("#following-people").tells("Asked")
        # Who has not answered takes no room; and nobody can tell them from a name that nobody has.
        self.assertEqual(alice.people(), [])

        expect("1", lambda: bob.badge("people"), "the requests to bob")
        bob.expect_title("(2) bob · TodoMate")
        bob.find("#tabs [data-view=people]").says("aria-label", "People, 1 request")
        bob.show("people")
        bob.find("#requests").tells("alice")
        bob.find("[data-act=accept][data-uid=alice]").click()
        expect("", lambda: bob.badge("people"), "the requests to bob")
        bob.find("#requests").is_gone()
        bob.find("#followers").tells("alice")
        alice.toast("bob has accepted: you follow them now.")

        expect(["before"], lambda: alice.contents_of("bob"), "his list")
        bob.find("#close-people").click()
        bob.add("after")
        expect(["before", "after"], lambda: alice.contents_of("bob"), "his list")
        bob.part("before", "status").click()
        alice.todo_of("bob", "before", ".status").says("aria-label", "Done")
        self.assertEqual(bob.people(), [])
        self.assertEqual(alice.contents(), [])
        self.assertEqual(alice.new_errors() + bob.new_errors(), [])

    def test_a_request_that_is_refused_or_taken_back(self):
        alice, bob = self.alice, self.bob
        bob.show("people")
        alice.show("people")
        for take_away in ("refuse", "take back"):
            alice.request("PUT", "/v1/users/alice/following/bob")
            alice.find("#following-people").tells("bob")
            bob.find("#requests").shows()
            if take_away == "refuse":
                for answer in ("Cancel", "Refuse"):
                    bob.find("[data-act=dismiss][data-uid=alice]").click()
                    self.answer(bob, "Refuse the request of alice?", answer)
            else:
                alice.find("#following-people [data-act=menu][data-uid=bob]").click()
                alice.choose("Withdraw")
            alice.find("#following-people").is_gone()
            self.assertEqual(alice.people(), [], f"the lists of alice after {take_away}")
            bob.find("#requests").is_gone()

    def test_a_follower_is_removed_once_that_is_confirmed(self):
        alice, bob = self.alice, self.bob
        self.make_friends()
        bob.show("people")
        for answer in ("Cancel", "Remove as follower"):
            bob.find("#followers [data-act=menu]").click()
            bob.choose("Remove as follower")
            self.answer(bob, "Remove alice as a follower?", answer)
        bob.find("#followers").is_gone()
        expect([], alice.people, "the lists of alice")

    def answer(self, page, question, words):
        """Answers what is asked first."""
        page.toast(question).run("[...found.querySelectorAll('button')].find((button) => button.textContent === values[0]).click()", words)

    def test_what_the_stream_tells_is_not_lost_to_an_older_answer(self):
        alice, bob = self.alice, self.bob
        bob.delay_answers(1000)
        bob.show("people")
        alice.request("PUT", "/v1/users/alice/following/bob")
        bob.find("#requests").tells("alice")
        bob.find("#requests .how-many").reads("1")

    def test_what_is_made_private_vanishes_and_comes_back(self):
        alice, bob = self.alice, self.bob
        self.make_friends()
        self.add("open")
        self.add("secret")
        alice.show("feed")
        expect(2, lambda: alice.count(".item"), "the number of items in the feed")
        self.set_visibility("secret", "private")
        expect(["open"], lambda: alice.contents_of("bob"), "his list")
        expect(1, lambda: alice.count(".item"), "the number of items in the feed")
        self.assertNotIn("secret", alice.source())
        self.set_visibility("secret", "followers")
        expect(["open", "secret"], lambda: sorted(alice.contents_of("bob")), "his list")

        bob.show("people")
        bob.find("#my-visibility input[value=private]").click()
        expect("private", lambda: bob.request("GET", "/v1/users/bob/profile")["visibility"], "what bob shares")
        expect(True, lambda: bob.run("return document.querySelector('#my-visibility input[value=private]').checked"), "the choice")
        bob.find("#close-people").click()
        bob.add("quiet")
        self.assertVisible("quiet", "private")
        loud = {"id": "loud", "content": "loud", "date": self.today, "visibility": "followers"}
        bob.request("POST", "/v1/users/bob/todos", loud)
        # What comes after it has come: so would it have.
        expect(["loud", "open", "secret"], lambda: sorted(alice.contents_of("bob")), "his list")

    def test_deleting_and_undoing_what_is_private_keeps_it_private(self):
        bob = self.bob
        self.make_friends()
        self.add("witness")
        bob.add("secret")
        self.set_visibility("secret", "private")
        bob.part("secret", "words").type(Keys.DELETE)
        expect(["witness"], lambda: self.redis.contents(uid="bob"), "what Redis holds")
        bob.toast("“secret” deleted").find(".act").click()
        self.assertVisible("secret", "private")
        self.add("later")
        self.assertNotIn("secret", self.alice.contents_of("bob"))

    @everywhere
    def test_reactions(self):
        alice, bob = self.alice, self.bob
        self.make_friends()
        self.add("ran 5 km")

        def chips(row):
            return row.run("return [...found?.querySelectorAll('.chip') ?? []].map((e) => [...e.children].map((c) => c.textContent).join(' '))")

        def both_show(*wanted):
            expect([*wanted], lambda: chips(alice.person("bob")), "the reactions that alice sees")
            expect([*wanted], lambda: chips(bob.row("ran 5 km")), "the reactions that bob sees")

        alice.todo_of("bob", "ran 5 km", ".react").click()
        alice.find(".emojis [data-emoji='🎉']").click()
        both_show("🎉 1")
        alice.find(".person .chip").says("aria-pressed", "true")
        bob.part("ran 5 km", "chip").click()
        bob.choose("React")
        bob.find(".emojis [data-emoji='🎉']").click()
        both_show("🎉 2")
        # One a person: another one takes its place.
        alice.todo_of("bob", "ran 5 km", ".react").click()
        alice.type_emoji("🦊")
        both_show("🎉 1", "🦊 1")
        alice.todo_of("bob", "ran 5 km", ".react").click()
        alice.type_emoji("no emoji")
        alice.toast("use a single emoji")
        both_show("🎉 1", "🦊 1")
        alice.refresh()
        alice.find(".person .chip[data-emoji='🦊']").says("aria-pressed", "true")
        alice.find(".person .chip[data-emoji='🦊']").click()
        both_show("🎉 1")
        self.assertEqual(len(self.redis.todos(uid="bob")), 1)

    @everywhere
    def test_feed_badges_and_title(self):
        alice, bob = self.alice, self.bob
        self.make_friends()
        alice.add("mine")
        self.redis.add("mine tomorrow", alice.day(1))
        def badges(**wanted):
            expect(wanted, lambda: {view: alice.badge(view) for view in wanted}, "the badges")

        def feed(*items):
            script = "return [...document.querySelectorAll('.item')].map((e) => e.querySelector('.who-did span').textContent + ' ' + e.querySelector('.content').textContent)"
            expect([*items], lambda: alice.run(script), "the feed")

        badges(today="1", month="1")
        todo = self.add("bake bread")
        badges(feed="1")
        self.redis.update(todo, uid="bob", status="complete")
        badges(feed="2")
        alice.expect_title("(3) alice · TodoMate")

        alice.show("feed")
        # Newest first.
        feed("finished bake bread", "added bake bread")
        badges(feed="")
        alice.expect_title("(1) alice · TodoMate")
        bob.add("eat <b>bread</b>")
        feed("added eat <b>bread</b>", "finished bake bread", "added bake bread")
        badges(feed="")
        self.redis.update(todo, uid="bob", status="todo")
        # Taken back.
        feed("added eat <b>bread</b>", "added bake bread")
        self.redis.update(todo, uid="bob", status="complete")
        # Told once.
        feed("finished bake bread", "added eat <b>bread</b>", "added bake bread")
        alice.part("mine", "status").click()
        badges(today="", feed="")
        alice.refresh()
        badges(month="1", feed="")
        self.assertEqual(bob.badge("feed"), "")
        self.assertEqual(alice.new_errors(), [])

    def test_a_feed_in_which_somebody_is_missing_says_so_and_notes_nothing_as_seen(self):
        alice = self.alice
        self.make_friends()
        self.add("bake bread")
        expect("1", lambda: alice.badge("feed"), "the badge")
        # As a server answers while somebody's node of a cluster is away.
        alice.run("""
            const ask = window.fetch;
            Object.assign(window, { missing: 1, noted: 0 });
            window.fetch = async (path, options) => {
                if (String(path).includes('/feed/seen')) window.noted += 1;
                const answer = await ask(path, options);
                if (!window.missing || !String(path).includes('/feed?')) return answer;
                const body = JSON.stringify({ ...await answer.json(), missing: window.missing });
                return new Response(body, { headers: answer.headers });
            };""")
        alice.show("feed")
        alice.find("#feed-missing").tells("What 1 person has done cannot be seen at the moment.")
        expect(1, lambda: alice.count(".item"), "the number of items")
        self.add("eat bread")
        expect(2, lambda: alice.count(".item"), "the number of items")
        expect("2", lambda: alice.badge("feed"), "what is new stays new")
        self.assertEqual(alice.run("return window.noted"), 0)
        alice.run("window.missing = 0")
        self.add("buy flour")
        expect(3, lambda: alice.count(".item"), "the number of items")
        expect("", lambda: alice.run("return document.getElementById('feed-missing').textContent"), "who is missing")
        expect("", lambda: alice.badge("feed"), "all is seen")
        self.assertEqual(alice.new_errors(), [])

    def test_unfollowing_blocking_and_closing_take_all_away_at_once(self):
        alice, bob = self.alice, self.bob
        self.make_friends()
        self.add("between us")
        alice.person("bob", ".name").click()
        alice.find("#month-title").tells("bob · ")
        expect(["between us"], lambda: alice.cell_lines(self.today), "today in his month")

        bob.show("people")
        bob.find("#my-audience input[value=private]").click()
        alice.wait("nothing is left", lambda: "between us" not in alice.source())
        alice.person("bob").tells("bob shares nothing with you right now")
        self.assertEqual(alice.people(), ["bob"])
        bob.find("#my-audience input[value=followers]").click()
        expect(["between us"], lambda: alice.contents_of("bob"), "his list")

        bob.find("#followers [data-act=menu]").click()
        bob.choose("Block")
        bob.find("#blockedPeople").tells("alice")
        expect([], alice.people, "the lists of alice")
        alice.wait("nothing is left", lambda: "between us" not in alice.source())
        alice.wait("it is her own month", lambda: "bob" not in alice.find("#month-title").text)
        alice.show("people")
        alice.follow("bob")
        alice.find("#follow-error").reads("bob cannot be followed.")
        for name, words in (("alice", "That is you."), ("no one", "A user is 1 to 64 of")):
            alice.retype(alice.find("#follow-name"), name, Keys.ENTER)
            alice.find("#follow-error").tells(words)

        bob.find("[data-act=unblock]").click()
        bob.find("#blockedPeople").is_gone()
        self.make_friends()
        alice.person("bob", ".panel-head .grip").click()
        alice.choose("Unfollow")
        alice.toast("You no longer follow bob.")
        expect([], alice.people, "the lists of alice")
        alice.wait("nothing is left", lambda: "between us" not in alice.source())

    def test_a_block_that_is_undone_brings_back_what_it_took(self):
        alice, bob = self.alice, self.bob
        self.make_friends()
        self.add("between us")
        expect(["between us"], lambda: alice.contents_of("bob"), "his list")
        bob.show("people")
        for undo in ("toast", "keys"):
            bob.find("#followers [data-act=menu]").click()
            bob.choose("Block")
            bob.find("#blockedPeople").tells("alice")
            expect([], alice.people, "the lists of alice")
            if undo == "toast":
                bob.find(".toast .act").click()
            else:
                bob.press("z", holding=Keys.CONTROL)
            bob.find("#blockedPeople").is_gone()
            bob.find("#followers").tells("alice")
            expect(["between us"], lambda: alice.contents_of("bob"), "his list")
        # What she has decided meanwhile stands.
        bob.find("#followers [data-act=menu]").click()
        bob.choose("Block")
        bob.find("#blockedPeople").tells("alice")
        alice.request("PUT", "/v1/users/alice/blocked/bob")
        bob.find(".toast .act").click()
        bob.toast("not all that was between you came back")
        bob.find("#blockedPeople").is_gone()
        expect([], alice.people, "the lists of alice")

    def test_who_leaves_and_comes_back_sees_what_is_to_be_seen(self):
        alice, bob = self.alice, self.bob
        self.make_friends()
        self.add("between us")
        self.add("for all", visibility="public")
        for undo in ("toast", "keys", "toast"):
            alice.person("bob", ".panel-head .grip").click()
            alice.choose("Unfollow")
            expect([], alice.people, "the lists of alice")
            toast = alice.toast("You no longer follow bob.")
            if undo == "toast":
                toast.find(".act").click()
            else:
                alice.press("z", holding=Keys.CONTROL)
            # That is for bob to undo.
            alice.toast("bob has to accept again").find(".shut").click()
            self.assertNotIn("Undone", alice.find("#toasts").text)
            alice.person("bob", ".eyebrow").reads("Asked")
            expect(["for all"], lambda: alice.contents_of("bob"), "his list to a stranger")
            expect("1", lambda: bob.badge("people"), "the requests to bob")
            bob.request("PUT", "/v1/users/bob/followers/alice")
            expect(["between us", "for all"], lambda: sorted(alice.contents_of("bob")), "his list to a friend")
        self.assertEqual(alice.new_errors() + bob.new_errors(), [])

    def test_room(self):
        bob = self.bob
        bob.add("something")
        self.assertSaved(bob, ["something"], self.today, "bob")
        bob.show("people")
        bob.find("#my-room .note").tells(" kB of 32 MB, by 1 todo")
        bob.find("#my-room .error").reads("")
        for tenths, hint in ((89, ""), (91, "The storage is nearly full: delete todos that you no longer need")):
            bob.find("#close-people").click()
            self.pretend_bytes("bob", 32 * 2**20 * tenths // 100)
            bob.show("people")
            bob.find("#my-room .note").reads(f"{round(.32 * tenths)} MB of 32 MB, by 1 todo")
            bob.find("#my-room .error").tells(hint)
            self.assertEqual(bob.find("#my-room .error").is_shown, bool(hint))
        bob.choose_account("language")
        bob.find("#my-room .note").reads("32MB 중 29MB 사용, 할 일 1개")
        bob.find("#my-room .error").tells("저장 공간이 거의 찼습니다.")
        self.assertEqual(bob.new_errors(), [])

    def pretend_bytes(self, uid, count):
        """Has the log say that somebody's todos weigh so much."""
        key = f"todomate:{{{uid}}}:log"
        version, micros = map(int, self.redis.cli("XREVRANGE", key, "+", "-", "COUNT", "1").split()[0].split("-"))
        change = f"{version + 1}-{micros + 1}"
        settings = {"uid": uid, "audience": "followers", "visibility": "followers", "feedSeen": 0}
        message = json.dumps({"id": change, "type": "settings", "settings": settings}, separators=(",", ":"))
        self.redis.cli("XADD", key, change, "change", message, "bytes", str(count))

    def test_order(self):
        alice = self.alice
        for name in ("carol", "dave"):
            self.add_user(name, "correct horse")
        for name in ("bob", "carol", "dave"):
            self.redis.cli("FCALL", "todomate_settings", "1", f"todomate:{{{name}}}", '{"audience":"public"}')
            alice.request("PUT", f"/v1/users/alice/following/{name}")
        expect(["bob", "carol", "dave"], alice.people, "the lists")

        def stored():
            return [entry["uid"] for entry in alice.request("GET", "/v1/users/alice/following")["following"]]

        def arranged(*order):
            expect([*order], alice.people, "the order of the lists")
            expect([*order], stored, "the order that is kept")

        alice.person("bob", ".name").type(Keys.ALT + Keys.ARROW_RIGHT)
        arranged("carol", "bob", "dave")
        # Where anyone may follow, nobody has accepted anything.
        self.assertNotIn("has accepted", alice.find("#toasts").text)
        # The focus goes along.
        alice.person("bob", ".name").takes_focus()
        alice.show("people")
        alice.find("[data-act=up][data-uid=dave]").click()
        arranged("carol", "dave", "bob")
        alice.emulate_size(1900, 900)
        alice.drag(alice.person("bob", ".eyebrow"), alice.person("carol", ".panel-head"), part=(-1 / 3, 0))
        arranged("bob", "carol", "dave")
        # A finger drags by the grip; no click ends that, and the next one is one.
        alice.swipe(alice.person("bob", ".panel-head .grip").middle(), alice.person("dave", ".eyebrow").middle())
        arranged("carol", "bob", "dave")
        alice.show("feed")
        alice.refresh()
        expect(["carol", "bob", "dave"], alice.people, "the order of the lists")
        self.assertEqual(alice.new_errors(), [])

    def on_a_phone(self):
        """Returns how far from its left edge something is."""
        alice = self.alice
        alice.emulate_size(390, 844)
        self.make_friends()
        self.add("on a phone")

        def left(selector):
            return alice.run("return document.querySelector(arguments[0]).getBoundingClientRect().left", selector)

        alice.wait("my list is in sight", lambda: left(".today") < 30)
        alice.wait("bob's list is not", lambda: left(".person") > 360)
        return left

    def test_a_phone_swipes(self):
        alice, left = self.alice, self.on_a_phone()
        alice.swipe((340, 600), (60, 600))
        alice.wait("bob's list snaps into place", lambda: abs(left(".person") - 12) < 2)
        alice.find("#pager [aria-current]").says("data-uid", "bob")
        self.assertEqual(alice.new_errors(), [])

    @everywhere
    def test_a_phone_shows_one_list_at_a_time(self):
        alice, left = self.alice, self.on_a_phone()
        self.assertFalse(alice.run("return document.documentElement.scrollWidth > document.documentElement.clientWidth"))
        alice.find("#pager [data-uid=bob]").click()
        alice.wait("bob's list snaps into place", lambda: abs(left(".person") - 12) < 2)
        alice.find("#pager [data-uid=alice]").click()
        alice.wait("mine again", lambda: abs(left(".today") - 12) < 2)
        alice.find("#pager [data-uid=bob]").click()
        alice.wait("bob's again", lambda: abs(left(".person") - 12) < 2)
        alice.person("bob", ".name").click()
        alice.find("#calendar").shows()
        alice.find("#lists").is_gone()
        alice.find(f"[data-day='{alice.day(1)}']").click()
        alice.person("bob", ".eyebrow").reads("tomorrow")
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
        expect(["before", "missed"], lambda: alice.contents_of("bob"), "his list")


class WithoutSignIn(Scenario):
    secret = None

    def test_anybody_may_be_anybody(self):
        page = self.board()
        page.find("#enter").click()
        page.live()
        self.redis.add("for bob", page.today(), uid="bob")
        page.show("people")
        page.follow("bob")
        page.toast("Asked bob")
        page.run("location.hash = 'bob'")
        page.find("#who").reads("bob")
        expect(["for bob"], page.contents, "bob's own list")
        self.assertEqual(page.people(), [], "alice's lists are gone")
        expect("1", lambda: page.badge("people"), "the requests to bob")
        page.show("people")
        page.find("[data-act=accept][data-uid=alice]").click()
        page.find("#followers").shows()
        page.run("location.hash = 'alice'")
        expect(["for bob"], lambda: page.contents_of("bob"), "bob's list")
        page.todo_of("bob", "for bob", ".react").click()
        page.find(".emojis [data-emoji='👍']").click()
        page.find(".person .chip").shows()
        self.assertEqual(page.new_errors(), [])


if __name__ == "__main__":
    main()
