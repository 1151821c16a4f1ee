"""What every scenario stands on: a redis-server, two workers on two ports, and browsers; all ended by pid."""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from board import Board
from browser import Browser
from waiting import PATIENCE, expect, until

PROGRAM = os.environ["TODOMATE_PROGRAM"]
SECRET = "a secret of the scenarios, longer than 32 bytes"
# Where it is about noon now: no scenario comes upon midnight.
HOURS = time.gmtime().tm_hour - 12
os.environ["TZ"] = f"Etc/GMT{HOURS:+}"


class Process:
    """A program that runs beside the scenario; what it says goes to a file."""

    def __init__(self, arguments, log, environment=None):
        self.arguments, self.log = arguments, log
        self.environment = {**os.environ, **(environment or {})}
        self.child = None

    def start(self):
        with open(self.log, "ab") as log:
            self.child = subprocess.Popen(self.arguments, stdout=log, stderr=log, env=self.environment)
        return self

    def send(self, number):
        self.child.send_signal(number)

    def kill(self):
        self.send(signal.SIGKILL)
        self.child.wait()

    def stop(self):
        if self.child and self.child.poll() is None:
            # A paused program hears SIGTERM only when it goes on.
            self.send(signal.SIGCONT)
            self.child.terminate()
            try:
                self.child.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.kill()

    def said(self):
        with open(self.log, encoding="utf-8") as log:
            return log.read()


class Redis(Process):
    def __init__(self, folder):
        self.socket = f"{folder}/redis.sock"
        super().__init__(
            ["redis-server", "--port", "0", "--unixsocket", self.socket, "--dir", folder, "--save", "",
             "--appendonly", "yes", "--appendfsync", "always"],
            f"{folder}/redis.log",
        )

    def start(self):
        super().start()
        until("redis-server answers", lambda: self.cli("PING") == "PONG")
        return self

    def cli(self, *arguments):
        command = ["redis-cli", "-s", self.socket, *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()

    def call(self, function, *arguments, uid="alice"):
        """Calls one of the functions, as anybody with redis-cli does."""
        kind = "FCALL_RO" if function in ("list", "get", "since") else "FCALL"
        answer = self.cli(kind, f"todomate_{function}", "1", f"todomate:{{{uid}}}", *map(str, arguments))
        assert answer.startswith("{"), answer
        return json.loads(answer)

    def add(self, content, date, uid="alice", **fields):
        return self.call("add", json.dumps({"content": content, "date": date, **fields}), uid=uid)["todo"]

    def update(self, todo, uid="alice", **fields):
        return self.call("update", todo["id"], json.dumps(fields), uid=uid)["todo"]

    def todos(self, date=None, uid="alice"):
        """The stored todos, of one day or all, in list order."""
        days = [date.replace("-", "")] * 2 if date else []
        todos = self.call("list", *days, uid=uid)["todos"]
        return sorted(todos, key=lambda todo: (todo["date"], todo.get("time", "~"), todo["position"], todo["createdAt"], todo["id"]))

    def contents(self, date=None, uid="alice"):
        return [todo["content"] for todo in self.todos(date, uid)]


class Worker(Process):
    url = None

    def __init__(self, folder, name, redis, secret, options=(), port=0):
        self.base = [PROGRAM, "worker", "--redis", f"unix://{redis.socket}", "--name", name, *options, "--listen"]
        super().__init__(
            self.base + [f"127.0.0.1:{port}"], f"{folder}/{name}.log",
            {"TODOMATE_SECRET": secret} if secret else None,
        )

    def start(self):
        """Starts it, on any free port unless one was given; from then on it is always that one."""
        super().start()
        if not self.url:
            port = until("the worker listens", lambda: re.search(r"listening.*\bport=(\d+)", self.said()))[1]
            self.arguments = self.base + [f"127.0.0.1:{port}"]
            self.url = f"http://127.0.0.1:{port}/"
        return self


def everywhere(scenario):
    """Marks a scenario that matters enough to run in every engine; all others run in Chromium alone."""
    scenario.is_everywhere = True
    return scenario


class Scenario(unittest.TestCase):
    """A test with a world of its own."""

    # None: a server that runs without sign-in.
    secret = SECRET
    # Of the workers.
    options = ()
    # Of the first worker; 0 for any.
    port = 0
    is_stopping = False
    redis, workers, browsers = None, (), ()

    def setUp(self):
        if Scenario.is_stopping:
            self.skipTest("told to stop")
        self.folder = tempfile.mkdtemp(prefix="todomate-web-")
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.browsers = []
        Board.errors = []
        self.redis = Redis(self.folder)
        self.addCleanup(self.redis.stop)
        self.redis.start()
        self.workers = []
        for name in ("first", "second"):
            port = self.port if name == "first" else 0
            worker = Worker(self.folder, name, self.redis, self.secret, self.options, port)
            self.addCleanup(worker.stop)
            self.workers.append(worker.start())
        if self.secret:
            self.add_user("alice", "correct horse")

    def add_user(self, name, password):
        command = [PROGRAM, "user", "add", name, "--redis", f"unix://{self.redis.socket}"]
        subprocess.run(command, input=password + "\n", text=True, check=True, capture_output=True)

    def todomate(self, *words):
        command = [PROGRAM, *words, "--redis", f"unix://{self.redis.socket}"]
        return subprocess.run(command, text=True, check=True, capture_output=True).stdout

    def board(self, worker=0, **options):
        """A browser of its own at a worker's page."""
        board = Board(self.workers[worker].url, **options)
        self.addCleanup(board.close)
        self.browsers.append(board)
        return board

    def signed_in(self, worker=0, user="alice", **options):
        board = self.board(worker, **options)
        board.sign_in(user, "correct horse")
        return board

    def assertSaved(self, board, contents, date, uid="alice"):
        """The page shows these todos and Redis holds them, in this order."""
        expect(contents, board.contents, "what the page shows")
        expect(contents, lambda: self.redis.contents(date, uid), "what Redis holds")

    def describe(self):
        """The world as it is, while it still stands."""
        for board in self.browsers:
            yield board.describe
        for process in filter(None, (self.redis, *self.workers)):
            yield lambda process=process: "\n".join([process.log, *process.said().splitlines()[-10:]])


class Result(unittest.TextTestResult):
    """Tells with each failure what the pages showed and what the servers said."""

    def addFailure(self, test, err):
        self.tell(test)
        super().addFailure(test, err)

    def addError(self, test, err):
        self.tell(test)
        super().addError(test, err)

    def tell(self, test):
        self.stream.writeln(f"\nin {test}:")
        for look in test.describe() if isinstance(test, Scenario) else ():
            try:
                self.stream.writeln(look())
            except Exception as reason:  # pylint: disable=broad-except
                # A browser that is gone must not hide why the scenario failed.
                self.stream.writeln(f"cannot be told: {reason!r}")


def stop(*_):
    """Ends the scenario that runs, with what it started, and skips the others."""
    Scenario.is_stopping = True
    raise SystemExit(1)


def main():
    """Runs the file's scenarios, or those that are named as Class.test; the exit code says whether all went well."""
    signal.signal(signal.SIGTERM, stop)
    runner = unittest.TextTestRunner(resultclass=Result, verbosity=2)
    try:
        unittest.main(argv=[sys.argv[0], "--verbose", *sys.argv[1:]], testRunner=runner)
    finally:
        Browser.end()
