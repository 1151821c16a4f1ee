"""The engine that the scenarios run in: TODOMATE_BROWSER is chromium, firefox or webkit."""
import os

from chromium import Chromium
from firefox import Firefox
from webkit import WebKit

Browser = {"chromium": Chromium, "firefox": Firefox, "webkit": WebKit}[os.environ.get("TODOMATE_BROWSER", "chromium")]
