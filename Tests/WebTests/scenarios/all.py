"""All scenarios, one after another, in one browser; in another one than Chromium, those that run everywhere.

TODOMATE_PART=2/3 runs the second of three parts, each with some of the files.
"""
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
    part, parts = map(int, os.environ.get("TODOMATE_PART", "1/1").split("/"))
    # By files, in an order that does not depend on the folder's.
    chosen = unittest.TestSuite(sorted(found, key=str)[part - 1 :: parts])
    return chosen if Browser is Chromium else unittest.TestSuite(those_everywhere(chosen))


def those_everywhere(tests):
    for test in tests:
        if isinstance(test, unittest.TestSuite):
            yield from those_everywhere(test)
        elif getattr(getattr(test, unittest.TestCase.id(test).split(".")[-1]), "is_everywhere", False):
            yield test


if __name__ == "__main__":
    main()
