"""The page in a real Chromium, by what people see and do."""
import datetime

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException, TimeoutException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

PATIENCE = 60


class Board:
    def __init__(self, url, language="en-GB,en", dark=False, size=(1280, 800)):
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for flag in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", f"--window-size={size[0]},{size[1]}"):
            options.add_argument(flag)
        options.add_experimental_option("prefs", {"intl.accept_languages": language})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
        self.url = url
        self.errors = []
        try:
            self.emulate_scheme("dark" if dark else "light")
            self.load()
        except BaseException:
            self.driver.quit()
            raise

    def load(self):
        """Opens the page; again when a network of this machine came or went meanwhile, which makes Chromium drop requests."""
        while True:
            self.driver.get(self.url)
            found = self.new_errors()
            if not any("ERR_NETWORK_CHANGED" in error for error in found):
                self.errors = found
                return

    def close(self):
        self.driver.quit()

    def emulate_scheme(self, scheme, motion="no-preference"):
        features = [
            {"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": motion},
        ]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def emulate_size(self, width, height):
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)

    # Looking

    def wait(self, what, condition):
        """Returns the condition's first true value."""
        wait = WebDriverWait(self.driver, PATIENCE, 0.03, [StaleElementReferenceException])
        try:
            return wait.until(lambda _: condition())
        except TimeoutException:
            focus = self.focused().get_attribute("outerHTML")
            errors = self.new_errors()
            raise AssertionError(f"waited in vain: {what}\npage: {self.text()!r}\n{focus=}\n{errors=}") from None

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def text(self):
        return self.find("body").text

    def contents(self):
        """The todos of the list, in order."""
        return self.run("return [...document.querySelectorAll('#list .content')].map((e) => e.textContent)")

    def people(self):
        """Those whose lists stand beside mine, in order."""
        return self.run("return [...document.querySelectorAll('.person')].map((e) => e.dataset.uid)")

    def contents_of(self, uid):
        """The todos of somebody else's list, in order."""
        script = "return [...document.querySelectorAll(`.person[data-uid='${arguments[0]}'] .content`)].map((e) => e.textContent)"
        return self.run(script, uid)

    def badge(self, view):
        badge = self.find(f"#tabs [data-view={view}] .badge")
        return badge.get_attribute("textContent") if not badge.get_attribute("hidden") else ""

    def statuses(self):
        return self.run("return [...document.querySelectorAll('#list .row')].map((e) => e.dataset.status)")

    def cell_lines(self, day):
        script = "return [...document.querySelectorAll(`[data-day='${arguments[0]}'] .lines span`)].map((e) => e.textContent)"
        return self.run(script, day)

    def state(self):
        return self.find("#pill").get_attribute("data-state")

    def focused(self):
        return self.driver.switch_to.active_element

    def today(self):
        """The day that it is for the browser."""
        cell = self.wait("the calendar marks a day", lambda: self.find(".cell[aria-current=date]"))
        return cell.get_attribute("data-day")

    def day(self, offset):
        return (datetime.date.fromisoformat(self.today()) + datetime.timedelta(offset)).isoformat()

    def row(self, content):
        return self.wait(
            f"a row {content!r}",
            lambda: next((row for row in self.all("#list .row") if self.content_of(row) == content), None),
        )

    def content_of(self, row):
        return self.run("return arguments[0].querySelector('.content')?.textContent", row)

    def part(self, content, name):
        return self.row(content).find_element(By.CSS_SELECTOR, f".{name}")

    def toast(self, words):
        return self.wait(
            f"a message {words!r}", lambda: next((toast for toast in self.all(".toast") if words in toast.text), None)
        )

    def new_errors(self):
        """What the browser has complained about since the last call: scripts, policy, requests that failed."""
        log = [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]
        log, self.errors = self.errors + log, []
        return log

    # Doing

    def sign_in(self, user, password):
        self.wait("the door is open", lambda: self.find("#enter").is_displayed())
        for name, text in (("user", user), ("password", password)):
            field = self.find(f"#{name}")
            field.clear()
            field.send_keys(text)
        self.find("#enter").click()
        self.live()

    def live(self):
        self.wait("the page is live", lambda: self.state() == "live")

    def add(self, content):
        self.find("#new").send_keys(content, Keys.ENTER)

    def show(self, view):
        """Opens a tab: today, month, feed or people."""
        self.find(f"#tabs [data-view={view}]").click()

    def choose_account(self, name):
        """Presses a button of the account's menu: language or leave."""
        self.find("#account").click()
        self.wait(f"the menu with {name}", lambda: self.find(f"#{name}").is_displayed())
        self.find(f"#{name}").click()

    def follow(self, uid):
        self.wait("the field for a name", lambda: self.find("#follow-name").is_displayed())
        self.find("#follow-name").send_keys(uid, Keys.ENTER)

    def person(self, uid, part=""):
        return self.wait(f"{part or 'the list'} of {uid}", lambda: self.find(f".person[data-uid={uid}] {part}"))

    def todo_of(self, uid, content, part):
        """A part of a row in somebody else's list."""
        script = """
        const rows = [...document.querySelectorAll(`.person[data-uid='${arguments[0]}'] .row`)];
        const row = rows.find((row) => row.querySelector('.content').textContent === arguments[1]);
        return row?.querySelector(arguments[2]);
        """
        return self.wait(f"{part} of {content!r}", lambda: self.run(script, uid, content, part))

    def choose(self, words):
        """Presses a button of the open panel."""
        script = "return [...document.querySelectorAll('dialog button')].find((e) => e.textContent.trim() === arguments[0])"
        self.wait(f"a button {words!r}", lambda: self.run(script, words)).click()

    def type_emoji(self, text):
        """Types into the panel of emojis; the driver itself types no characters beyond the BMP."""
        field = self.wait("the field for any emoji", lambda: self.find("dialog form input"))
        self.run("arguments[0].value = arguments[1]", field, text)
        field.send_keys(Keys.ENTER)

    def request(self, method, path, body=None):
        """Asks the server as the page does; returns its answer."""
        script = """
        const [method, path, body] = arguments;
        const headers = body === null ? {} : { 'Content-Type': 'application/json' };
        return fetch(path, { method, headers, body: body === null ? undefined : JSON.stringify(body) })
          .then((answer) => answer.json());
        """
        return self.run(script, method, path, body)

    def retype(self, field, *keys):
        """Types over what a field holds; WebDriver's own clear() would leave the field in between."""
        field.send_keys(Keys.CONTROL + "a")
        field.send_keys(*keys)

    def press(self, *keys, holding=None):
        """Presses keys wherever the focus is."""
        actions = ActionChains(self.driver)
        if holding:
            actions.key_down(holding)
        actions.send_keys(*keys)
        if holding:
            actions.key_up(holding)
        actions.perform()

    def swipe(self, start, end, steps=20):
        """Moves a finger over a touch screen."""
        def touch(kind, *points):
            points = [{"x": x, "y": y} for x, y in points]
            self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

        touch("touchStart", start)
        for step in range(1, steps + 1):
            touch("touchMove", tuple(a + (b - a) * step / steps for a, b in zip(start, end)))
        touch("touchEnd")

    def drag(self, source, target, lower_half=False):
        """Drags by the mouse, in steps as a hand does."""
        # A row that still glides to its place would not be under the pointer any more.
        gliding = "return document.querySelector('#list').getAnimations({ subtree: true }).length"
        self.wait("the rows rest", lambda: self.run(gliding) == 0)
        down = target.size["height"] // 3 if lower_half else -target.size["height"] // 3
        actions = ActionChains(self.driver).move_to_element(source).click_and_hold()
        actions.move_by_offset(4, 4).move_by_offset(6, 6).move_to_element_with_offset(target, 0, down)
        actions.release().perform()
