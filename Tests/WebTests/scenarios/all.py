"""All scenarios, one after another, in one browser."""
import os

from world import main


def load_tests(loader, tests, pattern):
    # A search for tests comes upon this file, too.
    return tests if pattern else loader.discover(os.path.dirname(os.path.abspath(__file__)), "*.py")


if __name__ == "__main__":
    main()
