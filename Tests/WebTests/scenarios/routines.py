"""What is done again and again: made, finished, skipped, changed from a day on and ended."""
import datetime
import json
import os
import subprocess

from selenium.webdriver.common.keys import Keys

from modules import FOLDER
from routine_scenario import RoutineScenario
from waiting import expect
from world import everywhere, main

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Routines/rules.json")
WORK_OUT = """
const [rules, refused, starts] = arguments;
return [rules.map(({ rule, from, in: [first, last] }) => [made.spelt(made.parsed(rule)), made.daysOf(rule, from, first, last)]),
  refused.filter((rule) => made.parsed(rule)), starts.map(({ rule, said }) => made.startOf(rule, said))];
"""
# What a user has decided, their routines among it, is answered only when asked to.
HOLD_PROFILE = """
const real = globalThis.fetch;
const held = new Promise((resume) => { globalThis.letGo = resume; });
globalThis.fetch = async (path, ...rest) => { if (String(path).includes('/profile')) await held; return real(path, ...rest); };
"""


class Routines(RoutineScenario):
    def test_days_are_worked_out_as_the_table_says(self):
        command = ["esbuild", f"{FOLDER}/routineDays.js", "--bundle", "--format=iife", "--global-name=made"]
        code = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        with open(TABLE, encoding="utf-8") as file:
            table = json.load(file)
        self.assertGreater(len(table["rules"]), 20)
        found, taken, starts = self.page.run(f"{code}\n{WORK_OUT}", table["rules"], table["refused"], table["starts"])
        for rule, (spelt, days) in zip(table["rules"], found, strict=True):
            self.assertEqual((spelt, days), (rule.get("spelt", rule["rule"]), rule["days"]), rule)
        self.assertEqual(taken, [])
        self.assertEqual(starts, [example["start"] for example in table["starts"]])

    def test_are_made_where_todos_are_typed(self):
        page = self.page
        page.find("#new").type("Stretch every day at 7:00")
        page.find("[data-words='every day'] b").reads("every day")
        page.find("#new").type(Keys.ENTER)
        page.toast("“Stretch”: every day")
        self.expect_shown("Stretch")
        page.part("Stretch", "at").reads("7:00")
        page.part("Stretch", "seen-by").reads("↻ every day")
        routine = self.routines()[0]
        self.assertEqual((routine["content"], routine["rule"], routine["from"], routine["time"]),
                         ("Stretch", "FREQ=DAILY", self.today, "07:00"))
        for days in (1, 2):
            expect(["7:00 Stretch"], lambda: self.in_month(days), "the month")
        self.assertEqual(self.redis.todos(), [], "nothing is stored before something is done")
        page.press(Keys.ESCAPE)
        page.find("#day-title").click()
        page.toast("“Stretch”: every day").find(".act").click()
        self.expect_shown()
        self.assertEqual(self.routines(), [])
        # A chip that is taken off leaves a todo of one day.
        page.find("#new").type("Stretch every weekday")
        page.find("[data-words='every weekday']").click()
        page.find("#new").type(Keys.ENTER)
        self.assertSaved(page, ["Stretch every weekday"], self.today)
        self.assertEqual(page.new_errors(), [])

    def test_that_begin_another_day_say_when(self):
        page = self.page
        day = datetime.date.fromisoformat(page.day(2))
        page.find("#new").type(f"every other {day:%A} review at 9:30")
        page.find("[data-words^='every other']").shows()
        page.find("#new").type(Keys.ENTER)
        page.toast(f"“review”: every 2 weeks on {day:%A}, 9:30, first on {day:%a}")
        self.expect_shown()
        # Whatever week that is in.
        self.assertEqual([routine["from"] for routine in self.routines()], [str(day)])

    @everywhere
    def test_all_of_them_stand_in_a_list(self):
        page = self.page
        page.choose_account("routines")
        page.find("dialog.routines .note").tells("Nothing repeats yet.")
        page.escape()
        self.make("Over", id="r0", rule=f"FREQ=DAILY;UNTIL={self.today.replace('-', '')}", **{"from": page.day(-9)})
        self.redis.call("set_routines", json.dumps({"id": "r0", "rule": f"FREQ=DAILY;UNTIL={page.day(-1).replace('-', '')}"}))
        self.make("Later", id="r2", rule="FREQ=DAILY", **{"from": page.day(3)})
        self.make("Far", id="r3", rule="FREQ=MONTHLY;INTERVAL=24", **{"from": "2998-03-01"})
        self.make("Stretch", time="07:00")
        self.expect_shown("Stretch")
        lines = lambda: page.run("return [...document.querySelectorAll('.routines .entry')].map((row) => row.innerText.replace(/\\s+/g, ' '))")
        page.choose_account("routines")
        expect(4, lambda: len(lines()), "the list")
        # Each browser tells the time as its locale does.
        told = ("Stretch every day · 0?7:00( AM)? · next on ", "Later every day · next on ", "Far every 24 months on the 1st · next on ", "Over every day, until ")
        for line, begin in zip(lines(), told, strict=True):
            self.assertRegex(line, f"^{begin}")
        self.assertIn("2998", lines()[2])
        # What is over can be neither changed nor ended.
        self.assertEqual(page.count(".routines .entry button"), 6)
        # A day that is done is not the next one, and the list that is open says so.
        day = datetime.date.fromisoformat(page.day(1))
        self.redis.call("skip_day", "r1", self.today.replace("-", ""))
        expect(True, lambda: f"next on {day:%a}" in lines()[0], "the next day")
        page.find("[aria-label='Change “Later”']").click()
        page.find(".routine h2").shows()
        page.find("#routine-content").holds("Later")
        page.escape()
        page.choose_account("routines")
        page.find("[aria-label='End “Stretch”']").click()
        page.find("dialog.routines").is_gone()
        self.expect_shown()
        page.toast("“Stretch” ends before ").find(".act").click()
        page.choose_account("routines")
        expect(4, lambda: len(lines()), "the list")
        page.escape()
        self.assertEqual(page.new_errors(), [])

    def test_a_list_says_nothing_before_it_is_known(self):
        page = self.page
        self.make()
        self.expect_shown("Stretch")
        page.driver.at_each_load(HOLD_PROFILE)
        page.refresh()
        page.choose_account("routines")
        page.find("dialog.routines").shows()
        page.find("dialog.routines .note").is_gone()
        page.run("letGo()")
        page.find(".routines .entry").tells("Stretch")
        page.find("dialog.routines .note:not(.entry *)").is_gone()

    def test_one_too_many_says_what_there_is_no_room_for(self):
        page = self.page
        for number in range(50):
            self.make(f"habit {number}", id=f"h{number}")
        page.find("#new").type("Stretch every day")
        page.find("[data-words='every day'] b").shows()
        page.find("#new").type(Keys.ENTER)
        page.toast("There is no room for another routine: end one first.")
        # What was typed is there to be tried again.
        page.find("#new").holds("Stretch every day")
        self.assertEqual(len(self.routines()), 50)

    @everywhere
    def test_a_day_is_finished_and_taken_back(self):
        page = self.page
        self.make()
        self.expect_shown("Stretch")
        page.part("Stretch", "status").click()
        self.expect_stored((self.id(0), self.today, "complete"))
        expect(["complete"], page.statuses, "the status")
        # Two devices make one: the other window says the same of the same todo.
        other = self.signed_in(worker=1)
        expect(["Stretch"], other.contents, "the other window's list")
        expect(["complete"], other.statuses, "its status")
        page.toast("Stretch").find(".act").click()
        self.expect_stored()
        self.expect_shown("Stretch")
        expect(["todo"], page.statuses, "the status")
        page.part("Stretch", "seen-by").reads("↻ every day")
        expect([], lambda: [routine.get("made", []) for routine in self.routines() if routine.get("made")], "the days made")
        for board in (page, other):
            self.assertEqual(board.new_errors(), [])

    def test_what_others_made_of_a_day_stays_when_its_making_is_undone(self):
        page = self.page
        self.make()
        self.expect_shown("Stretch")
        page.part("Stretch", "status").click()
        self.expect_stored((self.id(0), self.today, "complete"))
        self.redis.call("update", self.id(0), json.dumps({"detail": "far"}))
        page.part("Stretch", "detail").reads("far")
        page.toast("Stretch").find(".act").click()
        self.expect_stored((self.id(0), self.today, "todo"))
        self.assertEqual([todo["detail"] for todo in self.redis.todos()], ["far"])
        self.assertEqual(page.new_errors(), [])

    def test_a_day_is_skipped_and_another_moved(self):
        page = self.page
        self.make()
        self.open(1)
        self.expect_shown("Stretch")
        page.part("Stretch", "grip").click()
        page.choose("Skip this day")
        self.expect_shown()
        expect([int(page.day(1).replace("-", ""))], lambda: self.routines()[0].get("made"), "the days left out")
        page.toast("skipped").find(".act").click()
        self.expect_shown("Stretch")
        expect(None, lambda: self.routines()[0].get("made"), "the days left out")
        page.part("Stretch", "grip").click()
        page.choose("Day after")
        self.expect_shown()
        self.expect_stored((self.id(1), page.day(2), "todo"))
        self.open(2)
        self.expect_shown("Stretch", "Stretch")
        # What was made is a todo as any other; its day does not come back when that is deleted.
        self.redis.call("remove", self.id(1))
        self.expect_shown("Stretch")
        self.open(1)
        self.expect_shown()
        page.refresh()
        page.live()
        self.open(1)
        self.expect_shown()
        self.open(2)
        self.expect_shown("Stretch")
        self.assertEqual(page.new_errors(), [])

    def test_this_one_or_all_from_here_are_changed(self):
        page = self.page
        first = self.first_of(5)
        self.make(**{"from": page.day(first)})
        self.open(first + 1)
        self.expect_shown("Stretch")
        page.part("Stretch", "words").double_click()
        page.retype(page.find(".edit-content"), "Stretch long", Keys.ENTER)
        self.expect_shown("Stretch long")
        self.expect_stored((self.id(first + 1), page.day(first + 1), "todo"))
        self.open(first + 2)
        self.expect_shown("Stretch")
        page.part("Stretch", "grip").click()
        page.choose("Change all from here …")
        page.find("dialog.routine").shows()
        page.find("#routine-days").holds("every day")
        page.retype(page.find("#routine-days"), "sometimes")
        page.find(".routine .primary").click()
        page.find("#routine-error").reads("This says no days: write, for example, “every weekday”.")
        page.retype(page.find("#routine-days"), "every 2 days, 0 times")
        page.find(".routine .primary").click()
        page.find("#routine-error").reads("This says no days: write, for example, “every weekday”.")
        page.retype(page.find("#routine-days"), "every 2 days, 10 times")
        page.retype(page.find("#routine-content"), "Swim")
        self.save_twice()
        self.expect_shown("Swim")
        month = lambda days: [self.in_month(first + each) for each in range(days)]
        expect([["Stretch"], ["Stretch long"], ["Swim"], [], ["Swim"]], lambda: month(5), "the month")
        rules = lambda: sorted((routine["content"], routine["rule"]) for routine in self.routines())
        until = page.day(first + 1).replace("-", "")
        expect([("Stretch", f"FREQ=DAILY;UNTIL={until}"), ("Swim", "FREQ=DAILY;INTERVAL=2;COUNT=10")], rules, "the routines")
        page.toast("“Swim” from ").find(".act").click()
        self.assertEqual([error for error in page.new_errors() if "(Conflict)" not in error], [])
        self.expect_shown("Stretch")
        expect([("Stretch", "FREQ=DAILY")], rules, "the routines")
        # It ends, and begins again.
        page.part("Stretch", "grip").click()
        page.choose("End routine from here")
        self.expect_shown()
        expect([["Stretch"], ["Stretch long"], []], lambda: month(3), "the month")
        page.toast(" ends before ").find(".act").click()
        self.expect_shown("Stretch")
        self.assertEqual(page.new_errors(), [])

    def test_a_todo_is_repeated_from_its_menu(self):
        page = self.page
        self.redis.add("Water the plants", self.today, id="w", time="18:00", visibility="private")
        self.expect_shown("Water the plants")
        page.part("Water the plants", "grip").click()
        page.choose("Repeat …")
        page.find("dialog.routine").shows()
        page.find("#routine-days").takes_focus()
        page.find("#routine-content").holds("Water the plants")
        page.retype(page.find("#routine-days"), "every 3 days")
        self.save_twice()
        expect([["18:00 Water the plants"], [], [], ["18:00 Water the plants"]],
               lambda: [[line.replace("6:00 PM", "18:00") for line in self.in_month(days)] for days in range(4)], "the month")
        self.expect_shown("Water the plants")
        routine, = self.routines()
        self.assertEqual((routine["rule"], routine["time"], routine["visibility"]), ("FREQ=DAILY;INTERVAL=3", "18:00", "private"))
        self.expect_stored(("w", self.today, "todo"))
        self.assertEqual(page.new_errors(), [])

    def test_in_korean(self):
        page = self.signed_in(languages="ko")
        expect("ko", page.language, "the language")
        page.find("#new").type("평일마다 운동", Keys.ENTER)
        expect("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", lambda: next((each["rule"] for each in self.routines()), None), "the rule")
        page.toast("“운동”: 평일마다")
        page.find("#new").type("매일 물 마시기", Keys.ENTER)
        page.toast("“물 마시기”: 매일")
        page.part("물 마시기", "seen-by").reads("↻ 매일")
        page.part("물 마시기", "grip").click()
        page.choose("이후 모두 바꾸기 …")
        page.retype(page.find("#routine-days"), "매주 월, 금")
        page.find(".routine .primary").reads("바꾸기")
        page.find(".routine .primary").click()
        expect(["FREQ=WEEKLY;BYDAY=MO,FR"], lambda: [each["rule"] for each in self.routines() if each["content"] == "물 마시기"], "the rule")
        self.assertEqual(page.new_errors(), [])

    def test_are_nobody_elses_to_see(self):
        page = self.page
        self.redis.cli("FCALL", "todomate_settings", "1", "todomate:{alice}", '{"audience":"public","visibility":"public"}')
        self.make("Secret habit")
        self.make("Shown once done", id="r2")
        self.expect_shown("Secret habit", "Shown once done")
        self.add_user("bob", "correct horse")
        other = self.signed_in(user="bob")
        other.request("PUT", "/v1/users/bob/following/alice")
        page.part("Shown once done", "status").click()
        expect(["Shown once done"], lambda: other.contents_of("alice"), "what bob sees")
        self.assertNotIn("Secret habit", other.source())
        for board in (page, other):
            self.assertEqual(board.new_errors(), [])


if __name__ == "__main__":
    main()
