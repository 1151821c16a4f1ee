"""The one Chromium of a run. Each board is a tab of it, with cookies, storage and a cache that were empty before."""
import json
import urllib.request

import trio
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from trio_websocket import open_websocket_url

from waiting import PATIENCE

FLAGS = ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage") + (
    # What costs time and is no part of a page.
    "--disable-gpu", "--disable-extensions", "--disable-background-networking", "--disable-component-update", "--disable-sync",
)


class Chromium:
    running = None

    @classmethod
    def tab(cls, beside=None):
        """A tab as of somebody new, or one more of whoever has the tab `beside`."""
        cls.running = cls.running or cls()
        return Tab(cls.running, beside)

    @classmethod
    def end(cls):
        if cls.running:
            cls.running.driver.quit()

    def __init__(self):
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for flag in FLAGS:
            options.add_argument(flag)
        options.add_experimental_option("prefs", {"intl.accept_languages": "en-GB,en"})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
        # Some scripts try hundreds of histories.
        self.driver.set_script_timeout(10 * PATIENCE)
        # Where the driver is between tabs, the tab that it is at, and the contexts that nobody uses, with an origin in each.
        self.home, self.current, self.unused = self.driver.current_window_handle, None, []
        address = self.driver.capabilities["goog:chromeOptions"]["debuggerAddress"]
        with urllib.request.urlopen(f"http://{address}/json/version") as answer:
            self.socket = json.load(answer)["webSocketDebuggerUrl"]

    def command(self, method, **values):
        """A command to the browser as a whole; the driver reaches its pages alone."""
        async def exchange():
            async with open_websocket_url(self.socket) as connection:
                await connection.send_message(json.dumps({"id": 1, "method": method, "params": values}))
                return json.loads(await connection.get_message())["result"]

        return trio.run(exchange)

    @classmethod
    def complaints(cls):
        """What it has complained about since the last call: it has one log for all its tabs."""
        log = cls.running.driver.get_log("browser")
        return [entry["message"] for entry in log if entry["level"] in ("SEVERE", "WARNING")]

    def open(self, context, **place):
        return self.command("Target.createTarget", url="about:blank", browserContextId=context, **place)["targetId"]

    def context(self):
        """Cookies, storage and a cache. Its window stays open for the next one: to open it costs more than to load the page."""
        if self.unused:
            return self.unused.pop()
        context = self.command("Target.createBrowserContext")["browserContextId"]
        self.open(context, newWindow=True, width=1280, height=800)
        return context, "null"


class Tab:
    """The driver as it is for one tab: turns to that tab before it does anything."""

    def __init__(self, browser, beside):
        self.browser, self.beside, self.is_open = browser, beside, True
        self.context, origin = (beside.context, None) if beside else browser.context()
        self.handle = browser.open(self.context)
        # Not when the one before was closed: its page would still have asked for something, and been refused.
        if origin:
            self.execute_cdp_cmd("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
            for what in ("Cookies", "Cache"):
                self.execute_cdp_cmd(f"Network.clearBrowser{what}", {})

    def at_each_load(self, script):
        """Runs a script in each page that is opened here, before its own."""
        self.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": script})

    def resize(self, width, height):
        """Gives the page that size, in CSS pixels."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)

    def __getattr__(self, name):
        if self.browser.current is not self:
            self.browser.driver.switch_to.window(self.handle)
            self.browser.current = self
        return getattr(self.browser.driver, name)

    def close(self):
        # Keys that are held and where the pointer is belong to the driver, not to a tab.
        ActionBuilder(self).clear_actions()
        if not self.beside:
            self.browser.unused.append((self.context, self.execute_script("return location.origin")))
        self.browser.driver.close()
        self.browser.driver.switch_to.window(self.browser.home)
        self.browser.current, self.is_open = None, False
