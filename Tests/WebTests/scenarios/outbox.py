"""What becomes of what waits: each state of the outbox and each event before the network is back, with what comes of it.

A tab alone, without an outbox that lasts, does the same.
"""
import os
import subprocess

from world import Scenario, everywhere, main

STRANGERS = ("a stranger answers", "a stranger wants a name", "a stranger forbids it", "a stranger has a problem")
LATER = ("no answer", "Redis away", "the server fails", *STRANGERS, "not signed in")
# A state, and what comes of it, unless one of these events happens: `-` for no todo, `was✓` for one that is done, `was/theirs` for one
# with a note; what the page shows where the server has something else; what waits, and what the page asks about. `~` was sent in vain,
# `!` was sent and done without an answer.
TABLE = """
nothing: -
    rewound: old
known: was
    emptied + gone there + gone there, and forgotten + removed here: -
    rewound: old
    the same field: theirs
    another field: was/theirs
    the same change: mine
    marked here: was✓
add: was
    rewound: old; asks refusedAdd
    refused: -; asks refusedAdd
    later: - (shows was); waits add
    signed out in another tab: - (shows was)
    marked here: was✓
    removed here: -
add~: was
    rewound: old; asks refusedAdd
    refused: -; asks refusedAdd
    later: - (shows was); waits add
    signed out in another tab: - (shows was)
    marked here: was✓
    removed here: -
add!: was
    rewound: old; asks refusedAdd
    the same field: theirs
    another field: was/theirs
    the same change: mine
    gone there + gone there, and forgotten + removed here: -
    refused: was; asks refusedAdd
    later: was; waits add
    marked here: was✓
add~ mark: was✓
    rewound: old; asks refusedAdd status=complete
    refused: -; asks refusedAdd status=complete
    later: - (shows was✓); waits add; waits patch
    signed out in another tab: - (shows was✓)
    removed here: -
edit: mine
    emptied + gone there + gone there, and forgotten: -; asks gone content=mine
    rewound: old; asks conflict content=mine
    the same field: theirs; asks conflict content=mine
    another field: mine/theirs
    refused: was; asks refusedEdit content=mine
    later: was (shows mine); waits patch
    signed out in another tab: was (shows mine)
    marked here: mine✓
    removed here: -
edit~: mine
    emptied + gone there + gone there, and forgotten: -; asks gone content=mine
    rewound: old; asks conflict content=mine
    the same field: theirs; asks conflict content=mine
    another field: mine/theirs
    refused: was; asks refusedEdit content=mine
    later: was (shows mine); waits patch
    signed out in another tab: was (shows mine)
    marked here: mine✓
    removed here: -
edit!: mine
    emptied + gone there, and forgotten: -; asks gone content=mine
    rewound: old; asks conflict content=mine
    the same field: theirs
    another field: mine/theirs
    gone there + removed here: -
    refused: mine; asks refusedEdit content=mine
    later: mine; waits patch
    marked here: mine✓
edit~ mark: mine✓
    emptied + gone there + gone there, and forgotten: -; asks gone content=mine status=complete
    rewound: old✓; asks conflict content=mine
    the same field: theirs✓; asks conflict content=mine
    another field: mine✓/theirs
    refused: was; asks refusedEdit content=mine; asks refusedChange status=complete
    later: was (shows mine✓); waits patch; waits patch
    signed out in another tab: was (shows mine✓)
    removed here: -
edit! mark: mine✓
    emptied + gone there, and forgotten: -; asks gone content=mine status=complete
    rewound: old✓; asks conflict content=mine
    the same field: theirs✓
    another field: mine✓/theirs
    gone there: -; asks gone status=complete
    refused: mine; asks refusedEdit content=mine; asks refusedChange status=complete
    later: mine (shows mine✓); waits patch; waits patch
    signed out in another tab: mine (shows mine✓)
    removed here: -
remove: -
    rewound: old; asks conflict
    the same field: theirs; asks conflict
    another field: was/theirs; asks conflict
    the same change: mine; asks conflict
    refused: was; asks refusedChange
    later: was (shows -); waits remove
    signed out in another tab: was (shows -)
remove~: -
    rewound: old; asks conflict
    the same field: theirs; asks conflict
    another field: was/theirs; asks conflict
    the same change: mine; asks conflict
    refused: was; asks refusedChange
    later: was (shows -); waits remove
    signed out in another tab: was (shows -)
remove!: -
    rewound: old; asks conflict
    refused: -; asks refusedChange
    later: -; waits remove
edit~ remove: -
    rewound: old; asks conflict
    the same field: theirs; asks conflict
    another field: was/theirs; asks conflict
    the same change: mine; asks conflict
    refused: was; asks refusedChange
    later: was (shows -); waits patch; waits remove
    signed out in another tab: was (shows -)
remove add: was
    rewound: old
    the same field: theirs
    another field: was/theirs
    the same change: mine
    later: was; waits remove; waits add
    marked here: was✓
    removed here: -
remove~ add: was
    rewound: old
    the same field: theirs
    another field: was/theirs
    the same change: mine
    later: was; waits remove; waits add
    marked here: was✓
    removed here: -
remove add mark: was✓
    rewound: old✓
    the same field: theirs✓
    another field: was✓/theirs
    the same change: mine✓
    refused: was; asks refusedChange status=complete
    later: was (shows was✓); waits remove; waits add
    signed out in another tab: was (shows was✓)
    removed here: -
edit~ remove add: was
    rewound: old; asks conflict content=mine
    the same field: theirs; asks conflict content=mine
    another field: mine/theirs
    the same change + another place: mine
    refused: was; asks refusedEdit content=mine
    later: was; waits patch; waits remove; waits add
    marked here: was✓
    removed here: -
"""


def table():
    """The outcomes that are not the usual one, by state and event; the usual ones by state."""
    usual, others = {}, {}
    for line in TABLE.strip().splitlines():
        if not line.startswith(" "):
            state, usual_one = line.split(": ", 1)
            usual[state] = usual_one
            continue
        events, outcome = line.strip().split(": ", 1)
        for event in events.split(" + "):
            for one in LATER if event == "later" else (event,):
                # Only the server itself knows who is signed in.
                others[state, one] = f"{outcome}; at the door" if one == "not signed in" else outcome
    return usual, others


class Outbox(Scenario):
    secret = None

    def setUp(self):
        super().setUp()
        self.page = self.board()
        place = os.path.dirname(os.path.abspath(__file__))
        command = ["esbuild", os.path.join(place, "outbox.js"), "--bundle", "--format=iife", "--global-name=made", "--loader:.css=text"]
        self.code = subprocess.run([*command, "--log-level=error"], check=True, capture_output=True, text=True).stdout

    def run_in_page(self, script, *arguments):
        return self.page.run(f"{self.code}\n{script}", *arguments)

    def outcomes(self, is_lasting):
        """Each state, event and what came of it, and what was to come."""
        usual, others = table()
        states, events = self.run_in_page("return [made.states, made.events].map((these) => Object.keys(these))")
        self.assertEqual(list(usual), states)
        self.assertLessEqual({event for _, event in others}, set(events))
        for state in states:
            found = self.run_in_page("return made.outcomes(...arguments)", state, is_lasting)
            for event in events:
                yield (state, event), found.get(event), others.get((state, event), usual[state])

    @everywhere
    def test_each_state_and_event(self):
        for case, found, wanted in self.outcomes(True):
            # Whether the stream or the answer tells of it first.
            self.assertEqual(found, [wanted] * 2, case)

    @everywhere
    def test_each_state_and_event_of_a_tab_alone(self):
        for (state, event), found, wanted in self.outcomes(False):
            # Nobody else sends what it has, or takes it away.
            if event not in ("sent by the service worker", "signed out in another tab"):
                self.assertEqual(found, [wanted] * 2, (state, event))

    @everywhere
    def test_a_device_that_is_full_says_so(self):
        """Whether it keeps what waits for all tabs, or a tab does so alone."""
        wanted = {
            "room for one": [False, "mine", 1000, "mine"],
            "too much waits": [True, None, 1000, None],
            "too much was refused": [True, None, 0, None],
            "no room in the browser": [True, None, 0, None],
        }
        self.assertEqual(self.run_in_page("return Object.keys(made.fillings)"), list(wanted))
        for filling, outcome in wanted.items():
            for is_lasting in (True, False):
                self.assertEqual(self.run_in_page("return made.filled(...arguments)", filling, is_lasting), outcome, (filling, is_lasting))

    @everywhere
    def test_what_may_have_been_sent_is_not_joined_by_a_tab_that_takes_over(self):
        self.assertEqual(self.run_in_page("return made.takenOver()"), ["patch t", "add other", "patch t"])


if __name__ == "__main__":
    main()
