"""Waiting for what is to come: nothing on a page or in a server is there at once."""
import time

# Only a guard against waiting for ever: nothing here measures time.
PATIENCE = 60
# Each look takes a browser, its driver and a page as long: what is not there at once is looked for less often, and still soon.
SHORTEST, LONGEST = 0.02, 0.1


def until(what, condition):
    """Returns the condition's first true value."""
    deadline = time.monotonic() + PATIENCE
    pause = SHORTEST
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"waited in vain: {what}")
        time.sleep(pause)
        pause = min(1.5 * pause, LONGEST)


def expect(wanted, look, what="what was looked at"):
    """Looks until it sees what is wanted."""
    seen = []

    def is_wanted():
        seen[:] = [look()]
        return seen == [wanted]

    try:
        until(what, is_wanted)
    except AssertionError:
        # It could not even look.
        if not seen:
            raise
        raise AssertionError(f"{what} was to be\n{wanted!r}\nand stayed\n{seen[0]!r}") from None
