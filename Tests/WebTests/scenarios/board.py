"""The page in a real browser, by what people see and do."""
import datetime
import os

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.actions.pointer_input import PointerInput
from selenium.webdriver.common.keys import Keys

from browser import Browser
from part import BUTTON, CHILD, TOAST, Part
from waiting import expect, until

# TODOMATE_SLOW_BROWSER=6,300 makes browsers 6 times slower and each answer 300 ms later: no scenario may depend on speed.
SLOWNESS, LATENCY = map(float, os.environ.get("TODOMATE_SLOW_BROWSER", "1,0").split(","))
# A message goes after some seconds, unless somebody points at it: so nothing has to be done in time.
HOLD_MESSAGES = """
const hold = (node) => { if (node.matches?.('.toast')) node.dispatchEvent(new PointerEvent('pointerenter')); };
document.querySelectorAll('.toast').forEach(hold);
new MutationObserver((changes) => changes.flatMap((change) => [...change.addedNodes]).forEach(hold))
  .observe(document, { childList: true, subtree: true });
"""
FRAMES = "return new Promise((resume) => requestAnimationFrame(() => requestAnimationFrame(resume)))"


class Board:
    # Of all boards of a scenario, as the browser does not say which of them it was.
    errors = []

    def __init__(self, url, languages=None, dark=False, beside=None):
        """`beside`: another board, of the same person, where this is to be a tab."""
        self.driver = Browser.tab(beside and beside.driver)
        self.url = url
        self.marked = None
        try:
            self.driver.at_each_load(HOLD_MESSAGES)
            self.slow_down()
            if dark:
                self.emulate_scheme("dark")
            if languages:
                agent = self.run("return navigator.userAgent")
                self.command("Emulation.setUserAgentOverride", userAgent=agent, acceptLanguage=languages)
            self.load(lambda: self.driver.get(url))
        except BaseException:
            self.close()
            raise

    def command(self, name, **values):
        """Chromium's own protocol: scenarios that need it run there alone."""
        return self.driver.execute_cdp_cmd(name, values)

    def slow_down(self):
        if SLOWNESS > 1:
            self.command("Emulation.setCPUThrottlingRate", rate=SLOWNESS)
        if LATENCY:
            self.delay_answers(LATENCY)

    def delay_answers(self, milliseconds):
        """From now on answers come later; what the stream tells does not."""
        self.command("Network.enable")
        rates = {"downloadThroughput": -1, "uploadThroughput": -1}
        self.command("Network.emulateNetworkConditions", offline=False, latency=milliseconds, **rates)

    def answer_with(self, status, kind):
        """From now on the page's writes are answered so, by a stand-in for the server, until its `restore()`."""
        self.run(
            """
            const [status, kind] = arguments;
            // The service worker, which asks the server itself, hears nothing of it.
            if (globalThis.SyncManager) SyncManager.prototype.register = async () => {};
            const real = window.fetch;
            window.restore = () => { window.fetch = real; };
            const body = JSON.stringify({ type: `urn:todomate:problem:${kind}`, title: kind, status, detail: 'said by a function' });
            window.fetch = (path, options) => (options?.method === 'GET' ? real(path, options)
              : Promise.resolve(new Response(body, { status, headers: { 'Content-Type': 'application/problem+json' } })));
            """,
            status, kind,
        )

    def load(self, go):
        """Opens the page; again when a network of this machine came or went meanwhile, which makes Chromium drop requests."""
        while True:
            go()
            if not any("ERR_NETWORK_CHANGED" in error for error in self.look_for_errors()):
                return

    def refresh(self):
        self.load(self.driver.refresh)

    def close(self):
        if self.driver.is_open:
            self.driver.close()
            self.look_for_errors()

    def emulate_scheme(self, scheme, motion="no-preference"):
        features = [
            {"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": motion},
        ]
        self.command("Emulation.setEmulatedMedia", features=features)

    def travel(self, zone):
        """Goes where it is another time."""
        self.command("Emulation.setTimezoneOverride", timezoneId=zone)

    def emulate_size(self, width, height):
        self.driver.resize(width, height)
        # What the page does about it comes with the next frame.
        self.run(FRAMES)

    # Looking: as it is at this moment

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def find(self, selector):
        return Part(self.driver, (CHILD, selector))

    def count(self, selector):
        return self.run("return document.querySelectorAll(arguments[0]).length", selector)

    def source(self):
        return self.run("return document.documentElement.outerHTML")

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
        script = "const badge = document.querySelector(arguments[0]); return badge.hidden ? '' : badge.textContent"
        return self.run(script, f"#tabs [data-view={view}] .badge")

    def statuses(self):
        return self.run("return [...document.querySelectorAll('#list .row')].map((e) => e.dataset.status)")

    def cell_lines(self, day):
        script = "return [...document.querySelectorAll(`[data-day='${arguments[0]}'] .lines span`)].map((e) => e.textContent)"
        return self.run(script, day)

    def state(self):
        return self.find("#pill").attribute("data-state")

    def language(self):
        return self.run("return document.documentElement.lang")

    def title(self):
        return self.driver.title

    def focused_name(self):
        """What a screen reader calls what has the focus."""
        return self.run("return document.activeElement.ariaLabel ?? document.activeElement.innerText")

    def new_errors(self):
        """What the browser has complained about since the last call, in any tab: scripts, policy, requests that failed."""
        self.look_for_errors()
        found, Board.errors = Board.errors, []
        # Networks of this machine come and go; that is not the page's doing, and it asks again.
        return [error for error in found if "ERR_NETWORK_CHANGED" not in error]

    def look_for_errors(self):
        found = Browser.complaints()
        Board.errors += found
        return found

    def describe(self):
        """The page as it is, for whoever has to find out why a scenario failed."""
        focus = self.run("return document.activeElement?.outerHTML.slice(0, 500)")
        panel = self.run("return document.querySelector('dialog, :popover-open')?.outerHTML")
        self.look_for_errors()
        return f"page {self.driver.current_url}: {self.find('body').text!r}\n{focus=}\n{panel=}\nerrors={Board.errors}"

    # Looking: until it is so

    wait = staticmethod(until)

    def expect_title(self, title):
        expect(title, self.title, "the title")

    def today(self):
        """The day that it is for the browser."""
        self.marked = until("the calendar marks a day", lambda: self.find(".cell[aria-current=date]").attribute("data-day"))
        return self.marked

    def day(self, offset):
        """So many days after the one that was marked last: another month need not show it."""
        return (datetime.date.fromisoformat(self.marked or self.today()) + datetime.timedelta(offset)).isoformat()

    def live(self):
        expect("live", self.state, "the page's state")

    def door(self):
        self.find("#enter").shows()

    # The parts of the page

    def row(self, content):
        return self.find("#list").row(content)

    def part(self, content, name):
        return self.row(content).find(f".{name}")

    def person(self, uid, part=""):
        return self.find(f".person[data-uid={uid}] {part}")

    def todo_of(self, uid, content, part):
        """A part of a row in somebody else's list."""
        return self.person(uid).row(content).find(part)

    def toast(self, words):
        return Part(self.driver, (TOAST, words)).shows()

    # Doing

    def sign_in(self, user, password):
        for name, text in (("user", user), ("password", password)):
            self.retype(self.find(f"#{name}"), text)
        self.find("#enter").click()
        self.wait("somebody is in", lambda: self.asks_again() or self.state() == "live")

    def asks_again(self):
        """Asks once more to come in where the page has given up: the check of a password yields to all else on a machine."""
        if "does not answer" in self.find("#door-error").text:
            self.find("#enter").click()

    def add(self, content):
        self.find("#new").type(content, Keys.ENTER)

    def show(self, view):
        """Opens a tab: today, month, feed or people."""
        self.find(f"#tabs [data-view={view}]").click()
        self.find("body").says("data-view", view)

    def has_account_menu(self):
        return self.run("return document.querySelector('#account-menu').matches(':popover-open')")

    def open_account(self):
        expect(False, self.has_account_menu, "whether the account's menu is open")
        self.find("#account").click()
        expect(True, self.has_account_menu, "whether the account's menu is open")

    def choose_account(self, name):
        """Presses a button of the account's menu: language or leave."""
        self.open_account()
        self.find(f"#{name}").click()
        expect(False, self.has_account_menu, "whether the account's menu is open")

    def follow(self, uid):
        self.find("#follow-name").type(uid, Keys.ENTER)

    def choose(self, words):
        """Presses a button of the open panel."""
        Part(self.driver, (CHILD, "dialog"), (BUTTON, words)).click()

    def escape(self):
        """Closes the open panel by its key."""
        self.find("dialog").shows()
        self.press(Keys.ESCAPE)
        expect(0, lambda: self.count("dialog"), "the number of open panels")

    def type_emoji(self, text):
        """Types into the panel of emojis; the driver itself types no characters beyond the BMP."""
        field = self.find("dialog form input")
        field.fill(text)
        field.type(Keys.ENTER)

    def request(self, method, path, body=None):
        """Asks the server as the page does; returns its answer."""
        script = """
        const [method, path, body] = arguments;
        const headers = body === null ? {} : { 'Content-Type': 'application/json' };
        const ask = () => fetch(path, { method, headers, body: body === null ? undefined : JSON.stringify(body) });
        // Once more, when a network of this machine came or went meanwhile.
        return ask().catch(ask)
          .then(async (answer) => ({ ok: answer.ok, body: await answer.json() }));
        """
        answer = self.run(script, method, path, body)
        assert answer["ok"], answer
        return answer["body"]

    def retype(self, field, *keys):
        """Types over what a field holds; WebDriver's own clear() would leave the field in between."""
        field.type(Keys.CONTROL + "a")
        field.type(Keys.DELETE, *keys)

    def press(self, *keys, holding=""):
        """Presses keys wherever the focus is, while one or several others are held."""
        actions = ActionChains(self.driver)
        for key in holding:
            actions.key_down(key)
        actions.send_keys(*keys)
        for key in holding:
            actions.key_up(key)
        actions.perform()

    def swipe(self, start, end, steps=20):
        """Moves a finger over a touch screen: in one command, so that no pause makes it a long press."""
        actions = ActionBuilder(self.driver, mouse=PointerInput("touch", "finger"), duration=15)
        finger = actions.pointer_action
        for step in range(steps + 1):
            finger.move_to_location(*(round(a + (b - a) * step / steps) for a, b in zip(start, end)))
            if not step:
                finger.pointer_down()
        finger.pointer_up(0)
        actions.perform()

    def drag(self, source, target, part=(0, -1 / 3)):
        """Drags by the mouse to a part of the target's size from its middle, in steps as a hand does."""
        source.point()
        across, down = (round(target.element().size[side] * much) for side, much in zip(("width", "height"), part))
        actions = ActionChains(self.driver).move_to_element(source.element()).click_and_hold()
        actions.move_by_offset(4, 4).move_by_offset(6, 6).move_to_element_with_offset(target.element(), across, down)
        actions.release().perform()
