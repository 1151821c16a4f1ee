// Asks for what the page begins with, while most of the page is still on its way.
const GOOD_FOR = 10000;
const answers = new Map();

// Not every browser runs this before the rest: then it has been asked for already.
const isEarly = !globalThis.takeEarly;

// Whether the page itself asks by now.
let hasBegun = false;

// For api.js: the answer to a request that was made early, once; later it would be old. Not by an import, for which this would be in
// a part that comes later.
globalThis.takeEarly ??= (path) => {
  const answer = answers.get(path);
  answers.delete(path);
  hasBegun = true;
  return performance.now() < GOOD_FOR ? answer : undefined;
};

// As the page's link preloads it, or Firefox asks twice: `no-store` is for the server to say.
const ask = (path) => {
  const answer = fetch(path, { signal: AbortSignal.timeout(30000) });
  answers.set(path, answer);
  return answer;
};

async function begin() {
  // A link's ticket is for somebody who may not be here yet.
  const named = location.hash.slice(1);
  if (named.includes('=')) return;
  const { signIn, uid = signIn ? '' : decodeURIComponent(named), leaving } = await ask('/v1/session').then((door) => door.clone().json());
  if (!/^[A-Za-z0-9._@-]{1,64}$/.test(uid) || leaving || hasBegun) return;
  const user = `/v1/users/${encodeURIComponent(uid)}`;
  // The list first: the stream goes on from it, so that what is read after it is at least as new.
  await ask(`${user}/todos`);
  ask(`${user}/profile`).catch(() => {});
  ask(`${user}/following`).catch(() => {});
}

// Whoever takes the answer learns that there is none.
if (isEarly) begin().catch(() => {});
