"""Engines whose driver knows one person: each person has a browser of their own, which is emptied for the next one."""
from selenium.webdriver.common.actions.action_builder import ActionBuilder


class Profiles:
    """What has `start()` and `complaints_of(driver)`."""

    running, free = [], []

    @classmethod
    def tab(cls, beside=None):
        """A tab as of somebody new, or one more of whoever has the tab `beside`."""
        return Tab(cls, beside)

    @classmethod
    def profile(cls):
        """A browser that nobody uses."""
        if not cls.free:
            cls.running.append(Profile(cls.start()))
            cls.free.append(cls.running[-1])
        return cls.free.pop()

    @classmethod
    def complaints(cls):
        """What they have complained about since the last call."""
        return [complaint for profile in cls.running for complaint in cls.complaints_of(profile.driver)]

    @classmethod
    def end(cls):
        for profile in cls.running:
            profile.driver.quit()


class Profile:
    """A browser of one person."""

    def __init__(self, driver):
        self.driver, self.tabs, self.current = driver, [], None
        # Where the last tab of somebody was.
        self.unused = driver.current_window_handle


class Tab:
    """The driver as it is for one tab: turns to that tab before it does anything."""

    def __init__(self, engine, beside):
        self.engine, self.is_open, self.scripts = engine, True, []
        self.profile = beside.profile if beside else engine.profile()
        self.handle, self.profile.unused = self.profile.unused, None
        if not self.handle:
            # Not a tab of the window: it would be hidden, or hide the other one.
            self.profile.driver.switch_to.new_window("window")
            self.handle, self.profile.current = self.profile.driver.current_window_handle, self
        self.profile.tabs.append(self)
        if not beside:
            self.resize(1280, 800)

    @property
    def driver(self):
        if self.profile.current is not self:
            self.profile.driver.switch_to.window(self.handle)
            self.profile.current = self
        return self.profile.driver

    def __getattr__(self, name):
        return getattr(self.driver, name)

    def at_each_load(self, script):
        """Runs a script in each page that is opened here, once it is there."""
        self.scripts.append(script)

    def get(self, url):
        self.driver.get(url)
        self.run_scripts()

    def refresh(self):
        self.driver.refresh()
        self.run_scripts()

    def run_scripts(self):
        for script in self.scripts:
            self.execute_script(script)

    def resize(self, width, height):
        """Gives the page that size, in CSS pixels, as far as the browser's window can be as small."""
        self.engine.resize(self, width, height)

    def close(self):
        # Keys that are held and where the pointer is belong to the driver, not to a tab.
        ActionBuilder(self).clear_actions()
        if len(self.profile.tabs) > 1:
            self.driver.close()
        else:
            self.delete_all_cookies()
            self.execute_script("localStorage.clear(); sessionStorage.clear()")
            self.get("about:blank")
            self.profile.unused = self.handle
            self.engine.free.append(self.profile)
        self.profile.tabs.remove(self)
        self.profile.current, self.is_open = None, False
        # A driver whose tab is gone can do nothing.
        for tab in self.profile.tabs[:1]:
            tab.driver.switch_to.window(tab.handle)
