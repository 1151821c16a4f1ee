"""Two browsers at two workers stay equal, whoever writes, and whatever dies in between."""
import signal

from waiting import expect, until
from world import Scenario, everywhere, main


class TwoWorkers(Scenario):
    def setUp(self):
        super().setUp()
        self.boards = [self.signed_in(0), self.signed_in(1)]
        self.today = self.boards[0].today()

    def assertBothShow(self, contents):
        for board in self.boards:
            expect(contents, board.contents, f"what {board.url} shows")
        expect(contents, lambda: self.redis.contents(self.today), "what Redis holds")

    @everywhere
    def test_a_change_made_anywhere_shows_in_both(self):
        first, second = self.boards
        todo = self.redis.add("by redis-cli", self.today)
        self.assertBothShow(["by redis-cli"])
        first.add("by the first")
        self.assertBothShow(["by redis-cli", "by the first"])
        second.add("by the second")
        self.assertBothShow(["by redis-cli", "by the first", "by the second"])
        second.part("by the first", "status").click()
        expect(["todo", "complete", "todo"], first.statuses, "the statuses")
        self.redis.add("for somebody else", self.today, uid="bob")
        self.redis.call("remove", todo["id"])
        self.assertBothShow(["by the first", "by the second"])
        self.redis.update(self.redis.todos()[0], date=first.day(1))
        self.assertBothShow(["by the second"])
        for board in self.boards:
            expect(["by the first"], lambda board=board: board.cell_lines(board.day(1)), "the next day in the month")
            self.assertEqual(board.new_errors(), [])

    @everywhere
    def test_redis_killed_and_started_again(self):
        first, second = self.boards
        first.add("before")
        self.assertBothShow(["before"])
        self.redis.kill()
        # Written while there is no Redis: shown at once, marked as not saved, and sent when it can be.
        first.add("meanwhile")
        first.find("#pill").tells("unsaved")
        expect(["before", "meanwhile"], first.contents, "what the first shows")
        self.assertEqual(second.contents(), ["before"])
        self.redis.start()
        self.assertBothShow(["before", "meanwhile"])
        first.find("#pill").reads("Live")
        until("the functions are there", lambda: "todomate" in self.redis.cli("FUNCTION", "LIST"))
        self.redis.add("after", self.today)
        self.assertBothShow(["before", "meanwhile", "after"])
        second.part("before", "status").click()
        expect(["complete", "todo", "todo"], first.statuses, "the statuses")

    def test_a_redis_that_hangs_is_told_and_loses_nothing(self):
        first, second = self.boards
        first.live()
        second.live()
        self.redis.send(signal.SIGSTOP)
        first.add("while it hangs")
        # The workers answer all the while, and so does every connection to them.
        second.find("#pill").reads("Reconnecting …")
        first.find("#pill").reads("Reconnecting … · 1 unsaved")
        self.redis.send(signal.SIGCONT)
        self.assertBothShow(["while it hangs"])
        for board in self.boards:
            board.find("#pill").reads("Live")
        self.redis.add("after", self.today)
        self.assertBothShow(["while it hangs", "after"])

    def test_a_worker_killed_and_started_again_under_the_page(self):
        first, second = self.boards
        first.add("before")
        self.assertBothShow(["before"])
        self.workers[0].kill()
        first.wait("it says that it is not live", lambda: first.state() in ("reconnecting", "offline"))
        second.add("missed")
        first.add("offline")
        first.find("#pill").tells("unsaved")
        expect(["before", "offline"], first.contents, "what the first shows")
        self.workers[0].start()
        first.live()
        # What was made in one second is in the order of its ids, which only Redis knows at first.
        until("Redis has all", lambda: len(self.redis.contents(self.today)) == 3)
        self.assertCountEqual(self.redis.contents(self.today), ["before", "missed", "offline"])
        self.assertBothShow(self.redis.contents(self.today))

    def test_a_worker_that_drains_sends_its_pages_back(self):
        first = self.boards[0]
        self.workers[0].send(signal.SIGTERM)
        self.workers[0].child.wait()
        self.redis.add("missed", self.today)
        self.workers[0].start()
        self.assertBothShow(["missed"])
        first.live()


if __name__ == "__main__":
    main()
