"""More lists than there is room for: how one sees that there are others, and comes to them."""
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from appearance import LAYOUT_SHIFT
from world import Scenario, main

NAMES = ["bob", "carol", "dave", "erin", "frank", "grace"]
IN_SIGHT = """
const strip = document.querySelector('#lists').getBoundingClientRect();
return [...document.querySelectorAll('#lists > .panel')].filter((panel) => {
  const { left, right } = panel.getBoundingClientRect();
  return left >= strip.left && right <= strip.right;
}).map((panel) => panel.dataset.uid ?? 'mine');
"""
WAYS = """
const lists = document.querySelector('#lists');
return ['before', 'after'].map((way) => {
  const [arrow, edge] = [document.querySelector(`#lists-${way}`).ariaDisabled === 'false', lists.hasAttribute(`data-${way}`)];
  return arrow === edge ? arrow : 'at odds';
});
"""


class ManyLists(Scenario):
    def setUp(self):
        super().setUp()
        self.page = page = self.signed_in()
        for name in NAMES:
            self.redis.cli("HSET", f"todomate:{{{name}}}:profile", "audience", "public")
            self.redis.add(f"by {name}", page.today(), uid=name)
            page.request("PUT", f"/v1/users/alice/following/{name}")
        page.wait("all lists", lambda: page.people() == NAMES and page.contents_of("grace") == ["by grace"])
        page.add("mine")

    def in_sight(self):
        return self.page.run(IN_SIGHT)

    def assertInSight(self, *names):
        page = self.page
        page.wait(f"{names} in sight", lambda: self.in_sight() == list(names))
        named = "return [...document.querySelectorAll('#pages .seen')].map((e) => e.dataset.uid)"
        uids = ["alice" if name == "mine" else name for name in names]
        page.wait("their names are marked", lambda: page.run(named) == uids)
        self.assertEqual(page.find("#pages [aria-current]").get_attribute("data-uid"), uids[0])

    def ways(self):
        """Whether there is something to the left and to the right: arrows and soft edges tell the same."""
        return self.page.run(WAYS)

    def test_by_mouse(self):
        page = self.page
        self.assertInSight("mine", "bob", "carol", "dave")
        page.wait("more on the right", lambda: self.ways() == [False, True])
        peeks = page.run("return innerWidth - document.querySelector('.person[data-uid=erin]').getBoundingClientRect().left")
        self.assertGreater(peeks, 30, "the next one peeks in")
        page.find("#lists-after").click()
        self.assertInSight("dave", "erin", "frank", "grace")
        page.wait("the end", lambda: self.ways() == [True, False])
        page.find("#lists-after").click()
        self.assertInSight("dave", "erin", "frank", "grace")
        page.find("#lists-before").click()
        self.assertInSight("mine", "bob", "carol", "dave")
        page.find("#pages [data-uid=grace]").click()
        self.assertInSight("dave", "erin", "frank", "grace")
        page.find("#pages [data-uid=alice]").click()
        self.assertInSight("mine", "bob", "carol", "dave")
        page.emulate_size(3000, 900)
        page.wait("all have room", lambda: self.in_sight() == ["mine", *NAMES] and not page.find("#pager").is_displayed())
        self.assertEqual(page.new_errors(), [])

    def test_by_keyboard(self):
        page = self.page
        page.part("mine", "words").send_keys(Keys.ARROW_RIGHT)
        self.assertEqual(page.focused().accessible_name, "React to “by bob”")
        for name in NAMES[1:]:
            page.press(Keys.ARROW_RIGHT)
            self.assertEqual(page.focused().accessible_name, f"React to “by {name}”")
        self.assertInSight("dave", "erin", "frank", "grace")
        page.press(Keys.ARROW_RIGHT)
        self.assertEqual(page.focused().accessible_name, "React to “by grace”", "there is none beyond")
        page.press(*[Keys.ARROW_LEFT] * len(NAMES))
        self.assertEqual(page.focused(), page.part("mine", "words"))
        self.assertInSight("mine", "bob", "carol", "dave")
        # In a field they are the field's.
        page.find("#new").send_keys("ab", Keys.ARROW_LEFT, "c")
        self.assertEqual(page.find("#new").get_attribute("value"), "acb")
        page.find("#lists-after").send_keys(Keys.ENTER)
        page.wait("the end", lambda: self.ways() == [True, False])
        self.assertEqual(page.focused(), page.find("#lists-after"), "who pressed it keeps the focus")

    def test_a_tablet_swipes_through_lists_side_by_side(self):
        page = self.page
        page.emulate_size(768, 1024)
        self.assertInSight("mine", "bob")
        self.assertFalse(page.find(".pane").is_displayed())
        page.swipe((600, 600), (120, 600))
        page.wait("others are in sight", lambda: "mine" not in self.in_sight() and len(self.in_sight()) == 2)
        page.wait("more on both sides", lambda: self.ways() == [True, True])
        # The panels of the other tabs stand beside a list, not in its place.
        for view, panel in (("month", "#calendar"), ("feed", "#feed"), ("people", "#people")):
            page.show(view)
            page.wait(view, lambda panel=panel: page.find(panel).is_displayed() and len(self.in_sight()) == 1)
        self.assertEqual(page.new_errors(), [])

    def test_a_month_stands_beside_the_list_of_whose_it_is(self):
        page = self.page
        lines = "return document.querySelector('.cell[aria-selected=true] .lines span').getBoundingClientRect().width"
        page.show("month")
        self.assertInSight("mine")
        page.wait("the month has room for words", lambda: page.run(lines) > 40)
        page.find("#pages [data-uid=dave]").click()
        self.assertInSight("dave")
        page.wait("his month", lambda: page.find("#month-title").text.startswith("dave · "))
        page.find("#my-month").click()
        self.assertInSight("mine")
        page.show("today")
        self.assertInSight("mine", "bob", "carol", "dave")
        page.person("carol", ".name").click()
        self.assertInSight("carol")
        self.assertEqual(page.cell_lines(page.today()), ["by carol"])
        page.show("month")
        self.assertInSight("mine")
        self.assertEqual(page.cell_lines(page.today()), ["mine"])
        # Its days take what is dragged to them.
        page.drag(page.part("mine", "grip"), page.find(f"[data-day='{page.day(1)}']"))
        page.wait("it is there", lambda: page.cell_lines(page.day(1)) == ["mine"])
        self.assertEqual(page.new_errors(), [])

    def test_nothing_jumps_while_it_loads(self):
        page = self.page
        for size in ((390, 844), (768, 1024), (1280, 800)):
            page.emulate_size(*size)
            page.driver.refresh()
            page.wait("all show", lambda: page.people() == NAMES and page.contents_of("grace") == ["by grace"])
            page.wait("the first paint is over", lambda: page.run("return performance.getEntriesByType('paint').length") == 2)
            self.assertLess(page.run(LAYOUT_SHIFT), 0.02, f"at {size}")

    def test_the_account_has_a_menu(self):
        page = self.page
        self.assertFalse(page.find("#leave").is_displayed())
        page.find("#account").send_keys(Keys.ENTER)
        page.wait("the menu", lambda: page.find("#leave").is_displayed())
        self.assertEqual(page.find("#whole-name").text, "alice")
        page.press(Keys.ESCAPE)
        page.wait("it is gone", lambda: not page.find("#leave").is_displayed())
        self.assertEqual(page.focused(), page.find("#account"))
        page.find("#account").click()
        ActionChains(page.driver).move_to_element(page.find("#day-title")).click().perform()
        page.wait("a press elsewhere closes it", lambda: not page.find("#leave").is_displayed())
        page.choose_account("language")
        page.wait("in Korean", lambda: page.find("#pill").text == "실시간" and not page.find("#leave").is_displayed())
        page.choose_account("leave")
        page.wait("the door is open", lambda: page.find("#enter").is_displayed())
        self.assertTrue(page.find("#language").is_displayed())
        self.assertFalse(page.find("#account").is_displayed())


if __name__ == "__main__":
    main()
