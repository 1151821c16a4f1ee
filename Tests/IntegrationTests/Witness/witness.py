"""Writes and follows todos with redis-py and plain HTTP alone, as programs in another language do.

usage: witness.py REDIS-SOCKET HTTP-PORT SECRET UID LAST-VERSION

Says `ready` once it follows. Then it writes, until it has seen the version LAST-VERSION, which others may have written,
on both of its ways; and prints as one JSON object what it saw and what it made of it.
"""
import base64
import hashlib
import hmac
import http.client
import json
import os
import queue
import sys
import threading
import time

import redis

# Only a guard against waiting for ever: nothing here measures time.
PATIENCE = 60


def token(secret, uid, session, generation):
    """A JSON Web Token (RFC 7519) with HS256, made of the standard library."""
    def part(data):
        return base64.urlsafe_b64encode(data).rstrip(b"=")

    head = part(json.dumps({"alg": "HS256", "typ": "JWT"}).encode())
    claims = part(json.dumps({"sub": uid, "exp": int(time.time()) + 3600, "jti": session, "gen": generation}).encode())
    signature = hmac.new(secret.encode(), head + b"." + claims, hashlib.sha256).digest()
    return b".".join([head, claims, part(signature)]).decode()


def version(change_id):
    return int(change_id.split("-")[0])


class Functions:
    """The functions in Redis, for one user."""

    def __init__(self, socket, uid):
        self.redis = redis.Redis(unix_socket_path=socket, decode_responses=True)
        self.key = f"todomate:{{{uid}}}"

    def call(self, name, *arguments):
        return self.redis.execute_command("FCALL", f"todomate_{name}", 1, self.key, *arguments)

    def add(self, **todo):
        return json.loads(self.call("add", json.dumps(todo)))["todo"]

    def begin_session(self):
        """An account and a session of its own; returns the session's id and the account's generation."""
        self.call("enroll", "$nobody-knows-it")
        session = base64.urlsafe_b64encode(os.urandom(16)).rstrip(b"=").decode()
        draft = json.dumps({"id": session, "kind": "token", "seconds": 3600, "name": "witness"})
        return session, int(self.call("begin_session", draft))

    def refusal(self, name, *arguments):
        """The code of the error that such a call gets."""
        try:
            return f"accepted: {self.call(name, *arguments)}"
        except redis.ResponseError as error:
            return str(error).split(" ")[0]


class Subscriber(threading.Thread):
    """Collects the messages of the user's channel."""

    def __init__(self, functions):
        super().__init__(daemon=True)
        self.channel = functions.redis.pubsub()
        self.channel.subscribe(f"{functions.key}:changes")
        # The confirmation: what is published from now on comes.
        assert self.channel.get_message(timeout=PATIENCE)["type"] == "subscribe"
        self.messages = []
        self.arrived = queue.Queue()

    def run(self):
        for message in self.channel.listen():
            if message["type"] == "message":
                self.messages.append(message["data"])
                self.arrived.put(version(json.loads(message["data"])["id"]))


class EventStream(threading.Thread):
    """Collects the events of the user's stream, as the HTML standard's section on server-sent events reads them."""

    def __init__(self, door, last=None):
        super().__init__(daemon=True)
        fields = {"Accept": "text/event-stream", **({"Last-Event-ID": last} if last else {})}
        self.connection = door.connect()
        self.answer = door.ask(self.connection, "GET", "/changes", fields=fields)
        assert self.answer.status == 200, self.answer.status
        assert self.answer.getheader("Content-Type").startswith("text/event-stream")
        self.events = []
        self.arrived = queue.Queue()

    def run(self):
        event = {}
        for line in self.answer:
            name, _, value = line.decode().rstrip("\n").partition(":")
            if name:
                event[name] = value.removeprefix(" ")
            elif line == b"\n" and event.get("event", "heartbeat") != "heartbeat":
                self.events.append(event)
                self.arrived.put(version(event["id"]))
                event = {}
            elif line == b"\n":
                event = {}


class Door:
    """A worker's HTTP, for one user."""

    def __init__(self, port, secret, uid, session, generation):
        self.port, self.uid, self.token = int(port), uid, token(secret, uid, session, generation)

    def connect(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)

    def ask(self, connection, method, path, body=None, fields=None, uid=None):
        fields = {"Authorization": f"Bearer {self.token}", **(fields or {})}
        if body is not None:
            fields["Content-Type"] = "application/json"
        text = None if body is None else json.dumps(body)
        connection.request(method, f"/v1/users/{uid or self.uid}{path}", text, fields)
        return connection.getresponse()

    def tell(self, method, path, body=None, uid=None, **fields):
        """The status, the ETag and the decoded body of an answer."""
        connection = self.connect()
        answer = self.ask(connection, method, path, body, {k.replace("_", "-"): v for k, v in fields.items()}, uid)
        text = answer.read()
        connection.close()
        return answer.status, answer.getheader("ETag"), json.loads(text) if text else None


def write(functions, door):
    """Writes by both doors, well and badly; returns what came of it, by name."""
    milk = functions.add(content="우유 사기 🥛", date="2026-11-20", id="milk")
    functions.call("update", "milk", json.dumps({"status": "complete"}), milk["revision"])
    status, tag, bread = door.tell("POST", "/todos", {"content": "\"Bread\" \\ butter\u2009& jam", "date": "2026-11-21"})
    path = f"/todos/{bread['id']}"
    moved, _, _ = door.tell("PATCH", path, {"date": "2026-12-01"}, If_Match=tag)
    late, _, problem = door.tell("PATCH", path, {"date": "2026-12-02"}, If_Match=tag)
    functions.add(content="e\u0301 is not \u00e9", date="2026-02-28", detail="two\nlines\tand a tab", position=0.5, time="09:30")
    gone = functions.add(content="not for long", date="2026-11-20")
    removed, _, _ = door.tell("DELETE", f"/todos/{gone['id']}")
    return {
        "posted": status, "patched": moved, "late": late, "current": problem["current"]["date"], "deleted": removed,
        "stranger": door.tell("DELETE", "/todos/milk", uid="somebody-else")[0],
        "no day": door.tell("POST", "/todos", {"content": "x", "date": "2026-02-29"})[0],
        "refusals": [
            functions.refusal("add", '{"content":"x","date":"2026-02-29"}'),
            functions.refusal("add", '{"content":"another","date":"2026-11-20","id":"milk"}'),
            functions.refusal("update", "milk", '{"status":"todo"}', "1"),
            functions.refusal("remove", "no-such"),
            functions.refusal("since", "1-1"),
            functions.refusal("list", "yesterday", "today"),
        ],
    }


def folded(events):
    """What a reader of an event stream knows at its end."""
    todos = {}
    for event in events:
        data = json.loads(event["data"])
        if event["event"] == "snapshot":
            todos = {todo["id"]: todo for todo in data["todos"]}
        elif event["event"] == "removed":
            todos.pop(data["todo"]["id"], None)
        else:
            todos[data["todo"]["id"]] = data["todo"]
    return todos


def main(socket, port, secret, uid, last):
    functions = Functions(socket, uid)
    door = Door(port, secret, uid, *functions.begin_session())
    subscriber, stream = Subscriber(functions), EventStream(door)
    for follower in (subscriber, stream):
        follower.start()
    # The stream's snapshot: what is written from now on comes as changes.
    stream.arrived.get(timeout=PATIENCE)
    print("ready", flush=True)
    outcome = write(functions, door)
    for follower in (subscriber, stream):
        while follower.arrived.get(timeout=PATIENCE) < int(last):
            pass

    listed = json.loads(functions.call("list"))
    # A reader that was away comes back with the id of the third change, and is told all that came after.
    third = json.loads(subscriber.messages[2])["id"]
    again = EventStream(door, last=third)
    again.start()
    while again.arrived.get(timeout=PATIENCE) < int(last):
        pass
    changes = [event for event in stream.events if event["event"] != "snapshot"]
    print(json.dumps({
        "outcome": outcome,
        "subscribed": subscriber.messages,
        "streamed": [event["data"] for event in changes],
        "named": all(
            event["id"] == json.loads(event["data"])["id"] and event["event"] == json.loads(event["data"])["type"]
            for event in changes
        ),
        "resumed": [event["data"] for event in again.events],
        "since": functions.call("since", third),
        "folded": folded(stream.events) == {todo["id"]: todo for todo in listed["todos"]},
        "listed": listed["todos"],
        "over http": {todo["id"]: todo for todo in door.tell("GET", "/todos")[2]["todos"]}
        == {todo["id"]: todo for todo in listed["todos"]},
        "latest": functions.call("latest") == listed["id"],
    }))


if __name__ == "__main__":
    main(*sys.argv[1:])
