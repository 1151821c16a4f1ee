// What the page does for the time without a network: this part comes once the page shows, or at once where something was kept.
import './shared.js';
import './offlineWords.js';
import { isPossible, open } from './kept.js';

export { Base } from './base.js';
export { Relay } from './relay.js';

let opened;
/** Promises what is kept here; null where a browser keeps nothing. */
export const keeper = () => (opened ??= open().catch(() => null));

const SYNC = 'todomate.writes';
const HOUR = 3600000;
let isInstalled = false;

/** Whether all tabs can share one stream. */
export const isShared = isPossible();

/** Lets the browser keep the page, and says by `isOld()` that a newer version of it is there. */
export async function install(isOld) {
  const { serviceWorker } = navigator;
  // Only over TLS or from this machine.
  if (!serviceWorker || isInstalled) return;
  isInstalled = true;
  const own = new URL(import.meta.url).pathname;
  serviceWorker.addEventListener('message', ({ data }) => { if (data.parts && !data.parts.includes(own)) isOld(); });
  serviceWorker.startMessages?.();
  try {
    const registration = await serviceWorker.register('/worker.js');
    // A page that stays open for days learns of a newer one, too.
    setInterval(() => registration.update().catch(() => {}), HOUR);
    // What waits in an app is not for the browser to throw away; elsewhere some would ask, and nobody knows why.
    if (matchMedia('(display-mode: standalone)').matches) navigator.storage?.persist?.();
  } catch { /* a browser that allows none opens the page from the network alone */ }
}

/** Has what waits sent once there is a network, with or without a tab, where browsers can. */
export async function sendLater() {
  try {
    const registration = await navigator.serviceWorker?.ready;
    await registration?.sync?.register(SYNC);
  } catch { /* it is sent when the page opens next */ }
}
