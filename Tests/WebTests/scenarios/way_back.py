"""The browser's Back, by which people on a phone leave what they have opened."""
from board import FRAMES
from waiting import expect
from world import Scenario, everywhere, main

# Whether the browser's history stands at an entry of what is elsewhere on the page.
IS_AWAY = "return Boolean(history.state?.isAway)"
PHONE = (390, 844)
HEAD_IN_SIGHT = "const { top, bottom } = document.querySelector('#day-title').getBoundingClientRect(); return top >= 0 && bottom <= innerHeight;"
# Presses tabs one after another, as soon as the page has noted what the one before has changed.
PRESS = """
return arguments[0].reduce(async (before, view) => {
  await before;
  document.querySelector(`#tabs [data-view=${view}]`).click();
  await new Promise((resume) => setTimeout(resume));
}, null);
"""


class WayBack(Scenario):
    def setUp(self):
        super().setUp()
        self.add_user("bob", "correct horse")
        self.todomate("profile", "bob", "--audience", "public")
        self.todomate("follow", "alice", "bob")

    def phone(self):
        page = self.signed_in()
        page.emulate_size(*PHONE)
        page.wait("the tabs", lambda: page.find("#tabs [data-view=month]").is_shown)
        return page

    def expect_entry(self, page, is_away):
        expect(is_away, lambda: page.run(IS_AWAY), "whether the history has an entry of what is elsewhere")

    def expect_home(self, page):
        page.find("body").says("data-view", "today")
        expect(True, lambda: page.run("return document.querySelector('#to-today').hidden"), "whether today shows")
        self.expect_entry(page, False)

    def go_back(self, page):
        """As the browser's button does; it tells nobody when it is done where the page stays."""
        page.driver.back()

    @everywhere
    def test_leads_to_today_from_wherever_one_has_gone(self):
        page = self.signed_in()
        page.wait("bob's list", lambda: page.count(".person"))
        page.show("feed")
        self.expect_entry(page, True)
        page.show("people")
        page.show("month")
        page.find(f".cell[data-day='{page.day(1)}']").click()
        page.find("[aria-selected=true]").says("data-day", page.day(1))
        # However far one has gone, one step leads back.
        self.go_back(page)
        self.expect_home(page)
        page.find(f".cell[data-day='{page.day(1)}']").click()
        self.expect_entry(page, True)
        self.go_back(page)
        self.expect_home(page)
        self.assertEqual(page.new_errors(), [])

    def test_leads_out_of_the_page_from_today(self):
        page = self.phone()
        before = page.run("return history.length")
        page.show("month")
        self.expect_entry(page, True)
        # Whoever comes home by themselves has nothing left to go back through.
        page.show("today")
        self.expect_home(page)
        page.find("#day-before").click()
        self.expect_entry(page, True)
        page.find("#to-today").click()
        self.expect_home(page)
        self.assertLessEqual(page.run("return history.length"), before + 1)
        self.go_back(page)
        page.wait("another page", lambda: not page.driver.current_url.startswith(page.url))

    def test_does_not_throw_back_who_goes_away_again_at_once(self):
        page = self.phone()
        page.show("month")
        self.expect_entry(page, True)
        # The entry is still on its way out when another one is needed.
        page.run(PRESS, ["today", "people"])
        self.expect_entry(page, True)
        page.find("body").says("data-view", "people")
        # Nor who only looks in: one entry is taken away once.
        page.run(PRESS, ["today", "people", "today"])
        self.expect_home(page)
        page.show("people")
        self.expect_entry(page, True)
        self.go_back(page)
        self.expect_home(page)

    def test_goes_nowhere_by_forward(self):
        page = self.phone()
        page.show("people")
        self.expect_entry(page, True)
        self.go_back(page)
        self.expect_home(page)
        page.driver.forward()
        self.expect_home(page)
        page.show("month")
        self.expect_entry(page, True)
        page.find("body").says("data-view", "month")

    def test_is_whole_after_a_reload(self):
        page = self.phone()
        page.show("people")
        self.expect_entry(page, True)
        page.refresh()
        page.live()
        # The page opens with today, and nothing is left to go back through.
        self.expect_home(page)
        self.go_back(page)
        page.wait("another page", lambda: not page.driver.current_url.startswith(page.url))

    def test_is_whole_after_signing_out_and_in(self):
        page = self.phone()
        page.show("people")
        self.expect_entry(page, True)
        page.choose_account("leave")
        page.door()
        page.sign_in("alice", "correct horse")
        self.expect_home(page)
        page.show("month")
        self.expect_entry(page, True)
        self.go_back(page)
        self.expect_home(page)
        self.assertEqual(page.new_errors(), [])


class WayBackWithoutSignIn(Scenario):
    """There the address says whose board it is."""
    secret = None

    def test_stays_with_whose_board_it_is(self):
        page = self.board()
        page.retype(page.find("#user"), "alice")
        page.find("#enter").click()
        page.live()
        page.find(f".cell[data-day='{page.day(1)}']").click()
        expect(True, lambda: page.run(IS_AWAY), "whether there is an entry of another day")
        page.refresh()
        page.live()
        expect(False, lambda: page.run(IS_AWAY), "whether there is an entry of another day")
        page.find(f".cell[data-day='{page.day(1)}']").click()
        expect(True, lambda: page.run(IS_AWAY), "whether there is an entry of another day")
        page.driver.back()
        expect(True, lambda: page.run("return document.querySelector('#to-today').hidden"), "whether today shows")
        self.assertEqual(page.run("return location.hash"), "#alice")
        self.assertEqual(page.new_errors(), [])

    def test_shows_the_head_of_the_list_that_it_leads_to(self):
        page = self.board()
        page.retype(page.find("#user"), "alice")
        page.find("#enter").click()
        page.live()
        for number in range(16):
            self.redis.add(f"todo {number}", page.today())
        expect(16, lambda: len(page.contents()), "the todos of today")
        page.emulate_size(390, 700)
        for way in (lambda: page.find("#to-today").click(), lambda: page.press("t"), page.driver.back):
            page.run("document.querySelector('.week:last-child').scrollIntoView({ block: 'end' })")
            page.find(f".cell[data-day='{page.day(1)}']").click()
            expect(True, lambda: page.run(IS_AWAY), "whether there is an entry of another day")
            expect(True, lambda: page.run(HEAD_IN_SIGHT), "whether the head of the list is in sight")
            way()
            expect(False, lambda: page.run(IS_AWAY), "whether there is an entry of another day")
            page.run(FRAMES)
            expect(True, lambda: page.run(HEAD_IN_SIGHT), "whether the head of the list is in sight")
        self.assertTrue(page.run("return document.activeElement.matches('#day-title')"))
        self.assertEqual(page.new_errors(), [])

    def test_leaves_nothing_open_over_it(self):
        page = self.board()
        page.retype(page.find("#user"), "alice")
        page.find("#enter").click()
        page.live()
        self.redis.add("tomorrow's", page.day(1))
        page.find(f".cell[data-day='{page.day(1)}']").click()
        expect(["tomorrow's"], page.contents, "the list")
        page.part("tomorrow's", "grip").click()
        page.find("dialog").shows()
        page.driver.back()
        expect(0, lambda: page.count("dialog"), "the number of open panels")
        expect([], page.contents, "the list")
        page.find(f".cell[data-day='{page.day(1)}']").click()
        expect(True, lambda: page.run(IS_AWAY), "whether there is an entry of another day")
        page.open_account()
        page.driver.back()
        expect(False, page.has_account_menu, "whether the account's menu is open")
        self.assertEqual(page.new_errors(), [])


if __name__ == "__main__":
    main()
