"""How what waits is sent: few todos at a time, and none while the server wants no request."""
from modules import run_with
from world import Scenario, main

# A server that wants no request for so many seconds, while the device's clock is put back: how often it is asked after a write, once the
# network is back, after another write, and when the time is over; and for how long the page means to wait.
HELD = """return (async (status, said, seconds) => {
  const [real, { fetch: realFetch, Date: { now } }] = [setTimeout, globalThis];
  let [asked, ahead, waits] = [0, 0, []];
  performance.now = () => Performance.prototype.now.call(performance) + ahead;
  globalThis.setTimeout = (act, time) => { waits.push(time); return waits.length; };
  globalThis.fetch = async () => {
    asked += 1;
    return new Response('{"type":"urn:todomate:problem:busy"}', { status, headers: { 'Retry-After': said } });
  };
  const writes = new Map();
  const store = { writes, isLoaded: true, get unsaved() { return [...writes.values()].flat(); }, tag() {}, hold: (write) => writes.set(write.id, [write]), note() {} };
  const shelf = { isLasting: true, add: async () => null, take: async (id) => writes.get(id)[0], all: async () => ({ writes: [], parked: [] }) };
  const hooks = { waiting() {}, kept() {}, caughtUp() {}, signedOut() {}, isLive: () => true, isTold: () => false };
  const writer = new made.Writer('u', store, { drafts: null, journal: { writes: [], put() {}, take() {} }, shelf }, hooks);
  const write = (id) => writer.write({ kind: 'patch', id, fields: { content: 'typed' } });
  const seen = [];
  await write('t');
  const turn = () => new Promise((resume) => { real(resume, 5); });
  while (!writer.isHeld) await turn();
  Date.now = () => now() - 7200000;
  seen.push(asked);
  dispatchEvent(new Event('online'));
  seen.push(asked);
  await write('other');
  seen.push(asked);
  const longest = Math.max(...waits);
  ahead = 1000 * seconds + 1000;
  dispatchEvent(new Event('online'));
  for (let turns = 0; asked < 3 && turns < 200; turns += 1) await turn();
  seen.push(asked);
  writer.stop();
  Object.assign(globalThis, { setTimeout: real, fetch: realFetch });
  Date.now = now;
  delete performance.now;
  return [seen, Math.ceil(longest / 1000)];
})(...arguments);
"""
# So many todos wait, and the server, where it is there, answers once four are under way, or all that are left; for the first, a proxy
# does. How many arrived, how many were under way at a time, after how many others the first was tried, and how many were asked for in
# the first round and in both.
MANY = """return (async (count, away) => {
  const realFetch = globalThis.fetch;
  const [writes, arrived, tried] = [new Map(), new Set(), []];
  let [underWay, most, asked, held] = [0, 0, 0, []];
  globalThis.fetch = async (path, { body }) => {
    const { id } = JSON.parse(body);
    most = Math.max(most, underWay += 1);
    asked += 1;
    const answer = new Promise((resume) => { held.push(resume); });
    // A fifth would begin meanwhile.
    if (underWay >= Math.min(4, count - arrived.size)) setTimeout(() => { for (const resume of held.splice(0)) resume(); }, 2);
    await answer;
    underWay -= 1;
    if (away) return new Response('{"type":"urn:todomate:problem:unavailable"}', { status: 503, headers: away });
    if (id === '0') {
      tried.push(arrived.size);
      return new Response('<h1>No</h1>', { status: 403 });
    }
    arrived.add(id);
    return new Response(JSON.stringify({ id, revision: 1 }), { status: 201 });
  };
  const store = {
    writes, isLoaded: true, get unsaved() { return [...writes.values()].flat(); }, hold: (write) => writes.set(write.id, [write]), note() {},
    settled: ({ id }) => writes.delete(id), replace() {},
  };
  const kept = Array.from({ length: count }, (_, number) => ({ kind: 'add', id: `${number}`, ops: [`o${number}`], todo: { id: `${number}` } }));
  const shelf = {
    isLasting: true, take: async (id) => writes.get(id)?.[0], all: async () => ({ writes: kept, parked: [] }), settle: async () => {},
  };
  const hooks = { waiting() {}, kept() {}, caughtUp() {}, signedOut() {}, isLive: () => true, isTold: () => false };
  const writer = new made.Writer('u', store, { drafts: { get() {}, set() {} }, journal: { writes: [], put() {}, take() {} }, shelf }, hooks);
  // Whoever drives it says when it tries again.
  writer.schedule = () => {};
  await writer.restore();
  const over = async () => { while (writer.busy.size) await new Promise((resume) => { setTimeout(resume, 2); }); };
  await over();
  const first = asked;
  writer.retry();
  await over();
  writer.stop();
  globalThis.fetch = realFetch;
  return [arrived.size, most, tried, first, asked];
})(...arguments);
"""
# The service worker, with a network, where this waits of a user: how often the server that answers so was asked, and whether the browser
# is to try again, with all or with this todo `alone`; at once, a minute later, and then with a clock that was put back. It sends nothing where no request is wanted.
WORKER = """return (async (status, body, headers, alone) => {
  const { fetch: realFetch, Date: { now } } = globalThis;
  let [asked, ahead] = [0, 0];
  Date.now = () => now() + ahead;
  globalThis.fetch = async (path, request) => {
    asked += 1;
    const { id } = JSON.parse(request.body);
    return alone && id !== alone ? new Response(JSON.stringify({ id, revision: 1 }), { status: 201 }) : new Response(body, { status, headers });
  };
  const kept = await made.open();
  const shelf = await kept.begin('u', { signIn: true });
  for (const id of ['a', 'b', 'c', 'd', 'e']) await shelf.add({ kind: 'add', id, ops: [id], todo: { id, content: id } });
  const seen = [];
  const sync = async () => {
    let sent;
    dispatchEvent(Object.assign(new Event('sync'), { tag: 'todomate.writes', waitUntil: (promise) => { sent = promise; } }));
    seen.push([await sent.then(() => false, () => true), asked]);
  };
  await sync();
  await sync();
  ahead = 61000;
  await sync();
  ahead = -7200000;
  await sync();
  const { writes } = await shelf.all();
  await kept.forget('u');
  kept.database.close();
  Object.assign(globalThis, { fetch: realFetch });
  Date.now = now;
  return [seen, writes.length];
})(...arguments);
"""

# A version of the page of which a part does not come: whether it is installed, and whether anything of it is kept.
INSTALL = """return (async () => {
  const realFetch = globalThis.fetch;
  globalThis.fetch = async () => new Response('', { status: 503 });
  let kept;
  dispatchEvent(Object.assign(new Event('install'), { waitUntil: (promise) => { kept = promise; } }));
  const isInstalled = await kept.then(() => true, () => false);
  globalThis.fetch = realFetch;
  return [isInstalled, await caches.has('todomate.page.1')];
})();
"""


class Sending(Scenario):
    secret = None

    def setUp(self):
        super().setUp()
        self.page = self.board()

    def test_a_version_that_does_not_come_whole_leaves_nothing(self):
        self.assertEqual(run_with(self.page, "worker", INSTALL), [False, False])

    def test_for_how_long_a_server_wants_no_request(self):
        look = "return new made.Refusal(503, {}, new Headers(arguments[0])).retryAfter"
        for said, date, seconds in (
            ("0", None, 0), ("60", None, 60), ("2147484", None, 3600), ("9" * 400, None, 3600),
            # Until when, by the server's clock.
            ("Thu, 26 Nov 2026 12:01:30 GMT", "Thu, 26 Nov 2026 12:00:00 GMT", 90),
            ("Thu, 26 Nov 2026 11:59:00 GMT", "Thu, 26 Nov 2026 12:00:00 GMT", 0),
            ("Fri, 27 Nov 2026 12:00:00 GMT", "Thu, 26 Nov 2026 12:00:00 GMT", 3600),
            # By one's own.
            ("Tue, 01 Jan 2199 00:00:00 GMT", None, 3600), ("Thu, 01 Jan 1970 00:00:00 GMT", None, 0),
            ("-5", None, 0), ("Infinity", None, 0), ("soon", None, 0), ("", None, 0), (None, None, 0),
        ):
            headers = {name: value for name, value in (("Retry-After", said), ("Date", date)) if value is not None}
            self.assertEqual(run_with(self.page, "api", look, headers), seconds, headers)

    def test_a_server_is_left_alone_for_as_long_as_it_says(self):
        for status, said, seconds in ((429, "60", 60), (503, "60", 60), (503, "2147484", 3600)):
            self.assertEqual(run_with(self.page, "writer", HELD, status, said, seconds), [[1, 1, 1, 3], seconds], (status, said))

    def test_many_todos_that_wait_are_sent_few_at_a_time(self):
        """One that is refused on the way has its turn after the others."""
        arrived, most, (early, late), first, asked = run_with(self.page, "writer", MANY, 300, None)
        self.assertEqual((arrived, most, late, asked), (299, 4, 299, 301))
        # What was under way then, and no more.
        self.assertLess(early, 8)
        self.assertLess(first, 8)

    def test_many_todos_that_wait_are_not_sent_to_a_server_that_is_away(self):
        for away, both in (({"Retry-After": "60"}, 4), ({}, 8)):
            self.assertEqual(run_with(self.page, "writer", MANY, 300, away), [0, 4, [], 4, both], away)

    def test_the_service_worker_leaves_a_server_alone(self):
        """It stops at the first answer that will be another one later, also when it is asked to try again."""
        busy, waits = '{"type":"urn:todomate:problem:busy"}', {"Retry-After": "60"}
        for status, body, headers, seen in (
            (429, busy, waits, [[True, 1], [True, 1], [True, 2], [True, 3]]),
            (503, "<h1>Away</h1>", waits, [[True, 1], [True, 1], [True, 2], [True, 3]]),
            (503, busy, {}, [[True, 1], [True, 2], [True, 3], [True, 4]]),
            (407, "<h1>Your name?</h1>", {}, [[True, 1], [True, 2], [True, 3], [True, 4]]),
            (403, "<h1>Not now</h1>", waits, [[True, 1], [True, 1], [True, 2], [True, 3]]),
            # Whoever has signed out has to come back first.
            (401, '{"type":"urn:todomate:problem:unauthenticated"}', {}, [[False, 1], [False, 2], [False, 3], [False, 4]]),
        ):
            # No other worker listens.
            self.page.refresh()
            self.assertEqual(run_with(self.page, "worker kept", WORKER, status, body, headers), [seen, 5], (status, body))

    def test_the_service_worker_goes_on_where_one_is_disliked(self):
        """By somebody on the way, or as its todo is broken; who dislikes three in a row dislikes all."""
        page, broken = "<h1>Not this</h1>", '{"type":"urn:todomate:problem:broken"}'
        one, all_of_them = [[True, 5], [True, 6], [True, 7], [True, 8]], [[True, 3], [True, 6], [True, 9], [True, 12]]
        for status, body, alone, seen, left in (
            (403, page, "a", one, 1), (403, page, None, all_of_them, 5), (500, broken, "a", one, 1), (500, broken, None, all_of_them, 5),
        ):
            self.page.refresh()
            self.assertEqual(run_with(self.page, "worker kept", WORKER, status, body, {}, alone), [seen, left], (status, alone))


if __name__ == "__main__":
    main()
