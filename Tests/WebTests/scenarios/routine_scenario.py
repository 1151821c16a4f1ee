"""What the scenarios about routines share."""
import datetime
import json

from waiting import expect
from world import Scenario


class RoutineScenario(Scenario):
    """Somebody at a board, and what there is to look at of their routines."""

    def setUp(self):
        super().setUp()
        self.page = self.signed_in()
        self.today = self.page.today()

    def routines(self):
        return self.page.request("GET", "/v1/users/alice/routines")["routines"]

    def make(self, content="Stretch", rule="FREQ=DAILY", id="r1", **fields):
        fields = {"id": id, "content": content, "rule": rule, "from": self.today, **fields}
        self.redis.call("set_routines", json.dumps(fields))

    def first_of(self, days):
        """How many days from today one month has so many in a row: where the one in the middle is opened, the first still shows."""
        day = lambda offset: datetime.date.fromisoformat(self.page.day(offset))
        return next(first for first in range(days) if day(first).month == day(first + days - 1).month)

    def open(self, days):
        """Shows a day near today."""
        self.page.find(f".cell[data-day='{self.page.day(days)}']").click()

    def expect_shown(self, *contents):
        expect(list(contents), self.page.contents, "the list")

    def expect_stored(self, *todos):
        """All todos as `(id, day, status)`."""
        look = lambda: sorted((todo["id"], todo["date"], todo["status"]) for todo in self.redis.todos())
        expect(sorted(todos), look, "what Redis holds")

    def id(self, days, routine="r1"):
        return f"{routine}--{self.page.day(days).replace('-', '')}"

    def lose_answer(self):
        """The server does what it is asked next of routines, and nobody hears of it."""
        self.page.run(
            "const real = fetch; window.fetch = async (path, ...rest) => { const answer = await real(path, ...rest);"
            " if (!path.includes('/routines')) return answer; window.fetch = real; throw new TypeError('the answer was lost'); }"
        )

    def press_at(self, *places):
        """Presses the mouse at the first place, and lets go at the last."""
        steps = [("mousePressed", places[0]), *(("mouseMoved", place) for place in places[1:]), ("mouseReleased", places[-1])]
        for kind, (x, y) in steps:
            self.page.command("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=1, clickCount=1)

    def save_twice(self):
        self.lose_answer()
        self.page.find(".routine .primary").click()
        self.page.find("#routine-error").tells("Not saved")
        self.page.find(".routine .primary").click()

    def in_month(self, days):
        return self.page.cell_lines(self.page.day(days))
