"""How long a search through a user's todos takes, and how long each of its calls holds Redis.

usage: search.py REDIS-PORT PORT TOKEN USER TODOS

Writes that many todos to Redis, half of them in Korean; the functions take 50,000 of a user. Then it searches through all of them,
over HTTP, and prints a line of JSON: `held_us` is the longest that one call of the function took, `wall_ms` the whole search,
`floor_ms` as long as reading the same todos takes a client that does nothing with them, by HMGET, in parts of as many.
"""
import datetime
import http.client
import json
import socket
import sys
import time
import urllib.parse

PART = 1000
WORDS = ["Buy oat milk and bread for the weekend", "주말에 먹을 우유와 빵을 사고 은행에 들르기"]
DETAIL = ["the shop at the corner closes at eight, take bags", "모퉁이 가게는 여덟 시에 닫습니다, 장바구니 챙기기"]


class Redis:
    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.file = self.socket.makefile("rb")

    def send(self, *words):
        texts = [word if isinstance(word, bytes) else str(word).encode() for word in words]
        self.socket.sendall(b"*%d\r\n" % len(texts) + b"".join(b"$%d\r\n%s\r\n" % (len(text), text) for text in texts))

    def read(self):
        line = self.file.readline()
        kind, rest = line[:1], line[1:-2]
        if kind == b"-":
            raise RuntimeError(rest.decode())
        if kind == b"$":
            return None if rest == b"-1" else self.file.read(int(rest) + 2)[:-2]
        if kind == b"*":
            return [self.read() for _ in range(int(rest))]
        return int(rest) if kind == b":" else rest

    def ask(self, *words):
        self.send(*words)
        return self.read()


def todo(user, number, more):
    day = datetime.date(2021, 1, 1) + datetime.timedelta(days=number // 50)
    which = number % 2
    content = f"{WORDS[which]} {number:06}" + more
    return f"t{number:06}", day, (
        f'{{"id":"t{number:06}","uid":"{user}","date":"{day}","content":"{content}","detail":"{DETAIL[which]}","status":"todo",'
        f'"position":{number + 1},"revision":{number + 1},"micros":{1700000000000000 + number},"createdAt":"2026-11-20T09:00:00Z",'
        f'"updatedAt":"2026-11-20T09:00:00Z","visibility":"followers"}}'
    )


def fill(redis, user, count, more):
    key = f"todomate:{{{user}}}"
    redis.ask("DEL", f"{key}:todos", f"{key}:days", f"{key}:log")
    for first in range(0, count, PART):
        fields, scores = [], []
        for number in range(first, min(first + PART, count)):
            id, day, text = todo(user, number, more)
            fields += [id, text]
            scores += [day.strftime("%Y%m%d"), id]
        redis.ask("HSET", f"{key}:todos", *fields)
        redis.ask("ZADD", f"{key}:days", *scores)
    redis.ask("XADD", f"{key}:log", f"{count}-1763677123456789", "beginning", "")


def floor(redis, user, count):
    began = time.perf_counter()
    for first in range(0, count, PART):
        ids = redis.ask("ZRANGE", f"todomate:{{{user}}}:days", first, first + PART - 1, "REV")
        redis.ask("HMGET", f"todomate:{{{user}}}:todos", *ids)
    return (time.perf_counter() - began) * 1000


def search(connection, token, user, words, whole):
    """How long it took, and how many were looked at."""
    began, looked, found, place = time.perf_counter(), 0, 0, None
    while True:
        query = {"words": words} | ({"after": place} if place else {})
        connection.request("GET", f"/v1/users/{user}/search?{urllib.parse.urlencode(query)}", headers={"Authorization": f"Bearer {token}"})
        answer = connection.getresponse()
        text = answer.read()
        if answer.status != 200:
            raise RuntimeError(text.decode())
        part = json.loads(text)
        looked += part["looked"]
        found += len(part["todos"])
        place = part.get("next")
        if not place or not whole:
            return (time.perf_counter() - began) * 1000, looked, found


def main():
    redis_port, port, token, user, count = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4], int(sys.argv[5])
    redis = Redis(redis_port)
    redis.ask("CONFIG", "SET", "slowlog-max-len", 100000)
    connection = http.client.HTTPConnection("127.0.0.1", port)
    result = {}
    for name, more, words, whole in (
        ("nowhere", "", "nothing has these", True), ("first", None, "우유", False), ("one", None, "bread 000000", True),
        ("accents", " – café", "nothing has these", True), ("greek", " Αθήνα", "nothing has these", True),
    ):
        if more is not None:
            fill(redis, user, count, more)
            result[f"{name}_floor_ms"] = floor(redis, user, count)
        redis.ask("CONFIG", "SET", "slowlog-log-slower-than", 0)
        redis.ask("SLOWLOG", "RESET")
        took, looked, found = search(connection, token, user, words, whole)
        redis.ask("CONFIG", "SET", "slowlog-log-slower-than", -1)
        held = [entry[2] for entry in redis.ask("SLOWLOG", "GET", -1) if entry[3][1:2] == [b"todomate_search"]]
        if whole and (looked != count or found != (name == "one")):
            raise RuntimeError(f"{name}: {found} found among {looked} of {count}")
        result |= {f"{name}_ms": took, f"{name}_held_us": max(held), f"{name}_calls": len(held), f"{name}_redis_ms": sum(held) / 1000}
    print(json.dumps(result, separators=(",", ":")))


if __name__ == "__main__":
    main()
