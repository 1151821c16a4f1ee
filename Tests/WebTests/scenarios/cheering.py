"""What is worth coming back for: who reacted, days in a row with something finished, and a week at a glance."""
import json
import os
import subprocess

from selenium.webdriver.common.keys import Keys

from appearance import CONTRAST, DUPLICATE_IDS, SMALL_TARGETS, WIDER_THAN_WINDOW
from modules import FOLDER
from waiting import expect
from world import Scenario, main

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Weeks/weeks.json")
COUNT = """
return arguments[0].map(({ today, todos, run }) => {
  const days = new Map();
  const add = (date, status, goal) => days.set(date, [...days.get(date) ?? [], { date, status, goal }]);
  for (let day = run?.[0]; day <= run?.[1]; day = new Date(Date.parse(day) + 864e5).toISOString().slice(0, 10)) add(day, 'complete');
  for (const [date, status, goal] of todos) add(date, status, goal);
  const week = made.weekOf(days, today);
  const counts = week.flatMap(({ date, counts }) => [...counts].sort(([a], [b]) => (!a - !b) || (a < b ? -1 : 1)).map(([goal, count]) => [date, goal, count]));
  return [made.streakOf(days, today), counts];
});
"""
ROWS = """
return [...document.querySelectorAll('.glance tbody tr')].map((row) =>
  [row.querySelector('th'), row.querySelector('.number'), row.querySelector('.goals')].map((e) => e?.innerText.replace(/\\s+/g, ' ').trim() ?? ''));
"""


class Cheering(Scenario):
    def setUp(self):
        super().setUp()
        self.page = self.signed_in()
        self.today = self.page.today()

    def finish(self, content, days=0, **fields):
        return self.redis.add(content, self.page.day(days), id=content, status="complete", **fields)

    def rows(self):
        """The days of the week that have something: name, number, and goals."""
        return [row for row in self.page.run(ROWS) if row[1]]

    def assertLooksWell(self, page, what):
        for scheme in ("light", "dark"):
            page.emulate_scheme(scheme, motion="reduce")
            found = page.run(CONTRAST)
            self.assertEqual(found["poor"], [], f"{what}, {scheme}")
            for size in ((390, 844), (1280, 800)):
                page.emulate_size(*size)
                self.assertEqual(page.run(SMALL_TARGETS), [], f"{what} at {size}")
                self.assertFalse(page.run(WIDER_THAN_WINDOW), f"{what} at {size}")
            self.assertEqual(page.run(DUPLICATE_IDS), [], what)

    def test_counts_as_the_table_says(self):
        command = ["esbuild", f"{FOLDER}/weekDays.js", "--bundle", "--format=iife", "--global-name=made"]
        code = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        with open(TABLE, encoding="utf-8") as file:
            table = json.load(file)["weeks"]
        self.assertGreater(len(table), 20)
        for example, (streak, counts) in zip(table, self.page.run(f"{code}\n{COUNT}", table), strict=True):
            self.assertEqual(streak, example["streak"], example["says"])
            if "week" in example:
                self.assertEqual(counts, example["week"], example["says"])

    def test_a_week_at_a_glance_follows_each_change(self):
        page = self.page
        page.find("#week").says("aria-label", "My week")
        page.find("#week").reads("")
        page.find("#week").click()
        page.find("dialog.glance .sum").reads("What you finish will show here.")
        page.find(".glance .streak").is_gone()
        self.assertEqual(len(page.run(ROWS)), 7)
        self.redis.call("set_goal", '{"id":"g1","name":"Work <b>","color":"teal"}')
        self.finish("report", goal="g1")
        expect([["Today", "1", "Work <b> 1"]], self.rows, "the week")
        self.finish("milk")
        expect([["Today", "2", "Work <b> 1 No goal 1"]], self.rows, "the week")
        self.finish("run", -1)
        self.finish("swim", -2)
        page.find(".glance .streak").reads("Something finished 3 days in a row")
        page.find(".glance .sum").reads("4 finished")
        self.assertEqual([row[1] for row in self.rows()], ["1", "1", "2"])
        # What is opened again, moved and removed.
        self.redis.call("update", "run", json.dumps({"status": "todo"}))
        page.find(".glance .streak").is_gone()
        self.redis.call("update", "swim", json.dumps({"date": page.day(-1)}))
        page.find(".glance .streak").reads("Something finished 2 days in a row")
        self.redis.call("remove", "milk")
        page.find(".glance .sum").reads("2 finished")
        self.redis.call("set_goal", '{"id":"g1","name":"Office","archived":true}')
        expect(["Today", "1", "Office 1"], lambda: self.rows()[-1], "today")
        self.redis.cli("FCALL", "todomate_remove_goal", "1", "todomate:{alice}", "g1", "0")
        expect(["Today", "1", ""], lambda: self.rows()[-1], "today")
        page.escape()
        page.find("#week").takes_focus()
        page.find("#week").reads("2 in a row")
        page.find("#week").says("aria-label", "My week: something finished 2 days in a row")
        # By its key, and with a Korean layout.
        page.find("#day-title").click()
        page.press("w")
        page.find("dialog.glance").shows()
        page.escape()
        # Only beside today.
        page.find(f".cell[data-day='{page.day(1)}']").click()
        page.find("#week").is_gone()
        self.assertEqual(page.new_errors(), [])

    def test_a_finished_one_counts_at_once_and_without_the_server(self):
        page = self.page
        self.finish("run", -1)
        self.redis.add("report", self.today)
        expect(["report"], page.contents, "today")
        page.find("#week").reads("")
        for worker in self.workers:
            worker.stop()
        page.part("report", "status").click()
        page.find("#week").reads("2 in a row")
        self.workers[0].start()

    def test_the_chart_looks_well(self):
        page = self.page
        for index, color in enumerate(("red", "yellow", "gray", "indigo", "teal")):
            self.redis.call("set_goal", json.dumps({"id": f"g{index}", "name": f"{color} " * 5, "color": color}))
            for number in range(3):
                self.finish(f"{color}{number}", -number, goal=f"g{index}")
        for number in range(30):
            self.finish(f"many{number}", -3)
        page.find("#week").click()
        page.find(".glance .sum").reads("45 finished")
        self.assertLooksWell(page, "the week")
        # Segments stand out from what is behind them as well.
        tree = page.command("Accessibility.getFullAXTree")["nodes"]
        roles = [node["role"]["value"] for node in tree if not node["ignored"]]
        self.assertEqual((roles.count("table"), roles.count("rowheader")), (1, 7))
        page.escape()
        self.assertLooksWell(page, "today")

    def test_korean(self):
        page = self.page
        self.finish("run", -1)
        self.finish("milk")
        page.choose_account("language")
        page.find("#week").reads("2일 연속")
        page.find("#week").click()
        page.find("dialog.glance h2").reads("지난 7일")
        page.find(".glance .streak").reads("2일 연속 완료")
        page.find(".glance .sum").reads("2개 완료")
        expect(["오늘", "1", ""], lambda: self.rows()[-1], "today")

    def test_who_reacted_is_told_to_the_owner(self):
        page = self.page
        for uid in ("bob", "carol", "dave"):
            self.add_user(uid, "correct horse")
        self.todomate("profile", "bob", "--name", "Bob <b>", "--face", "🐻")
        self.todomate("follow", "bob", "alice")
        todo = self.redis.add("ran 5 km", self.today, id="r1", visibility="public")
        react = lambda person, emoji: self.redis.call("react", todo["id"], person, emoji)
        lines = lambda: page.run("return [...document.querySelectorAll('.cheers li')].map((line) => line.innerText.replace(/\\s+/g, ' ').trim())")
        react("bob", "🎉")
        page.part("ran 5 km", "chip").says("aria-label", "🎉, 1 reaction")
        page.part("ran 5 km", "chip").says("aria-haspopup", "dialog")
        page.part("ran 5 km", "chip").click()
        page.find(".cheers").takes_focus()
        expect(["🐻 Bob <b> (bob) 🎉"], lines, "who reacted")
        # Live, by emoji.
        react("carol", "👍")
        react("dave", "👍")
        expect(["C carol 👍", "D dave 👍", "🐻 Bob <b> (bob) 🎉"], lines, "who reacted")
        react("dave", "")
        expect(2, lambda: len(lines()), "who reacted")
        # The owner, too, by the panel to choose an emoji.
        page.choose("React")
        page.find(".emojis [data-emoji='👏']").click()
        page.part("ran 5 km", "chip[data-emoji='👏']").shows()
        page.wait("mine is marked", lambda: page.count(".chip.mine[data-emoji='👏']"))
        # By keyboard alone; of whom one has blocked the number is left.
        self.todomate("block", "alice", "carol")
        page.part("ran 5 km", "words").click()
        page.run("document.querySelector('.chip').focus()")
        page.press(Keys.ENTER)
        page.find(".cheers").takes_focus()
        expect(2, lambda: len(lines()), "who reacted")
        page.find(".cheers + .note").reads("and 1 more")
        self.assertLooksWell(page, "who reacted")
        page.escape()
        expect("chip", lambda: page.run("return document.activeElement.classList[0]"), "what has the focus")
        # A reaction is somebody else's, and no undo brings it back.
        page.part("ran 5 km", "words").type(Keys.DELETE)
        page.toast("“ran 5 km” deleted, and its reactions for good")
        self.assertEqual(page.new_errors(), [])

    def test_others_react_by_the_numbers_as_before(self):
        self.add_user("bob", "correct horse")
        self.todomate("profile", "alice", "--audience", "public")
        todo = self.redis.add("ran 5 km", self.today, visibility="public")
        self.redis.call("react", todo["id"], "carol", "🎉")
        bob = self.signed_in(1, "bob")
        bob.request("PUT", "/v1/users/bob/following/alice")
        bob.todo_of("alice", "ran 5 km", ".chip").click()
        bob.find(".person .chip").says("aria-pressed", "true")
        self.assertEqual(bob.count("dialog"), 0)
        seen = bob.request("GET", f"/v1/users/alice/todos/{todo['id']}/reactions")["reactions"]
        self.assertEqual(seen, [{"uid": "bob", "emoji": "🎉"}], "nobody else's is told")


if __name__ == "__main__":
    main()
