"""More lists than there is room for: how one sees that there are others, and comes to them."""
from selenium.webdriver.common.keys import Keys

from appearance import jumps
from waiting import expect
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
        self.assertAllShow()
        page.add("mine")
        self.assertSaved(page, ["mine"], page.today())

    def assertAllShow(self):
        expect(NAMES, self.page.people, "the lists")
        for name in NAMES:
            expect([f"by {name}"], lambda name=name: self.page.contents_of(name), f"the list of {name}")

    def in_sight(self):
        return self.page.run(IN_SIGHT)

    def assertInSight(self, *names):
        page = self.page
        expect(list(names), self.in_sight, "the lists in sight")
        named = "return [...document.querySelectorAll('#pages .seen')].map((e) => e.dataset.uid)"
        uids = ["alice" if name == "mine" else name for name in names]
        expect(uids, lambda: page.run(named), "the names that are marked")
        page.find("#pages [aria-current]").says("data-uid", uids[0])

    def assertWays(self, before, after):
        """Whether there is something to the left and to the right: arrows and soft edges tell the same."""
        expect([before, after], lambda: self.page.run(WAYS), "the ways to the left and to the right")

    def test_by_mouse(self):
        page = self.page
        self.assertInSight("mine", "bob", "carol", "dave")
        self.assertWays(False, True)
        left = "return document.querySelector('.person[data-uid=erin]').getBoundingClientRect().left"
        page.wait("the next one peeks in", lambda: 1280 - page.run(left) > 30)
        page.find("#lists-after").click()
        self.assertInSight("dave", "erin", "frank", "grace")
        self.assertWays(True, False)
        page.find("#lists-after").click()
        self.assertInSight("dave", "erin", "frank", "grace")
        page.find("#lists-before").click()
        self.assertInSight("mine", "bob", "carol", "dave")
        page.find("#pages [data-uid=grace]").click()
        self.assertInSight("dave", "erin", "frank", "grace")
        page.find("#pages [data-uid=alice]").click()
        self.assertInSight("mine", "bob", "carol", "dave")
        page.emulate_size(3000, 900)
        expect(["mine", *NAMES], self.in_sight, "the lists in sight")
        page.find("#pager").is_gone()
        self.assertEqual(page.new_errors(), [])

    def test_by_keyboard(self):
        page = self.page
        page.part("mine", "words").type(Keys.ARROW_RIGHT)
        expect("React to “by bob”", page.focused_name, "the focus")
        for name in NAMES[1:]:
            page.press(Keys.ARROW_RIGHT)
            expect(f"React to “by {name}”", page.focused_name, "the focus")
        self.assertInSight("dave", "erin", "frank", "grace")
        # There is none beyond.
        page.press(Keys.ARROW_RIGHT)
        expect("React to “by grace”", page.focused_name, "the focus")
        page.press(*[Keys.ARROW_LEFT] * len(NAMES))
        page.part("mine", "words").takes_focus()
        self.assertInSight("mine", "bob", "carol", "dave")
        # In a field they are the field's.
        page.find("#new").type("ab", Keys.ARROW_LEFT, "c")
        page.find("#new").holds("acb")
        page.find("#lists-after").type(Keys.ENTER)
        self.assertWays(True, False)
        # Who pressed it keeps the focus.
        page.find("#lists-after").takes_focus()

    def test_a_tablet_swipes_through_lists_side_by_side(self):
        page = self.page
        page.emulate_size(768, 1024)
        self.assertInSight("mine", "bob")
        page.find(".pane").is_gone()
        page.swipe((600, 600), (120, 600))
        page.wait("others are in sight", lambda: len(seen := self.in_sight()) == 2 and "mine" not in seen)
        self.assertWays(True, True)
        # The panels of the other tabs stand beside a list, not in its place.
        for view, panel in (("month", "#calendar"), ("feed", "#feed"), ("people", "#people")):
            page.show(view)
            page.find(panel).shows()
            page.wait(f"one list beside {view}", lambda: len(self.in_sight()) == 1)
        self.assertEqual(page.new_errors(), [])

    def test_a_month_stands_beside_the_list_of_whose_it_is(self):
        page = self.page
        lines = "return document.querySelector('.cell[aria-selected=true] .lines span')?.getBoundingClientRect().width ?? 0"
        page.show("month")
        self.assertInSight("mine")
        page.wait("the month has room for words", lambda: page.run(lines) > 40)
        page.find("#pages [data-uid=dave]").click()
        self.assertInSight("dave")
        page.find("#month-title").tells("dave · ")
        page.find("#my-month").click()
        self.assertInSight("mine")
        page.show("today")
        self.assertInSight("mine", "bob", "carol", "dave")
        page.person("carol", ".name").click()
        self.assertInSight("carol")
        expect(["by carol"], lambda: page.cell_lines(page.today()), "today in her month")
        page.show("month")
        self.assertInSight("mine")
        expect(["mine"], lambda: page.cell_lines(page.today()), "today in my month")
        # Its days take what is dragged to them.
        tomorrow = page.day(1)
        page.drag(page.part("mine", "grip"), page.find(f"[data-day='{tomorrow}']"))
        expect(["mine"], lambda: page.cell_lines(tomorrow), "tomorrow in my month")
        self.assertEqual(page.new_errors(), [])

    def test_nothing_jumps_while_it_loads(self):
        page = self.page
        # For whom the server is slow the page shows before all is known: here nobody is.
        page.command("Animation.enable")
        page.command("Animation.setPlaybackRate", playbackRate=0)
        for size in ((390, 844), (768, 1024), (1280, 800)):
            page.emulate_size(*size)
            page.refresh()
            self.assertAllShow()
            self.assertLess(jumps(page), 0.02, f"at {size}")

    def test_the_account_has_a_menu(self):
        page = self.page
        page.find("#leave").is_gone()
        page.find("#account").type(Keys.ENTER)
        page.find("#leave").shows()
        page.find("#whole-name").reads("alice")
        page.press(Keys.ESCAPE)
        page.find("#leave").is_gone()
        page.find("#account").takes_focus()
        page.open_account()
        # A press elsewhere closes it.
        page.find("#day-title").click()
        page.find("#leave").is_gone()
        page.choose_account("language")
        page.find("#pill").reads("실시간")
        page.choose_account("leave")
        page.door()
        page.find("#language").shows()
        page.find("#account").is_gone()


if __name__ == "__main__":
    main()
