"""How fast the page is in Chromium: until the list can be read, and from a click to what it paints.

usage: page.py [--runs N] [--at PLACE] [--todos N] NAME=PROGRAM…
                                                  (programs are measured in turn, so that a busy machine slows all)

Prints the medians, with their ranges. The ready list: the first todo is painted, counted from the start of the navigation, with an
empty cache ("first") and with what the load before left on the device ("again").
"""
import argparse
import calendar
import datetime
import json
import os
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Tests/WebTests/scenarios"))
# Each world has its own, see World.
os.environ.setdefault("TODOMATE_PROGRAM", "")
# pylint: disable=wrong-import-position
import world
from board import Board
from browser import Browser
from waiting import until

# In this month; those above it lie in the months before, as many a day as people write who have that many.
TODOS = 300
TODOS_OF_OLD_DAY = 27
PHONE, DESK = (390, 844), (1280, 800)
# Name, size, how many times slower the processor is, bytes a second, milliseconds until an answer.
PLACES = [("desktop", DESK, 1, -1, 0), ("phone, CPU × 4", PHONE, 4, -1, 0), ("400 kb/s, 150 ms", DESK, 1, 50_000, 150)]
# When the first todo has been painted, and how many formatters of dates were made until then.
WATCH = """
globalThis.made = 0;
const { DateTimeFormat } = Intl;
Intl.DateTimeFormat = new Proxy(DateTimeFormat, {
  construct(...values) { globalThis.made += 1; return Reflect.construct(...values); },
  apply(...values) { globalThis.made += 1; return Reflect.apply(...values); },
});
(function look() {
  const row = document.querySelector('#list .row');
  // Not by what it looks like, which the browser would have to compute for this.
  if (!row || document.body.matches('.arriving')) return requestAnimationFrame(look);
  return setTimeout(() => { globalThis.ready = { ms: performance.now(), made: globalThis.made }; });
})();
"""
LOADED = """
const entries = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
const size = entries.reduce((sum, { transferSize }) => sum + transferSize, 0);
// What came from the cache was not asked for. A stream that is open is in no list of what was loaded.
const asked = entries.filter(({ transferSize }) => transferSize).map(({ name }) => name);
return { requests: asked.length + !asked.some((name) => name.includes('/v1/changes')), kB: size / 1000 };
"""
# A server before there was a service worker has none to wait for.
KEPT = "return navigator.serviceWorker.getRegistration().then((it) => !it || it.active?.state === 'activated')"
# From a letter in the search until all is found.
TYPE = """
const [words] = arguments;
const field = document.getElementById('search-words');
const [before, made] = [performance.now(), globalThis.made];
field.value = words;
field.dispatchEvent(new Event('input'));
return { ms: performance.now() - before, made: globalThis.made - made };
"""
# As a click that changes one letter and nothing else: less no click can take there.
FLOOR = """
const title = document.getElementById('day-title');
return new Promise((resume) => {
  requestAnimationFrame(() => setTimeout(() => {
    const before = performance.now();
    title.textContent = title.textContent.endsWith('.') ? title.textContent.slice(0, -1) : `${title.textContent}.`;
    requestAnimationFrame(() => setTimeout(() => resume({ ms: performance.now() - before })));
  }));
});
"""
# From the click until the frame that it leads to has been painted.
PRESS = """
const [selector, index] = arguments;
const target = document.querySelectorAll(selector)[index];
return new Promise((resume) => {
  requestAnimationFrame(() => setTimeout(() => {
    const [before, made] = [performance.now(), globalThis.made];
    // Asked for before the click: what the page puts off until that frame is painted is none of it.
    requestAnimationFrame(() => setTimeout(() => resume({ ms: performance.now() - before, made: globalThis.made - made })));
    target.click();
  }));
});
"""


class World:
    """One program's Redis, worker and user, who has so many todos in this month."""

    def __init__(self, program):
        world.PROGRAM = program
        self.folder = tempfile.TemporaryDirectory(prefix="todomate-page-")
        self.redis = world.Redis(self.folder.name).start()
        self.worker = world.Worker(self.folder.name, "one", self.redis, world.SECRET).start()
        world.Scenario.add_user(self, "alice", "correct horse")

    def fill(self, today, todos):
        year, month, _ = map(int, today.split("-"))
        days = calendar.monthrange(year, month)[1]
        for number in range(TODOS):
            status = ("todo", "inProgress", "complete")[number % 3]
            self.redis.add(f"Something to do, number {number}", f"{year}-{month:02}-{number % days + 1:02}", status=status)
        first = datetime.date(year, month, 1)
        calls = []
        for number in range(TODOS, todos):
            day = first - datetime.timedelta(days=1 + (number - TODOS) // TODOS_OF_OLD_DAY)
            todo = json.dumps({"content": f"Something to do, number {number}", "date": str(day)})
            calls.append(f"FCALL todomate_add 1 todomate:{{alice}} {json.dumps(todo)}\n")
        subprocess.run(
            ["redis-cli", "-s", self.redis.socket], input="".join(calls), text=True, check=True, stdout=subprocess.DEVNULL)

    def end(self):
        self.worker.stop()
        self.redis.stop()
        self.folder.cleanup()


class Page:
    """A browser at one program's page."""

    def __init__(self, name, program, todos, pages):
        self.world = World(program)
        pages[name] = self
        self.board = Board(self.world.worker.url)
        self.board.sign_in("alice", "correct horse")
        self.world.fill(self.board.today(), todos)
        self.board.command("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
        self.board.command("Network.enable")

    def be_at(self, size, slowness, rate, latency):
        self.board.emulate_size(*size)
        self.board.command("Emulation.setCPUThrottlingRate", rate=slowness)
        self.board.command(
            "Network.emulateNetworkConditions", offline=False, latency=latency, downloadThroughput=rate, uploadThroughput=rate)

    def load(self, is_first):
        """Opens the page anew: how long it took, and what was asked for."""
        if is_first:
            self.board.command("Network.clearBrowserCache")
            # What the device keeps of the page and its lists, too; who is signed in stays so.
            kinds = "service_workers,cache_storage,indexeddb,local_storage"
            self.board.command("Storage.clearDataForOrigin", origin=self.board.url.rstrip("/"), storageTypes=kinds)
        self.board.driver.get("about:blank")
        self.board.driver.get(self.board.url)
        ready = until("the list is painted", lambda: self.board.run("return globalThis.ready"))
        self.board.live()
        # The frames that follow, such as those for what comes last.
        self.board.run("return new Promise((resume) => setTimeout(resume, 700))")
        until("the page is kept", lambda: self.board.run(KEPT))
        return {**ready, **self.board.run(LOADED)}

    def press(self, selector, index):
        # A click by itself: the answers to the one before it are there, and shown.
        self.board.live()
        self.board.run("return new Promise((resume) => requestIdleCallback(resume))")
        return self.board.run(PRESS, selector, index)

    def search(self, words):
        """Types these words into the search, letter by letter: how long each took."""
        self.board.driver.find_element("css selector", "body").send_keys("/")
        until("the search is open", lambda: self.board.run("return Boolean(document.getElementById('search-words'))"))
        taken = [self.board.run(TYPE, words[:length]) for length in range(1, len(words) + 1)]
        self.board.run("document.querySelector('dialog[open]').close()")
        return taken

    def end(self):
        self.world.end()


def show(name, what, figures, digits=0):
    median = statistics.median(figures)
    least, most = min(figures), max(figures)
    print(f"  {name:<14}{what:<44}{median:>9.{digits}f} ({least:.{digits}f} … {most:.{digits}f})", flush=True)


def measure(pages, runs, at):
    for place, size, *conditions in PLACES:
        if not place.startswith(at):
            continue
        figures = {name: {} for name in pages}
        for _ in range(runs):
            for name, page in pages.items():
                page.be_at(size, *conditions)
                taken = figures[name]
                for kind in ("first", "again"):
                    for key, value in page.load(kind == "first").items():
                        taken.setdefault((kind, key), []).append(value)
                if conditions[1] == -1:
                    # A status and back again, and a day and back to today, so that each run finds the same.
                    for what, selector, indexes in (("status", "#list .status", (0, 0)), ("day", ".cell:not(.outside)", (3, 12))):
                        for index in indexes:
                            for key, value in page.press(selector, index).items():
                                taken.setdefault((f"click on a {what}", key), []).append(value)
                    page.board.run("document.getElementById('to-today').click()")
                    for _ in range(2):
                        taken.setdefault(("one letter, the floor of a click", "ms"), []).append(page.board.run(FLOOR)["ms"])
                    for key in page.search("number 99"):
                        for unit, value in key.items():
                            taken.setdefault(("letter in the search", unit), []).append(value)
        print(place)
        for name, taken in figures.items():
            for (kind, key), values in taken.items():
                unit = {"ms": "ms", "made": "date formatters made", "requests": "requests", "kB": "kB"}[key]
                show(name, f"{kind}, {unit}", values, 1 if key == "kB" else 0)


def main():
    parser = argparse.ArgumentParser(description="How fast the page is in Chromium.")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--at", default="", help="how the name of the only place begins: desktop, phone or 400")
    parser.add_argument("--todos", type=int, default=TODOS, help="how many the user has; 300 of them in this month")
    parser.add_argument("programs", nargs="+", metavar="NAME=PROGRAM")
    options = parser.parse_args()
    pages = {}
    try:
        for name, program in (given.split("=", 1) for given in options.programs):
            Page(name, program, options.todos, pages)
        measure(pages, options.runs, options.at)
    finally:
        for page in pages.values():
            page.end()
        Browser.end()


if __name__ == "__main__":
    main()
