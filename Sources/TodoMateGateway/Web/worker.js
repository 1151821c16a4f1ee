// The service worker: keeps the page on the device, so that it opens without a network, and sends what was written there when no tab
// is left to do so. Of the interface's answers it keeps none: they are somebody's, and no cache knows whose.

import { open } from './kept.js';
import * as refusing from './refusing.js';
import { send } from './sender.js';
import { Shelf } from './shelf.js';

/* global PARTS */ // All files of this version that never change, put here by the packer; one of them is a copy of the page.
const PAGE = PARTS.find((path) => path.endsWith('.html'));
const PREFIX = 'todomate.page.';
const CACHE = PREFIX + PAGE.match(/page-(.+)\.html$/)[1];
const PATIENCE = 3000;
const SYNC = 'todomate.writes';

addEventListener('install', (event) => event.waitUntil(keep()));
addEventListener('activate', (event) => event.waitUntil(takeOver()));
addEventListener('sync', (event) => { if (event.tag === SYNC) event.waitUntil(sendAll()); });
addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin || request.method !== 'GET') return;
  if (request.mode === 'navigate' && pathname === '/') event.respondWith(page(request));
  else if (pathname.startsWith('/parts/')) event.respondWith(part(request));
});

// All or nothing: a server that has become another one meanwhile has not all of them, and the next visit tries again.
async function keep() {
  const kept = await caches.has(CACHE) ? (await (await caches.open(CACHE)).keys()).map(({ url }) => new URL(url).pathname) : [];
  const missing = PARTS.filter((path) => !kept.includes(path));
  const answers = await Promise.all(missing.map(whole));
  // Not before: an empty one would pass for the version before the next.
  const cache = await caches.open(CACHE);
  await Promise.all(missing.map((path, index) => cache.put(path, answers[index])));
  await skipWaiting();
}

const TYPES = { js: 'text/javascript', css: 'text/css', html: 'text/html', svg: 'image/svg+xml' };

// A part, and not what somebody on the way says in its place, such as the page of a sign-in before this one: it would stay for ever.
async function whole(path) {
  const answer = await fetch(path, { redirect: 'error' });
  const type = TYPES[path.split('.').pop()] ?? '';
  if (!answer.ok || !(answer.headers.get('Content-Type') ?? '').startsWith(type)) throw new TypeError(`${path} is not what it was to be`);
  return answer;
}

// Pages of the version before go on with its parts until they are reloaded; there are never more than two versions.
async function takeOver() {
  const others = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
  await clients.claim();
  for (const client of await clients.matchAll({ type: 'window' })) client.postMessage({ parts: PARTS });
}

// The server's page, for it may be newer; where it does not come, the one that is kept. (No preload by the browser: it would ask twice
// for what is not answered here, such as for the way back from a provider, which is good once.)
async function page(request) {
  const fresh = fetch(request);
  const late = new Promise((resume) => { setTimeout(resume, PATIENCE); });
  const answer = await Promise.race([fresh.catch(() => {}), late]);
  if (answer && isOurs(answer)) return answer;
  return await caches.match(PAGE, { cacheName: CACHE }) ?? fresh;
}

// There is always a page: what says otherwise stands before a server that is away. A sign-in before this one is let through.
const isOurs = ({ ok, type, status }) => ok || type === 'opaqueredirect' || status === 401 || status === 403;

const part = async (request) => await caches.match(request, { ignoreVary: true }) ?? fetch(request);

// Somebody on the way dislikes this one, perhaps for its words, or its todo is broken there, and that may last: the others are not to
// wait for it.
const isOfOne = ({ status, kind, retryAfter }) =>
  kind ? status === 500 : status >= 400 && status < 500 && !retryAfter && ![401, 407, 408, 429].includes(status);

// Who dislikes so many in a row dislikes all.
const MOST_DISLIKED = 3;

// The network is back: sends what no tab is sending, and tells those that show it.
async function sendAll() {
  const kept = await open();
  let [isLeft, isAway] = [false, false];
  for (const { uid, visit, door } of await kept.users()) {
    const shelf = new Shelf(kept, uid, visit, door.signIn);
    const news = new BroadcastChannel(`todomate.writes.${uid}`);
    const hooks = { isOver: () => false, refusing: async () => refusing };
    for (const name of ['settled', 'replaced', 'parked']) hooks[name] = (...values) => news.postMessage([name, ...values]);
    let disliked = 0;
    const { writes } = await shelf.all();
    for (const id of new Set(writes.map((write) => write.id))) {
      const refusal = await send(uid, id, shelf, hooks, false);
      if (!refusal) {
        disliked = 0;
        continue;
      }
      isLeft ||= refusal.isPassing;
      disliked += 1;
      if (isOfOne(refusal) && disliked < MOST_DISLIKED) continue;
      // Whoever has signed out has to come back first; where nobody answers, the others would hear the same.
      isAway = refusal.isPassing;
      break;
    }
    news.close();
    if (isAway) break;
  }
  // The browser tries again.
  if (isLeft) throw new Error('the server does not answer yet');
}
