"""Firefox, by its own protocol: its driver, geckodriver, is no package of Debian."""
import os
import subprocess
import tempfile

from selenium import webdriver

from marionette import Marionette
from profiles import Profiles
from waiting import expect, until

# Any free port; English; and no page of its own, no question, no request to elsewhere.
PREFERENCES = {
    "marionette.port": 0, "intl.accept_languages": "en-GB,en", "browser.startup.page": 0, "browser.newtabpage.enabled": False,
    "datareporting.policy.dataSubmissionEnabled": False, "app.normandy.enabled": False, "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False, "browser.safebrowsing.update.enabled": False, "extensions.update.enabled": False,
    "services.settings.server": "http://127.0.0.1:9/",
}
SIZE = """
const [width, height] = arguments;
for (const side of ['', 'min-', 'max-']) {
  gBrowser.selectedBrowser.style.setProperty(`${side}width`, `${width}px`);
  gBrowser.selectedBrowser.style.setProperty(`${side}height`, `${height}px`);
}
"""
# What scripts and policies have complained of, in pages.
COMPLAINTS = """
const found = Services.console.getMessageArray();
Services.console.reset();
return found.filter((message) => message instanceof Ci.nsIScriptError && message.sourceName.startsWith('http'))
  .map((message) => message.toString())
  // That what was preloaded waited long for its use is this machine's doing.
  .filter((text) => !text.includes('was not used within a few seconds'));
"""


class Firefox(Profiles):
    running, free = [], []

    @classmethod
    def start(cls):
        return Driver()

    @classmethod
    def complaints_of(cls, driver):
        return driver.inside(COMPLAINTS)

    @classmethod
    def resize(cls, tab, width, height):
        tab.inside(SIZE, width, height)
        expect([width, height], lambda: tab.execute_script("return [innerWidth, innerHeight]"), "the size of the page")


class Driver(webdriver.Remote):
    """One Firefox, with a profile in a folder of its own."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="todomate-firefox-", ignore_cleanup_errors=True)
        with open(f"{self.folder.name}/user.js", "w", encoding="utf-8") as file:
            for name, value in PREFERENCES.items():
                text = f'"{value}"' if isinstance(value, str) else str(value).lower()
                file.write(f'user_pref("{name}", {text});\n')
        command = ["firefox-esr", "--headless", "--no-remote", "--profile", self.folder.name, "--marionette"]
        # To look at its console, and to make pages smaller than its window can be.
        command.append("--remote-allow-system-access")
        self.program = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            port = f"{self.folder.name}/MarionetteActivePort"
            until("Firefox listens", lambda: os.path.exists(port) and os.path.getsize(port))
            with open(port, encoding="utf-8") as file:
                self.marionette = Marionette(int(file.read()))
            super().__init__(command_executor=self.marionette, options=webdriver.FirefoxOptions())
        except BaseException:
            self.end()
            raise

    def inside(self, script, *arguments):
        """Runs a script in the browser itself."""
        self.marionette.ask("Marionette:SetContext", value="chrome")
        try:
            return self.execute_script(script, *arguments)
        finally:
            self.marionette.ask("Marionette:SetContext", value="content")

    def refresh(self):
        """As its button does: WebDriver's own way is a forced one, which passes by service workers."""
        before = self.execute_script("const before = performance.timeOrigin; location.reload(); return before")
        loaded = "return document.readyState === 'complete' && performance.timeOrigin !== arguments[0]"
        until("the page is loaded anew", lambda: self.execute_script(loaded, before))

    def quit(self):
        try:
            super().quit()
            self.marionette.close()
        finally:
            self.end()

    def end(self):
        self.program.terminate()
        self.program.wait()
        self.folder.cleanup()
