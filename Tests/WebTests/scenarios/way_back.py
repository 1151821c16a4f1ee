"""The browser's Back, by which people on a phone leave what they have opened."""
from waiting import expect
from world import Scenario, everywhere, main

# Whether the browser's history stands at an entry of what is elsewhere on the page.
IS_AWAY = "return Boolean(history.state?.isAway)"
PHONE = (390, 844)


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
        page.run("""
            const press = (view) => document.querySelector(`#tabs [data-view=${view}]`).click();
            press('today');
            return new Promise((resume) => setTimeout(() => { press('people'); setTimeout(resume); }));
        """)
        self.expect_entry(page, True)
        page.find("body").says("data-view", "people")
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


if __name__ == "__main__":
    main()
