"""What is read from the lines that somebody types: chips that can be taken off, and todos with a day and a time."""
import json
import os
import subprocess

from selenium.webdriver.common.keys import Keys

from modules import FOLDER
from waiting import expect
from world import Scenario, everywhere, main

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../QuickLines/lines.json")
READ_ALL = """
return arguments[0].map(({ line, asText, today }) => {
  const { content, readings, kept } = made.quickLine(line, today, asText, arguments[1]);
  const said = Object.assign({}, ...readings.map(({ words, goal, ...rest }) => (goal ? { goal: goal.id } : rest)));
  return { content, kept, ...said };
});
"""


class QuickAdd(Scenario):
    def setUp(self):
        super().setUp()
        self.page = self.signed_in()
        self.today = self.page.today()

    def chips(self):
        return self.page.run("return [...document.querySelectorAll('.read-chip')].map(({ dataset }) => [dataset.words, dataset.means])")

    def expect_chips(self, *chips):
        expect([list(chip) for chip in chips], self.chips, "the chips")

    def type(self, *keys):
        self.page.find("#new").type(*keys)

    def expect_saved(self, *todos):
        """All todos as `(content, day, time)`, in list order."""
        look = lambda: [(todo["content"], todo["date"], todo.get("time", "")) for todo in self.redis.todos()]
        expect(list(todos), look, "what Redis holds")

    def reload(self):
        self.page.run("addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), { capture: true })")
        self.page.refresh()
        self.page.live()

    def test_lines_are_read_as_the_table_says(self):
        command = ["esbuild", f"{FOLDER}/quickLine.js", "--bundle", "--format=iife", "--global-name=made"]
        code = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        with open(TABLE, encoding="utf-8") as file:
            table = json.load(file)
        lines = [{"today": table["today"], "asText": [], **line} for line in table["lines"]]
        self.assertGreater(len(lines), 200)
        for line, read in zip(lines, self.page.run(f"{code}\n{READ_ALL}", lines, table["goals"]), strict=True):
            due = {"content": line["content"], "kept": line.get("kept", [])}
            due |= {name: line[name] for name in ("day", "time", "goal", "rule", "until") if name in line}
            self.assertEqual(read, due, line)

    def test_rules_are_read_as_the_table_says(self):
        command = ["esbuild", f"{FOLDER}/ruleText.js", "--bundle", "--format=iife", "--global-name=made"]
        code = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        with open(TABLE, encoding="utf-8") as file:
            table = json.load(file)
        self.assertGreater(len(table["rules"]), 20)
        typed = [rule["typed"] for rule in table["rules"]]
        read = self.page.run(f"{code}\nreturn arguments[0].map((typed) => made.ruleIn(typed, arguments[1]) ?? null)", typed, table["today"])
        self.assertEqual(dict(zip(typed, read, strict=True)), {rule["typed"]: rule.get("rule") for rule in table["rules"]})

    def test_what_is_done_until_a_day_has_a_chip_for_that(self):
        page = self.page
        self.type("Stretch every day until dec 31")
        year = int(self.today[:4])
        self.expect_chips(("every day", "FREQ=DAILY"), ("until dec 31", f"{year}-12-31"))
        self.type(Keys.ENTER)
        page.toast("“Stretch”: every day, until")
        routines = page.request("GET", "/v1/users/alice/routines")["routines"]
        self.assertEqual([routine["rule"] for routine in routines], [f"FREQ=DAILY;UNTIL={year}1231"])
        self.assertEqual(page.new_errors(), [])

    def test_words_that_are_too_long_are_not_compared(self):
        command = ["esbuild", f"{FOLDER}/quickLine.js", "--bundle", "--format=iife", "--global-name=made"]
        code = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        script = """
        const normalize = String.prototype.normalize;
        const lengths = [];
        String.prototype.normalize = function (form) { lengths.push(this.length); return normalize.call(this, form); };
        try {
          const { content, readings } = made.quickLine(arguments[0], '2026-11-23');
          return { longest: Math.max(...lengths), count: lengths.length, length: content.length, days: readings.map(({ day }) => day) };
        } finally { String.prototype.normalize = normalize; }
        """
        marks = "\u0301\u0323" * 5000
        for line in (f"a{marks} tomorrow", f"tomorrow #{marks}", f"x {marks}, tomorrow"):
            read = self.page.run(f"{code}\n{script}", line)
            self.assertLessEqual(read["longest"], 200)
            self.assertLessEqual(read["count"], 3)
            self.assertEqual(read["days"], ["2026-11-24"])
            self.assertGreater(read["length"], 10000)

    def test_a_place_is_chosen_among_todos_of_the_same_time(self):
        """The same moves as in `TimeContractTests`: what moves, to which place among the others, and the order then."""
        command = ["esbuild", f"{FOLDER}/order.js", "--bundle", "--format=iife", "--global-name=made"]
        code = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        times = {"a": "08:00", "b": "09:30", "c": "09:30", "d": "21:15", "e": "", "f": ""}
        day = [{"id": name, "time": time, "position": place + 1} for place, (name, time) in enumerate(times.items())]
        moves = [
            ("c", 1, "acbdef"), ("b", 2, "acbdef"), ("f", 4, "abcdfe"), ("e", 5, "abcdfe"), ("a", 0, "abcdef"), ("d", 3, "abcdef"),
            ("a", 1, None), ("d", 2, None), ("b", 0, None), ("e", 3, None), ("e", 0, None), ("c", 4, None), ("d", 5, None), ("a", 5, None),
        ]
        for name, index, due in moves:
            places = self.page.run(f"{code}\nreturn made.positionsFor(...arguments)", day, name, index)
            if due is None:
                self.assertIsNone(places, (name, index))
                continue
            positions = {todo["id"]: todo["position"] for todo in day} | {place["id"]: place["position"] for place in places}
            order = sorted(times, key=lambda other: (times[other] or "~", positions[other]))
            self.assertEqual("".join(order), due, (name, index))

    @everywhere
    def test_a_line_says_when_it_is_for(self):
        page, tomorrow = self.page, self.page.day(1)
        self.type("call mum tomorrow at 9:30")
        self.expect_chips(("tomorrow", tomorrow), ("at 9:30", "09:30"))
        # As it is written where the browser is from: 9:30, 09:30 or 9:30 AM.
        page.find("[data-words='at 9:30'] b").tells("9:30")
        self.type(Keys.ENTER)
        self.expect_saved(("call mum", tomorrow, "09:30"))
        self.expect_chips()
        page.find("#new").holds("")
        # It can be taken back where it is said, though its day does not show.
        page.toast("“call mum” added to ").find(".act").click()
        self.expect_saved()

    def test_the_day_that_shows_is_taken_where_no_other_is_named(self):
        page = self.page
        page.find(f"[data-day='{page.day(2)}']").click()
        self.type("9시 반 회의")
        self.expect_chips(("9시 반", "09:30"))
        self.type(Keys.ENTER, "buy milk", Keys.ENTER)
        self.expect_saved(("회의", page.day(2), "09:30"), ("buy milk", page.day(2), ""))
        page.part("회의", "at").reads("9:30")
        self.assertEqual(page.count(".toast"), 0)

    def test_a_chip_that_is_taken_off_stays_text(self):
        page, tomorrow = self.page, self.page.day(1)
        self.type("read news tomorrow")
        page.find("[data-words='tomorrow']").click()
        self.expect_chips()
        page.find("#new").takes_focus()
        page.find("#new").holds("read news tomorrow")
        # What is typed goes on; words that were typed over may be read again.
        self.type(" 9:30")
        self.expect_chips(("9:30", "09:30"))
        self.reload()
        page.find("#new").holds("read news tomorrow 9:30")
        self.expect_chips(("9:30", "09:30"))
        self.type(Keys.ENTER)
        self.expect_saved(("read news tomorrow", self.today, "09:30"))
        # The next line begins anew.
        self.type("read news tomorrow")
        self.expect_chips(("tomorrow", tomorrow))

    def test_lines_that_are_sent_off_at_once_are_read_and_stay_apart(self):
        # All in one go, before what reads them can have come.
        keys = [part for line in ("one tomorrow", "two", "three 9:30") for part in (line, Keys.ENTER)]
        self.type(*keys)
        self.expect_saved(("three", self.today, "09:30"), ("two", self.today, ""), ("one", self.page.day(1), ""))
        self.page.find("#new").holds("")

    def test_without_what_reads_them_lines_are_added_as_they_are(self):
        self.page.command("Network.enable")
        self.page.command("Network.setBlockedURLs", urls=["*/parts/quickAdd*"])
        self.type("call mum tomorrow", Keys.ENTER)
        self.expect_saved(("call mum tomorrow", self.today, ""))
        self.page.command("Network.setBlockedURLs", urls=[])
        self.page.find("#day-title").click()
        self.type("call mum tomorrow")
        self.expect_chips(("tomorrow", self.page.day(1)))
        self.page.new_errors()

    def test_chips_by_keyboard(self):
        page = self.page
        self.type("run tomorrow 9am")
        self.expect_chips(("tomorrow", page.day(1)), ("9am", "09:00"))
        self.type(Keys.TAB, Keys.TAB)
        page.find("[data-words='tomorrow']").takes_focus()
        label = page.find("[data-words='tomorrow']").attribute("aria-label")
        self.assertRegex(label, "“tomorrow” means .+ Keep it as text")
        page.press(Keys.TAB)
        page.press(Keys.BACKSPACE)
        self.expect_chips()
        page.find("#new").takes_focus()
        page.find("#new").holds("run tomorrow 9am")
        self.assertEqual(page.run("return document.querySelector('.composer [role=status]').textContent"), "")

    def test_a_goal_is_named_and_taken_off_at_the_start_of_the_field(self):
        page = self.page
        for goal in ('{"id":"g1","name":"Side <b> project","visibility":"private"}', '{"id":"g2","name":"집안일"}', '{"id":"g3","name":"Old","archived":true}'):
            self.redis.call("set_goal", goal)
        goals = lambda: [(todo["content"], todo.get("goal", ""), todo["visibility"]) for todo in self.redis.todos()]
        self.type("write #side <b> project")
        self.expect_chips(("#side <b> project", "g1"))
        page.find(".read-chip b").reads("Side <b> project")
        self.type(Keys.ENTER)
        expect([("write", "g1", "private")], goals, "what Redis holds")
        page.part("write", "group").reads("Side <b> project")
        self.type("빨래 #집안일 9:30")
        self.expect_chips(("#집안일", "g2"), ("9:30", "09:30"))
        # Backspace where there is nothing before it takes the last one off, then the one before that; and then nothing.
        self.type(Keys.HOME, Keys.BACKSPACE)
        self.expect_chips()
        page.find("#new").holds("빨래 #집안일 9:30")
        page.find("#new").fill("")
        page.find("#new").run("found.dispatchEvent(new InputEvent('input'))")
        self.type("#집안일 9:30 빨래", Keys.HOME)
        self.expect_chips(("#집안일", "g2"), ("9:30", "09:30"))
        self.type(Keys.BACKSPACE)
        self.expect_chips(("#집안일", "g2"))
        self.type(Keys.BACKSPACE, Keys.BACKSPACE)
        self.expect_chips()
        page.find("#new").holds("#집안일 9:30 빨래")
        page.find("#new").fill("")
        page.find("#new").run("found.dispatchEvent(new InputEvent('input'))")
        self.type("report #old", Keys.ENTER)
        expect(["report #old", "write"], lambda: sorted(content for content, _, _ in goals()), "what Redis holds")
        self.assertEqual(page.new_errors(), [])

    def test_a_goal_that_is_named_first_is_made(self):
        page = self.page
        self.redis.call("set_goal", '{"id":"g1","name":"Old","archived":true}')
        offers = lambda: page.run("return [...document.querySelectorAll('.goal-offer')].map((each) => each.textContent)")
        expect(["Old"], lambda: [goal["name"] for goal in page.request("GET", "/v1/users/alice/goals")["goals"]], "the goals")
        for text, offered in (
            ("report #work fri", ["Make the goal “work”"]), ("#업무 #work: a #mid b #업무", ["Make the goal “업무”"]),
            # What would not be read anyway: in the middle, by a number, kept as text, or with the name of one that is put away.
            ("report #mid day", []), ("see #12", []), ("report \\#work", []), ("report #", []), ("report #old", []), ("report #a#b", []),
        ):
            page.find("#new").fill(text)
            page.find("#new").click()
            page.find("#new").run("found.dispatchEvent(new InputEvent('input'))")
            expect(offered, offers, f"what is offered for {text}")
        page.find("#new").fill("report #Work fri")
        page.find("#new").run("found.dispatchEvent(new InputEvent('input'))")
        # Pressed twice, and sent off before it is there: it is made once, and the line waits for it.
        page.run("const offer = document.querySelector('.goal-offer'); offer.click(); offer.click();")
        self.type(Keys.ENTER)
        expect([], offers, "what is offered")
        made = lambda: [goal for goal in page.request("GET", "/v1/users/alice/goals")["goals"] if goal["name"] == "Work"]
        expect([("Work", "followers", False)], lambda: [(goal["name"], goal["visibility"], goal["archived"]) for goal in made()], "the goals")
        expect([("report", made()[0]["id"])], lambda: [(todo["content"], todo.get("goal")) for todo in self.redis.todos()], "what Redis holds")
        self.assertEqual(page.new_errors(), [])

    def offer(self, name):
        self.page.find("#new").fill(f"report #{name}")
        self.page.find("#new").click()
        self.page.find("#new").run("found.dispatchEvent(new InputEvent('input'))")
        self.page.find(".goal-offer").reads(f"Make the goal “{name}”")

    def goals(self):
        return [(goal["name"], goal["id"]) for goal in self.page.request("GET", "/v1/users/alice/goals")["goals"]]

    def test_a_goal_that_could_not_be_asked_for_is_the_same_once_more(self):
        page = self.page
        self.offer("work")
        page.run(
            """
            const real = fetch;
            window.asked = [];
            window.fetch = async (path, options) => {
              if (options?.method === 'PUT' && asked.push(path) === 1) throw new TypeError('no network');
              return real(path, options);
            };
            """
        )
        page.find(".goal-offer").click()
        page.toast("Not saved").find(".shut").click()
        page.find(".goal-offer").click()
        expect(["#work"], lambda: [words for words, _ in self.chips()], "the chips")
        first, second = page.run("return asked")
        self.assertEqual(first, second)
        self.assertEqual([name for name, _ in self.goals()], ["work"])

    def test_a_goal_whose_answer_is_lost_is_read_once_it_is_there(self):
        page = self.page
        self.offer("work")
        page.run(
            """
            const real = fetch;
            window.fetch = async (path, options) => {
              const answer = await real(path, options);
              if (options?.method !== 'PUT') return answer;
              window.fetch = real;
              throw new TypeError('no network');
            };
            """
        )
        page.find(".goal-offer").click()
        page.toast("Not saved")
        expect([["#work", "work"]], lambda: [[words, dict(map(reversed, self.goals())).get(id)] for words, id in self.chips()], "the chips")
        page.find(".goal-offer").is_gone()

    def test_what_is_sent_off_meanwhile_is_taken_back_one_by_one(self):
        page = self.page
        self.offer("work")
        page.run(
            """
            const real = fetch;
            const asked = new Promise((resume) => { window.go = resume; });
            window.fetch = async (path, options) => {
              if (options?.method === 'PUT') await asked;
              return real(path, options);
            };
            """
        )
        page.find(".goal-offer").click()
        self.type(Keys.ENTER)
        self.type("two", Keys.ENTER)
        page.find("#new").holds("")
        self.assertEqual(page.contents(), [])
        page.run("go()")
        expect(["report", "two"], lambda: sorted(page.contents()), "the list")
        page.press("z", holding=Keys.CONTROL)
        page.toast("Undone: “two” added.")
        expect(["report"], page.contents, "the list")
        self.assertEqual(page.new_errors(), [])

    def test_goals_that_are_made_elsewhere_while_a_line_is_typed(self):
        page = self.page
        self.offer("home")
        self.redis.call("set_goal", '{"id":"g1","name":"home"}')
        self.expect_chips(("#home", "g1"))
        page.find("#new").holds("report #home")
        # Whose chip has the focus goes on in the line as it changes.
        page.find(".read-chip").run("found.focus()")
        self.redis.call("set_goal", '{"id":"g1","name":"house"}')
        page.find(".goal-offer").shows()
        self.assertEqual(page.run("return document.activeElement.id"), "new")
        self.assertEqual(page.new_errors(), [])

    def test_of_many_names_a_few_are_offered(self):
        page = self.page
        page.find("#new").click()
        expect(True, lambda: page.run("return Boolean(document.querySelector('.read'))"), "whether lines are read")
        page.find("#new").fill("\n".join(" ".join(f"#t{line}x{tag}" for tag in range(60)) for line in range(50)))
        page.find("#new").run("found.dispatchEvent(new InputEvent('input'))")
        expect(5, lambda: page.run("return document.querySelectorAll('.goal-offer').length"), "how much is offered")

    def test_several_lines_are_read_each_by_itself(self):
        page, tomorrow = self.page, self.page.day(1)
        page.find("#new").fill("milk tomorrow\ncall mum 9:30\n\n우유 내일")
        page.find("#new").run("found.dispatchEvent(new InputEvent('input'))")
        self.expect_chips(("tomorrow", tomorrow), ("9:30", "09:30"), ("내일", tomorrow))
        self.type(Keys.ENTER)
        self.expect_saved(("call mum", self.today, "09:30"), ("milk", tomorrow, ""), ("우유", tomorrow, ""))
        page.toast("3 todos added, 2 of them on other days").find(".act").click()
        self.expect_saved()
        page.find("#new").fill("eggs\nflour")
        page.find("#new").run("found.dispatchEvent(new InputEvent('input'))")
        self.type(Keys.ENTER)
        self.expect_saved(("eggs", self.today, ""), ("flour", self.today, ""))
        page.find("#day-title").click()
        page.press("z", holding=Keys.CONTROL)
        page.toast("Undone: 2 todos added")
        self.expect_saved()

    def test_a_list_is_pasted_without_its_marks(self):
        page = self.page
        page.find("#new").click()
        expect(True, lambda: page.run("return Boolean(document.querySelector('.read'))"), "whether lines are read")
        for pasted, kept in (
            ("- milk tomorrow\n\n  * bread\n• eggs\n", "milk tomorrow\nbread\neggs"),
            ("1. milk\n12) bread", "milk\nbread"),
            ("- [ ] milk\n- [x] bread\n[ ] eggs", "milk\nbread\neggs"),
            # What is no list, or one line, may well be meant so.
            ("- milk\nbread", "- milk\nbread"), ("- milk", "- milk"), ("-\n-", "-\n-"), ("2026. 11\n2027. 11", "2026. 11\n2027. 11"),
        ):
            page.find("#new").fill(pasted)
            page.find("#new").run("found.dispatchEvent(new InputEvent('input', { inputType: 'insertFromPaste' }))")
            page.find("#new").holds(kept)

    def test_chips_that_say_much_stay_in_the_window(self):
        page = self.page
        page.emulate_size(390, 844)
        self.type("stretch every mon wed and fri until dec 31 at 7:30")
        expect(3, lambda: page.run("return document.querySelectorAll('.read-chip').length"), "the number of chips")
        page.run("document.getElementById('new').dispatchEvent(new InputEvent('input'))")
        widest = page.run("return Math.max(...[...document.querySelectorAll('.read-chip, .read-chip b')].map((e) => e.getBoundingClientRect().right))")
        self.assertLessEqual(widest, 390)

    def test_what_is_refused_comes_back_as_it_was_typed(self):
        page = self.page
        self.type("call mum fri tomorrow 9:30")
        page.find("[data-words='9:30']").click()
        page.answer_with(422, "full")
        self.type(Keys.ENTER)
        page.find("#new").holds("call mum fri tomorrow 9:30")
        self.expect_chips()
        page.run("restore()")
        self.type(Keys.ENTER)
        self.expect_saved(("call mum fri tomorrow 9:30", self.today, ""))

    def test_a_day_stands_in_the_order_of_its_times(self):
        page = self.page
        for content, time in [("none", ""), ("late", "21:15"), ("early", "09:30"), ("also", "")]:
            self.redis.add(content, self.today, **({"time": time} if time else {}))
        expect(["early", "late", "none", "also"], page.contents, "the list")
        # Where its time, or its lack of one, puts a todo, there it stays.
        page.part("none", "grip").click()
        page.choose("Move up")
        page.toast("Todos with a time stand before the others.").find(".shut").click()
        page.part("late", "grip").click()
        page.choose("Move down")
        page.toast("Todos with a time stand in its order")
        self.assertEqual(page.contents(), ["early", "late", "none", "also"])
        page.part("also", "grip").click()
        page.choose("Move up")
        expect(["early", "late", "also", "none"], page.contents, "the list")
        # Edits change the time, and take it away.
        page.part("none", "words").double_click()
        page.find(".edit-time").fill("08:00")
        page.find(".editor .save").click()
        expect(["none", "early", "late", "also"], page.contents, "the list")
        page.part("none", "words").double_click()
        page.find(".edit-time").fill("")
        page.find(".editor .save").click()
        expect(["early", "late", "also", "none"], page.contents, "the list")
        expect(["early", "late", "also", "none"], lambda: self.redis.contents(self.today), "what Redis holds")
        self.assertEqual(page.cell_lines(self.today)[0], "9:30 early")
        # A deleted todo comes back with its time.
        page.part("late", "grip").click()
        page.choose("Delete")
        expect(["early", "also", "none"], page.contents, "the list")
        page.toast("“late” deleted").find(".act").click()
        expect(["early", "late", "also", "none"], page.contents, "the list")
        page.run("localStorage.setItem('todomate.language', 'ko')")
        page.refresh()
        page.live()
        page.part("early", "at").reads("오전 9:30")
        self.assertEqual(page.new_errors(), [])


if __name__ == "__main__":
    main()
