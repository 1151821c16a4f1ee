"""WebKitGTK: the browser that comes with its driver, on a display that nobody sees."""
import os
import subprocess
import tempfile

from selenium import webdriver
from selenium.webdriver.webkitgtk.options import Options

from profiles import Profiles
from waiting import expect

WIDTH, HEIGHT = 1920, 1200


class WebKit(Profiles):
    running, free = [], []
    display = None

    @classmethod
    def start(cls):
        cls.display = cls.display or Display()
        options = Options()
        options.binary_location = "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser"
        for argument in ("--automation", "--enable-write-console-messages-to-stdout=TRUE"):
            options.add_argument(argument)
        log = tempfile.NamedTemporaryFile(prefix="todomate-webkit-")
        driver = webdriver.WebKitGTK(options=options, desired_capabilities={}, service_log_path=log.name, keep_alive=True)
        driver.log = log
        return driver

    @classmethod
    def complaints_of(cls, driver):
        found = driver.log.read().decode(errors="replace").splitlines()
        return [line for line in found if line.startswith("CONSOLE") and (" ERROR " in line or " WARN " in line)]

    @classmethod
    def resize(cls, tab, width, height):
        # The window has a bar above the page, and is no narrower than that needs. Without a window manager the one under the pointer
        # has the focus, and the pointer rests in the middle of the display.
        bar = tab.execute_script("return outerHeight - innerHeight")
        height += bar
        size = tab.set_window_rect((WIDTH - width) // 2, (HEIGHT - height) // 2, width, height)
        given = [size["width"], size["height"] - bar]
        expect(given, lambda: tab.execute_script("return [innerWidth, innerHeight]"), "the size of the page")

    @classmethod
    def end(cls):
        super().end()
        if cls.display:
            cls.display.end()


class Display:
    """A display of X11 that is in memory alone."""

    def __init__(self):
        reader, writer = os.pipe()
        command = ["Xvfb", "-displayfd", str(writer), "-screen", "0", f"{WIDTH}x{HEIGHT}x24", "-nolisten", "tcp"]
        self.server = subprocess.Popen(command, pass_fds=[writer], stderr=subprocess.DEVNULL)
        os.close(writer)
        with os.fdopen(reader) as number:
            os.environ["DISPLAY"] = f":{number.readline().strip()}"
        # It asks for the languages of a place.
        os.environ["LANG"] = "en_US.UTF-8"

    def end(self):
        self.server.terminate()
        self.server.wait()
