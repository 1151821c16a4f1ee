"""The first hour of somebody new, from an invitation on, on a phone and on a desktop.

TODOMATE_PICTURES names a folder for a picture of each step; `scripts/pictures` has it make those of the README.
"""
import os

from selenium.webdriver.common.keys import Keys

from waiting import expect
from world import Scenario, main

SIZES = {"phone": (390, 844), "desktop": (1280, 800)}


class FirstHour(Scenario):
    def picture(self, name):
        folder = os.environ.get("TODOMATE_PICTURES")
        if folder:
            self.page.run("return Promise.all(document.getAnimations().map((each) => each.finished.catch(() => {})))")
            self.page.driver.save_screenshot(os.path.join(folder, f"{self.place}-{name}.png"))

    def clear_toasts(self):
        for _ in range(self.page.count("#toasts .shut")):
            self.page.find("#toasts .shut").click()
        expect(0, lambda: self.page.count("#toasts .toast"), "the number of messages")

    def type_line(self, text, chips):
        page = self.page
        page.find("#new").type(text)
        words = lambda: page.run("return [...document.querySelectorAll('.read-chip b')].map((each) => each.textContent)")
        expect(chips, lambda: len(words()), f"the number of chips of {text}")

    def test_on_a_phone(self):
        self.play("phone")

    def test_on_a_desktop(self):
        self.play("desktop")

    def play(self, place):
        self.place = place
        self.page = page = self.board()
        page.emulate_size(*SIZES[place])
        self.invited()
        page.today()
        self.plan()
        self.finish()
        self.catch_up()
        self.look_ahead()
        self.share()
        self.lose_the_server()
        self.assertEqual([error for error in page.new_errors() if "Failed to load" not in error and "/v1/" not in error], [])

    def invited(self):
        page = self.page
        ticket = self.todomate("invite", "alice", "--welcome").strip().split("#")[1]
        page.door()
        page.driver.get("about:blank")
        page.load(lambda: page.driver.get(f"{page.url}#{ticket}"))
        page.find("#join-title").reads("alice invites you")
        page.find("#join-user").type("bob")
        page.find("#join-password").type("correct horse battery")
        self.picture("1-invited")
        page.press(Keys.ENTER)
        page.live()
        page.find(".greeting").shows()
        self.picture("2-greeting")

    def plan(self):
        page = self.page
        self.type_line("Call mum tomorrow at 9:30", 2)
        self.picture("3-chips")
        page.find("#new").type(Keys.ENTER)
        page.toast("“Call mum” added to")
        self.clear_toasts()
        self.type_line("Report #work", 0)
        page.find(".goal-offer").click()
        expect(1, lambda: page.count(".read-chip"), "the number of chips")
        page.find("#new").type(Keys.ENTER)
        self.type_line("Stretch every day at 7:00", 2)
        page.find("#new").type(Keys.ENTER)
        page.find("#new").fill("- milk\n- bread\n- 우유")
        page.find("#new").run("found.dispatchEvent(new InputEvent('input', { inputType: 'insertFromPaste' }))")
        page.find("#new").type(Keys.ENTER)
        expect({"Stretch", "Report", "milk", "bread", "우유"}, lambda: set(page.contents()), "the list")
        self.clear_toasts()
        self.picture("4-list")

    def finish(self):
        page = self.page
        page.part("milk", "status").click()
        page.toast("“milk” done.").find(".act").click()
        expect(0, lambda: page.statuses().count("complete"), "how many are done")
        page.part("Stretch", "status").click()
        expect(1, lambda: page.statuses().count("complete"), "how many are done")
        page.part("bread", "grip").click()
        page.find(".menu .danger").shows()
        self.picture("5-menu")
        page.choose("What became of it")
        page.find("dialog").tells("Added")
        self.picture("6-history")
        page.escape()
        self.clear_toasts()

    def catch_up(self):
        page = self.page
        for content in ("Pay the rent", "Return the books"):
            self.redis.add(content, page.day(-1), uid="bob")
        page.find("#earlier-title").reads("From earlier · 2")
        self.picture("7-earlier")
        page.find("#earlier-all").click()
        page.find("#earlier").is_gone()
        expect(["Pay the rent", "Return the books"], lambda: page.contents()[-2:], "the end of the list")
        self.clear_toasts()

    def look_ahead(self):
        page = self.page
        page.find("#search").click()
        page.find("#search-words").type("books")
        page.find(".search [role=status]").reads("One todo")
        self.picture("8-search")
        page.escape()
        page.find("#week").click()
        page.find("dialog").shows()
        self.picture("9-week")
        page.escape()

    def share(self):
        page = self.page
        page.show("people")
        page.find("#following-people").tells("alice")
        self.picture("10-people")
        page.show("today")
        self.redis.add("Water the tomatoes", page.day(0), status="complete", visibility="followers")
        expect(["Water the tomatoes"], lambda: page.contents_of("alice"), "the list of alice")
        self.clear_toasts()
        page.todo_of("alice", "Water the tomatoes", ".react").click()
        page.find(".emojis [data-emoji='🎉']").click()
        page.find(".person .chip").shows()
        self.picture("11-cheered")
        page.show("month")
        page.find(f".cell[data-day='{page.day(0)}'][aria-current=date]").shows()
        self.picture("12-month")
        page.show("today")

    def lose_the_server(self):
        page = self.page
        worker = self.workers[0]
        worker.stop()
        page.find("#pill").reads("Reconnecting …")
        page.add("eggs")
        page.find("#pill").tells("unsaved")
        self.picture("13-unsaved")
        worker.start()
        page.find("#pill").reads("Live")
        expect(1, lambda: self.redis.contents(page.day(0), "bob").count("eggs"), "how often it was saved")


if __name__ == "__main__":
    main()
