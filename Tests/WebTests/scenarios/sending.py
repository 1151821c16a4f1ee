"""How what waits is sent: none of it while the server wants no request."""
from modules import run_with
from world import Scenario, main

# A server that wants no request for a minute: how often it is asked after a write, once the network is back, after another write, and
# when the minute is over; and for how long the page means to wait.
HELD = """return (async (status) => {
  const [real, { fetch: realFetch, Date: { now } }] = [setTimeout, globalThis];
  let [asked, ahead, waits] = [0, 0, []];
  Date.now = () => now() + ahead;
  globalThis.setTimeout = (act, time) => { waits.push(time); return waits.length; };
  globalThis.fetch = async () => {
    asked += 1;
    return new Response('{"type":"urn:todomate:problem:busy"}', { status, headers: { 'Retry-After': '60' } });
  };
  const writes = new Map();
  const store = { writes, get unsaved() { return [...writes.values()].flat(); }, tag() {}, hold: (write) => writes.set(write.id, [write]), note() {} };
  const shelf = { isLasting: true, add: async () => null, take: async (id) => writes.get(id)[0], all: async () => ({ writes: [], parked: [] }) };
  const hooks = { waiting() {}, caughtUp() {}, signedOut() {}, isLive: () => true, isTold: () => false };
  const writer = new made.Writer('u', store, { drafts: null, journal: { writes: [], put() {}, take() {} }, shelf }, hooks);
  const write = (id) => writer.write({ kind: 'patch', id, fields: { content: 'typed' } });
  const seen = [];
  await write('t');
  const turn = () => new Promise((resume) => { real(resume, 5); });
  while (!writer.isHeld) await turn();
  seen.push(asked);
  dispatchEvent(new Event('online'));
  seen.push(asked);
  await write('other');
  seen.push(asked);
  const longest = Math.max(...waits);
  ahead = 61000;
  dispatchEvent(new Event('online'));
  while (asked < 3) await turn();
  writer.stop();
  Object.assign(globalThis, { setTimeout: real, fetch: realFetch });
  Date.now = now;
  return [seen, longest > 59000 && longest <= 60000];
})(...arguments);
"""


class Sending(Scenario):
    secret = None

    def setUp(self):
        super().setUp()
        self.page = self.board()

    def test_a_server_is_left_alone_for_as_long_as_it_says(self):
        for status in (429, 503):
            self.assertEqual(run_with(self.page, "writer", HELD, status), [[1, 1, 1], True], status)


if __name__ == "__main__":
    main()
