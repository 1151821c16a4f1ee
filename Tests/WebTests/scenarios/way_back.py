"""The browser's Back, by which people on a phone leave what they have opened."""
from board import FRAMES
from daily_work import TITLE_IN_SIGHT
from waiting import expect
from world import Scenario, everywhere, main

# Whether the browser's history stands at an entry of what is elsewhere on the page.
IS_AWAY = "return Boolean(history.state?.isAway)"
PHONE = (390, 844)
# Presses tabs one after another, as soon as the page has noted what the one before has changed.
PRESS = """
return arguments[0].reduce(async (before, view) => {
  await before;
  document.querySelector(`#tabs [data-view=${view}]`).click();
  await new Promise((resume) => requestAnimationFrame(() => setTimeout(resume)));
}, null);
"""


class Way(Scenario):
    def expect_entry(self, page, is_away):
        expect(is_away, lambda: page.run(IS_AWAY), "whether the history has an entry of what is elsewhere")

    def expect_home(self, page):
        page.find("body").says("data-view", "today")
        expect(True, lambda: page.run("return document.querySelector('#to-today').hidden"), "whether today shows")
        self.expect_entry(page, False)

    def expect_title(self, page):
        expect(True, lambda: page.run(TITLE_IN_SIGHT), "whether the head of the list is in sight")

    def go_to_tomorrow(self, page):
        page.find(f".cell[data-day='{page.day(1)}']").click()
        self.expect_entry(page, True)


class WayBack(Way):
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
        page.driver.back()
        self.expect_home(page)
        self.go_to_tomorrow(page)
        page.driver.back()
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
        page.driver.back()
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
        page.driver.back()
        self.expect_home(page)

    def test_goes_nowhere_by_forward(self):
        page = self.phone()
        page.show("people")
        self.expect_entry(page, True)
        page.driver.back()
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
        page.driver.back()
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
        page.driver.back()
        self.expect_home(page)
        self.assertEqual(page.new_errors(), [])


class WayBackWithoutSignIn(Way):
    """There the address says whose board it is."""
    secret = None

    def setUp(self):
        super().setUp()
        self.page = self.board()
        self.page.find("#enter").click()
        self.page.live()

    def test_stays_with_whose_board_it_is(self):
        page = self.page
        self.go_to_tomorrow(page)
        entries = page.run("return history.length")
        page.refresh()
        page.live()
        self.expect_home(page)
        self.go_to_tomorrow(page)
        # The entry from before the reload is gone.
        self.assertEqual(page.run("return history.length"), entries)
        page.driver.back()
        self.expect_home(page)
        self.assertEqual(page.run("return location.hash"), "#alice")
        self.assertEqual(page.new_errors(), [])

    def test_shows_the_head_of_the_list_that_it_leads_to(self):
        page = self.page
        for number in range(16):
            self.redis.add(f"todo {number}", page.today())
        expect(16, lambda: len(page.contents()), "the todos of today")
        page.emulate_size(390, 700)
        for way in (lambda: page.find("#to-today").click(), lambda: page.press("t"), page.driver.back):
            page.run("document.querySelector('.week:last-child').scrollIntoView({ block: 'end' })")
            self.go_to_tomorrow(page)
            self.expect_title(page)
            way()
            self.expect_entry(page, False)
            page.run(FRAMES)
            self.expect_title(page)
        self.assertTrue(page.run("return document.activeElement.matches('#day-title')"))
        self.assertEqual(page.new_errors(), [])

    def test_leaves_nothing_open_over_it(self):
        page = self.page
        self.redis.add("tomorrow's", page.day(1))
        self.go_to_tomorrow(page)
        expect(["tomorrow's"], page.contents, "the list")
        page.part("tomorrow's", "grip").click()
        page.find("dialog").shows()
        page.driver.back()
        expect(0, lambda: page.count("dialog"), "the number of open panels")
        self.expect_home(page)
        self.go_to_tomorrow(page)
        page.open_account()
        page.driver.back()
        expect(False, page.has_account_menu, "whether the account's menu is open")
        self.expect_home(page)
        self.assertEqual(page.new_errors(), [])


if __name__ == "__main__":
    main()
