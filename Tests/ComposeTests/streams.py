"""Readers and writers on a running installation, that check every change they are told.

usage: streams.py --url https://localhost:8443 [--ca root.crt] --user alice --password-file FILE [--user …]
                  [--readers 4] [--rate 20] [--may-lose SECONDS]

Signs each user in, follows their changes with several readers, each coming back like a browser with its Last-Event-ID,
and writes all the time. On SIGTERM it stops writing, waits until every reader has what the server has, prints what it saw
as one line of JSON, and exits with 1 when a change was lost, repeated or changed on the way.

A failover of Redis may lose what was acknowledged last: with --may-lose, writes that were acknowledged that shortly before
one that was not answered may be missing, and a reader whose last change is missing may be given a snapshot. Both are counted.
"""

import argparse
import http.client
import json
import signal
import ssl
import sys
import threading
import time
import urllib.parse
import uuid

FAILURES = (OSError, http.client.HTTPException)


class Server:
    def __init__(self, url, authority):
        parts = urllib.parse.urlsplit(url)
        self.origin, self.host = url.rstrip("/"), parts.netloc
        self.context = ssl.create_default_context(cafile=authority) if parts.scheme == "https" else None

    def connect(self, timeout):
        if self.context:
            return http.client.HTTPSConnection(self.host, timeout=timeout, context=self.context)
        return http.client.HTTPConnection(self.host, timeout=timeout)

    def ask(self, method, path, body=None, token=None):
        """Status and parsed body; a connection of its own."""
        connection = self.connect(timeout=20)
        try:
            headers = {"Origin": self.origin, "Content-Type": "application/json"}
            if token:
                headers["Authorization"] = f"Bearer {token}"
            connection.request(method, path, json.dumps(body) if body is not None else None, headers)
            answer = connection.getresponse()
            text = answer.read()
            return answer.status, json.loads(text) if text else None
        finally:
            connection.close()

    def sign_in(self, user, password):
        status, session = self.ask("POST", "/v1/session", {"user": user, "password": password})
        if status != 201:
            sys.exit(f"streams.py: {user} cannot sign in: {status} {session}")
        return session["token"]


def version(change_id):
    return int(change_id.split("-")[0])


class Reader(threading.Thread):
    """One event stream, over all its connections."""

    def __init__(self, server, user, token, may_rewind):
        super().__init__(daemon=True)
        self.server, self.user, self.token, self.may_rewind = server, user, token, may_rewind
        self.rewinds = 0
        self.last_id = None
        self.todos = {}
        self.connects = self.changes = self.snapshots = 0
        self.faults = []
        self.longest_absence = 0.0

    def run(self):
        left = None
        while True:
            delay = 0.2
            try:
                connection = self.server.connect(timeout=40)
                headers = {"Authorization": f"Bearer {self.token}", "Accept": "text/event-stream"}
                if self.last_id:
                    headers["Last-Event-ID"] = self.last_id
                connection.request("GET", f"/v1/users/{self.user}/changes", headers=headers)
                answer = connection.getresponse()
                if answer.status == 200:
                    self.connects += 1
                    if left:
                        self.longest_absence = max(self.longest_absence, time.monotonic() - left)
                    delay = self.follow(answer)
                    left = time.monotonic()
            except FAILURES:
                left = left or time.monotonic()
            time.sleep(delay)

    def follow(self, answer):
        """Reads events until the stream ends; returns how long it wants its reader to stay away."""
        event, retry = {}, 0.2
        try:
            for line in answer:
                line = line.decode().rstrip("\n")
                if line:
                    name, _, value = line.partition(": ")
                    event[name] = value
                    if name == "retry":
                        retry = int(value) / 1000
                else:
                    if "event" in event:
                        self.receive(event)
                    event = {}
        except FAILURES:
            pass
        return retry

    def receive(self, event):
        kind = event["event"]
        if kind == "heartbeat":
            return
        data = json.loads(event["data"])
        if kind == "snapshot":
            self.snapshots += 1
            if self.last_id and self.may_rewind:
                self.rewinds += 1
            elif self.last_id:
                self.faults.append(f"a snapshot instead of what came after {self.last_id}")
            self.todos = {todo["id"]: todo for todo in data["todos"]}
        else:
            self.changes += 1
            if version(event["id"]) != version(self.last_id) + 1:
                self.faults.append(f"{event['id']} after {self.last_id}")
            if kind == "removed":
                self.todos.pop(data["todo"]["id"], None)
            else:
                self.todos[data["todo"]["id"]] = data["todo"]
        self.last_id = event["id"]


class Writer(threading.Thread):
    """Adds, changes and removes todos; what is not answered is sent again under the same id, until it is."""

    def __init__(self, server, user, token, options):
        super().__init__(daemon=True)
        self.server, self.user, self.token, self.pause = server, user, token, 1 / options.rate
        self.may_lose = options.may_lose
        self.stopping = threading.Event()
        # When each todo that must be there was acknowledged, and when a write was not answered.
        self.kept, self.failed, self.written = {}, [], 0
        self.failures = {}

    def fail(self, reason):
        self.failures[reason] = self.failures.get(reason, 0) + 1
        self.failed.append(time.monotonic())
        time.sleep(0.2)

    def lost(self, todos, may_lose):
        """The acknowledged todos that are missing: those that a failover may have lost, and those that nothing excuses."""
        missing = [when for name, when in self.kept.items() if name not in todos]
        excused = [when for when in missing if any(0 <= failed - when <= may_lose for failed in self.failed)]
        return len(excused), len(missing) - len(excused)

    def ask(self, method, path, body, done):
        while True:
            try:
                status, answer = self.server.ask(method, f"/v1/users/{self.user}/todos{path}", body, self.token)
            except FAILURES as error:
                self.fail(type(error).__name__)
                continue
            if status in done:
                self.written += 1
                return
            if status < 500:
                sys.exit(f"streams.py: {method} {path}: {status} {answer}")
            self.fail(str(status))

    def run(self):
        count = 0
        while not self.stopping.wait(self.pause):
            count += 1
            name = uuid.uuid4().hex
            day = f"2026-{count // 28 % 12 + 1:02}-{count % 28 + 1:02}"
            self.ask("POST", "", {"id": name, "content": f"number {count}", "date": day}, {201})
            self.kept[name] = time.monotonic()
            if count % 3 == 0:
                # Gone only where a failover has lost it.
                self.ask("PATCH", f"/{name}", {"status": "complete"}, {200, 404} if self.may_lose else {200})
            if count % 5 == 0:
                # Gone already when only the answer was lost.
                self.ask("DELETE", f"/{name}", None, {204, 404})
                del self.kept[name]


def settle(server, user, token, readers):
    """Waits until the readers have what the server has; returns what is wrong."""
    deadline = time.monotonic() + 30
    while True:
        try:
            status, snapshot = server.ask("GET", f"/v1/users/{user}/todos", token=token)
        except FAILURES as error:
            status, snapshot = 0, str(error)
        if status == 200:
            behind = [reader for reader in readers if reader.last_id != snapshot["id"]]
            if not behind:
                break
        if time.monotonic() > deadline:
            return [f"{user}: {snapshot if status != 200 else [reader.last_id for reader in behind]}, not up to date"], []
        time.sleep(0.2)
    todos = {todo["id"]: todo for todo in snapshot["todos"]}
    return [f"{user}: a reader shows something else" for reader in readers if reader.todos != todos], todos


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--url", required=True)
    parser.add_argument("--ca")
    parser.add_argument("--user", action="append", required=True)
    parser.add_argument("--password-file", required=True)
    parser.add_argument("--readers", type=int, default=4)
    parser.add_argument("--rate", type=float, default=20)
    parser.add_argument("--may-lose", type=float, default=0)
    options = parser.parse_args()
    # Held back until it is waited for, also in the threads.
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT})
    server = Server(options.url, options.ca)
    with open(options.password_file, encoding="utf-8") as file:
        password = file.readline().rstrip("\n")
    tokens = {user: server.sign_in(user, password) for user in options.user}
    readers = {user: [Reader(server, user, tokens[user], options.may_lose > 0) for _ in range(options.readers)] for user in options.user}
    everybody = [reader for some in readers.values() for reader in some]
    for reader in everybody:
        reader.start()
    while not all(reader.last_id for reader in everybody):
        time.sleep(0.05)
    writers = [Writer(server, user, tokens[user], options) for user in options.user]
    for writer in writers:
        writer.start()
    print("running", flush=True)
    signal.sigwait({signal.SIGTERM, signal.SIGINT})
    for writer in writers:
        writer.stopping.set()
    for writer in writers:
        writer.join(60)
    faults = [f"{writer.user}: a write is never answered" for writer in writers if writer.is_alive()]
    excused = 0
    for writer in writers:
        wrong, todos = settle(server, writer.user, tokens[writer.user], readers[writer.user])
        by_failover, missing = writer.lost(todos, options.may_lose)
        excused += by_failover
        faults += wrong + ([f"{writer.user}: {missing} acknowledged todos are lost"] if missing else [])
    for reader in everybody:
        faults += [f"{reader.user}: {fault}" for fault in reader.faults]
    failures = {}
    for writer in writers:
        for reason, count in writer.failures.items():
            failures[reason] = failures.get(reason, 0) + count
    print(
        json.dumps(
            {
                "writes": sum(writer.written for writer in writers),
                "failed_and_repeated": failures,
                "readers": len(everybody),
                "connections": sum(reader.connects for reader in everybody),
                "changes": sum(reader.changes for reader in everybody),
                "snapshots": sum(reader.snapshots for reader in everybody),
                "rewinds": sum(reader.rewinds for reader in everybody),
                "lost_by_failover": excused,
                "longest_absence_s": round(max(reader.longest_absence for reader in everybody), 2),
                "faults": faults,
            }
        ),
        flush=True,
    )
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
