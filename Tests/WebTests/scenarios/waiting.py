"""Waiting for what is to come: nothing on a page or in a server is there at once."""
import time

# Only a guard against waiting for ever: nothing here measures time.
PATIENCE = 60


def until(what, condition):
    """Returns the condition's first true value."""
    deadline = time.monotonic() + PATIENCE
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"waited in vain: {what}")
        time.sleep(0.02)


def expect(wanted, look, what="what was looked at"):
    """Looks until it sees what is wanted."""
    seen = []

    def is_wanted():
        seen[:] = [look()]
        return seen == [wanted]

    try:
        until(what, is_wanted)
    except AssertionError:
        raise AssertionError(f"{what} was to be\n{wanted!r}\nand stayed\n{seen[0]!r}") from None
