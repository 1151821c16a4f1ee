"""All scenarios, one after another, in one browser; in another one than Chromium, those that run everywhere."""
import os
import unittest

from browser import Browser
from chromium import Chromium
from world import main


def load_tests(loader, tests, pattern):
    # A search for tests comes upon this file, too.
    if pattern:
        return tests
    found = loader.discover(os.path.dirname(os.path.abspath(__file__)), "*.py")
    return found if Browser is Chromium else unittest.TestSuite(those_everywhere(found))


def those_everywhere(tests):
    for test in tests:
        if isinstance(test, unittest.TestSuite):
            yield from those_everywhere(test)
        elif getattr(getattr(test, unittest.TestCase.id(test).split(".")[-1]), "is_everywhere", False):
            yield test


if __name__ == "__main__":
    main()
