"""Two browsers at two workers stay equal, whoever writes, and whatever dies in between."""
import signal

from world import Scenario, main, until


class TwoWorkers(Scenario):
    def setUp(self):
        super().setUp()
        self.boards = [self.signed_in(0), self.signed_in(1)]
        self.today = self.boards[0].today()

    def assertBothShow(self, contents):
        for board in self.boards:
            board.wait(f"it shows {contents}", lambda board=board: board.contents() == contents)
        self.assertEqual(self.redis.contents(self.today), contents)

    def test_a_change_made_anywhere_shows_in_both(self):
        first, second = self.boards
        todo = self.redis.add("by redis-cli", self.today)
        self.assertBothShow(["by redis-cli"])
        first.add("by the first")
        self.assertBothShow(["by redis-cli", "by the first"])
        second.add("by the second")
        self.assertBothShow(["by redis-cli", "by the first", "by the second"])
        second.part("by the first", "status").click()
        first.wait("the status", lambda: first.statuses() == ["todo", "inProgress", "todo"])
        self.redis.add("for somebody else", self.today, uid="bob")
        self.redis.call("remove", todo["id"])
        self.assertBothShow(["by the first", "by the second"])
        self.redis.update(self.redis.todos()[0], date=first.day(1))
        self.assertBothShow(["by the second"])
        for board in self.boards:
            board.wait("the month", lambda board=board: board.cell_lines(board.day(1)) == ["by the first"])
            self.assertEqual(board.new_errors(), [])

    def test_redis_killed_and_started_again(self):
        first, second = self.boards
        first.add("before")
        self.assertBothShow(["before"])
        self.redis.kill()
        # Written while there is no Redis: shown at once, marked as not saved, and sent when it can be.
        first.add("meanwhile")
        first.wait("it says so", lambda: "unsaved" in first.find("#pill").text)
        self.assertEqual(first.contents(), ["before", "meanwhile"])
        self.assertEqual(second.contents(), ["before"])
        self.redis.start()
        self.assertBothShow(["before", "meanwhile"])
        first.wait("nothing is unsaved", lambda: first.find("#pill").text == "Live")
        until("the functions are there", lambda: "TODOMATE" not in self.redis.cli("FUNCTION", "LIST"))
        self.redis.add("after", self.today)
        self.assertBothShow(["before", "meanwhile", "after"])
        second.part("before", "status").click()
        first.wait("the status", lambda: first.statuses()[0] == "inProgress")

    def test_a_worker_killed_and_started_again_under_the_page(self):
        first, second = self.boards
        first.add("before")
        self.assertBothShow(["before"])
        self.workers[0].kill()
        first.wait("it says that it is not live", lambda: first.state() in ("reconnecting", "offline"))
        second.add("missed")
        first.add("offline")
        first.wait("it says so", lambda: "unsaved" in first.find("#pill").text)
        self.assertEqual(first.contents(), ["before", "offline"])
        self.workers[0].start()
        first.live()
        for board in self.boards:
            board.wait(
                "both have all", lambda board=board: sorted(board.contents()) == ["before", "missed", "offline"]
            )
        self.assertEqual(first.contents(), self.redis.contents(self.today))
        self.assertEqual(second.contents(), self.redis.contents(self.today))

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
