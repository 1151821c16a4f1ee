"""The form of a routine: what it shows can be typed, and what is chosen in it is kept."""
import json
import os
import subprocess

from selenium.webdriver.common.keys import Keys

from modules import FOLDER
from routine_scenario import RoutineScenario
from waiting import expect, until
from world import main

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Routines/rules.json")
EXPORTS = """
export { said } from './routines.js';
export { parsed, spelt } from './routineDays.js';
export { ruleIn } from './ruleText.js';
export { arrival } from './words.js';
"""
# As the form says it and reads it again, whatever day it is read on: such a rule without its day of the month has one then.
SAY_AND_READ = """
const [rules] = arguments;
return made.arrival.then(() => rules.map(({ rule, from }) => {
  const words = made.said(rule, from, () => 'numeric');
  const parts = made.parsed(rule);
  if (parts.frequency === 'MONTHLY') parts.monthDay ??= Number(from.slice(8));
  const read = ['1900-01-01', from, '2999-01-01'].map((day) => made.ruleIn(words, day));
  return [words, read.filter((each) => each !== made.spelt(parts))];
}));
"""


class RoutineForm(RoutineScenario):
    def test_what_the_form_says_can_be_typed(self):
        command = ["esbuild", "--bundle", "--format=iife", "--global-name=made", "--loader:.css=text"]
        code = subprocess.run(command, cwd=FOLDER, input=EXPORTS, check=True, capture_output=True, text=True).stdout
        with open(TABLE, encoding="utf-8") as file:
            rules = json.load(file)["rules"]
        for language in ("en", "ko"):
            page = self.signed_in(languages=language)
            for rule, (words, wrong) in zip(rules, page.run(f"{code}\n{SAY_AND_READ}", rules), strict=True):
                self.assertEqual((words, wrong), (rule[language], []), rule)

    def test_the_end_of_a_routine_stays_what_it_was(self):
        page = self.page
        rules = lambda: sorted(routine["rule"] for routine in self.routines() if routine["content"] == "Swim")
        last = page.day(-2)
        self.make(rule=f"FREQ=DAILY;UNTIL={last.replace('-', '')}", **{"from": page.day(-9)})
        if page.day(-3)[:7] != self.today[:7]:
            page.find("#month-before").click()
        self.open(-3)
        self.expect_shown("Stretch")
        page.part("Stretch", "grip").click()
        page.choose("Change all from here …")
        typed = until("the form is open", lambda: page.find("#routine-days").value)
        self.assertIn(last[:4], typed)
        page.retype(page.find("#routine-days"), typed.replace("every day", "every 2 days"))
        page.retype(page.find("#routine-content"), "Swim")
        page.find(".routine .primary").click()
        expect([f"FREQ=DAILY;INTERVAL=2;UNTIL={last.replace('-', '')}"], rules, "the rule")
        # Without a year, too, it counts from the day that the change begins with.
        self.expect_shown("Swim")
        page.part("Swim", "grip").click()
        page.choose("Change all from here …")
        page.retype(page.find("#routine-days"), f"every day until {last[5:]}")
        page.find(".routine .primary").click()
        expect([f"FREQ=DAILY;UNTIL={last.replace('-', '')}"], rules, "the rule")
        self.assertEqual(page.new_errors(), [])

    def open_form(self):
        self.page.part("Stretch", "grip").click()
        self.page.choose("Change all from here …")
        self.page.find("#routine-content").shows()

    def test_closes_by_a_press_beside_it_alone(self):
        page = self.page
        self.make()
        for width, height in ((390, 844), (1280, 800)):
            page.emulate_size(width, height)
            self.open_form()
            content = page.find("#routine-content")
            page.retype(content, "Swim")
            left, bottom, x, y = page.run(
                "const [sheet, field] = ['dialog', '#routine-content'].map((each) => document.querySelector(each).getBoundingClientRect());"
                " return [sheet.left, sheet.bottom, field.left + 9, field.top + 9]"
            )
            self.press_at((left + 4, bottom - 4))
            content.holds("Swim")
            if left:
                # To mark what is in the field.
                self.press_at((x, y), (left - 9, y))
                content.holds("Swim")
                self.press_at((left - 9, y))
                expect(0, lambda: page.count("dialog"), "the number of open panels")
            else:
                page.escape()

    def test_what_is_refused_once_it_is_closed_is_told_all_the_same(self):
        page = self.page
        self.make()
        self.open_form()
        page.run(
            "const real = fetch; window.fetch = async (path, options) => { if (!path.includes('/routines')) return real(path, options);"
            " await new Promise((resume) => { window.go = resume; }); throw new TypeError('no answer'); }"
        )
        page.retype(page.find("#routine-content"), "Swim", Keys.ENTER)
        until("it is asked", lambda: page.run("return Boolean(window.go)"))
        page.escape()
        page.run("go()")
        page.toast("Not saved: Routines, unlike todos, are made by the server")

    def test_goal_and_audience_are_changed_in_the_form(self):
        page = self.page
        page.request("PUT", "/v1/users/alice/goals/g1", {"name": "Health"})
        self.redis.cli("FCALL", "todomate_settings", "1", "todomate:{alice}", '{"audience":"public"}')
        self.make(visibility="private")
        page.part("Stretch", "grip").click()
        page.choose("Change all from here …")
        for name, before, after in (("goal", "", "g1"), ("visibility", "private", "")):
            field = page.find(f"#routine-{name}")
            field.holds(before)
            field.fill(after)
        page.find(".routine .primary").click()
        page.find("#list .group").reads("Health")
        self.assertEqual([(each["goal"], "visibility" in each) for each in self.routines()], [("g1", False)])
        # A todo that is repeated brings its own.
        self.redis.add("Read", self.today, id="t1", goal="g1", visibility="private")
        page.part("Read", "grip").click()
        page.choose("Repeat …")
        page.find("#routine-goal").holds("g1")
        page.find("#routine-visibility").holds("private")
        page.find("#routine-visibility").fill("public")
        page.find(".routine .primary").click()
        expect(["g1 public"], lambda: [f"{each['goal']} {each['visibility']}" for each in self.routines() if each["content"] == "Read"], "it")
        self.assertEqual(page.new_errors(), [])


if __name__ == "__main__":
    main()
