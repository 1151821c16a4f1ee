"""Many tabs of one browser: they share one stream, and go on when the tab that has it is gone."""
import re
import urllib.request

from device import Devices
from waiting import expect, until
from world import main

# How many requests for or of todos were answered: a browser notes each once its answer is there.
ANSWERED = "return performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/v1/users/alice/todos')).length"
# What the stream told this tab, in order.
NOTE_EVENTS = """
globalThis.told = [];
const { set } = Map.prototype;
// The page has it in more than one place, and what it is told again is another one.
const seen = new WeakSet();
Map.prototype.set = function (key, value) {
  if (value?.uid === 'alice' && value.content && value.revision && !seen.has(value)) {
    seen.add(value);
    globalThis.told.push(`${value.content}/${value.revision}`);
  }
  return set.call(this, key, value);
};
"""


class ManyTabs(Devices):
    def streams(self):
        with urllib.request.urlopen(f"{self.workers[0].url}metrics") as answer:
            return int(re.search(r"^todomate_streams_open (\d+)", answer.read().decode(), re.MULTILINE)[1])

    def test_seven_tabs_are_live_by_one_stream(self):
        tabs = [self.page, *(self.device(beside=self.page) for _ in range(6))]
        for tab in tabs:
            tab.live()
        expect(1, self.streams, "the streams")
        self.redis.add("for all", self.today)
        for tab in tabs:
            expect(["for all"], tab.contents, "what a tab shows")
        # Writes find a connection beside what the streams take: a browser has six for one server.
        tabs[-1].add("mine")
        self.assertSaved(tabs[-1], ["for all", "mine"], self.today)
        # Whichever listens: one after another is gone.
        for gone in range(5):
            tabs.pop(0).close()
            contents = ["for all", "mine", *(f"after {number}" for number in range(gone + 1))]
            self.redis.add(contents[-1], self.today)
            for tab in tabs:
                expect(contents, tab.contents, "what a tab shows")
                tab.live()
            expect(1, self.streams, "the streams")

    def test_another_tab_goes_on_without_a_gap_or_a_repetition(self):
        first = self.page
        others = [self.device(beside=first) for _ in range(2)]
        for tab in others:
            tab.command("Page.addScriptToEvaluateOnNewDocument", source=NOTE_EVENTS)
            tab.refresh()
            tab.live()
        expect(1, self.streams, "the streams")
        before = len(self.way.heads)
        wanted = []
        for number in range(12):
            todo = self.redis.add(f"todo {number}", self.today)
            wanted += [f"todo {number}/{todo['revision']}"]
            if number == 6:
                first.close()
        for tab in others:
            expect([f"todo {number}" for number in range(12)], tab.contents, "what a tab shows")
            told = tab.run("return globalThis.told")
            self.assertEqual(sorted(set(told)), sorted(wanted))
            self.assertEqual(len(told), len(set(told)), told)
        expect(1, self.streams, "the streams")
        # It resumed, and asked for no list.
        asked = [head[0].split()[1] for head in self.way.heads[before:]]
        self.assertFalse([path for path in asked if path.startswith("/v1/users/alice/todos")])

    def test_a_tab_that_hangs_is_replaced(self):
        beside = self.device(beside=self.page)
        beside.live()
        # It keeps its lock and says nothing more; the clock of the other one goes faster.
        self.page.run("BroadcastChannel.prototype.postMessage = () => {}")
        beside.run("const now = Date.now; Date.now = () => now() + 60000")
        self.redis.add("one", self.today)
        expect(["one"], beside.contents, "what the other tab shows")
        beside.live()
        expect(1, self.streams, "the streams")

    def test_a_tab_without_locks_listens_by_itself(self):
        # A tab at which nobody looks gives its stream up after a while.
        self.page.run("Object.defineProperty(document, 'hidden', { get: () => false })")
        beside = self.device(beside=self.page)
        beside.command(
            "Page.addScriptToEvaluateOnNewDocument",
            source="Object.defineProperty(Navigator.prototype, 'locks', { value: undefined })",
        )
        beside.refresh()
        beside.live()
        expect(2, self.streams, "the streams")
        before = beside.run(ANSWERED)
        beside.add("one")
        self.assertSaved(beside, ["one"], self.today)
        expect(["one"], self.page.contents, "what the other tab shows")
        # The change is told before it is answered: cut by then, it would wait as well.
        until("it is answered", lambda: beside.run(ANSWERED) > before)
        # What waits stays with the tab there, through a reload.
        self.cut(self.page, beside)
        beside.add("two")
        beside.find("#pill").tells("1 unsaved")
        expect(["one"], self.page.contents, "what the other tab shows")
        self.mend(self.page, beside)
        self.assertSaved(beside, ["one", "two"], self.today)
        until("the other has it", lambda: self.page.contents() == ["one", "two"])


if __name__ == "__main__":
    main()
