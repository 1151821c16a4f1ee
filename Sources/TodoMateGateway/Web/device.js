// What the page keeps on this device: the part that does so comes after the first paint, or at once where there is something.
const [KEY, LEFT, NEWEST] = ['todomate.kept', 'todomate.left', 'todomate.newest'];
let part;

/** The module `afterwards.js`; null where it does not come. */
export const afterwards = () => (part ??= import('./afterwards.js').catch(() => null));

/** What is kept, to be read and written; null where this browser keeps nothing. */
export const device = async () => (isKeeping() ? (await afterwards())?.keeper() : null) ?? null;

/** Whether something may be kept from before. */
export const hasKept = () => read() === 'yes';

/** Whether people want anything kept here; they do until they say otherwise. */
export const isKeeping = () => read() !== 'no';

/** Notes it: `yes`, `no`, or nothing where it has been thrown away. */
export const note = (value) => write(KEY, value);

/** Whether somebody has left without the server, which still takes this browser for theirs. */
export const hasLeft = () => read(LEFT) === 'yes';

/** Notes that somebody has left so, or that the server knows it, too. */
export const noteLeft = (isLeft) => write(LEFT, isLeft && 'yes');

/** Whether another session of mine is newer than those that this device was told of; it is told by then. */
export function isNews(uid, { id, made }) {
  const [before, now] = [read(NEWEST) ?? '', `${uid} ${made} ${id}`];
  if (before < now || !before.startsWith(`${uid} `)) write(NEWEST, now);
  return before.startsWith(`${uid} `) && before < now;
}

/** Whoever has left takes that with them. */
export const forgetNews = () => write(NEWEST);

function write(key, value) {
  try {
    if (value) localStorage.setItem(key, value);
    else localStorage.removeItem(key);
  } catch { /* a browser that stores nothing keeps nothing either */ }
}

function read(key = KEY) {
  try { return localStorage.getItem(key); } catch { return 'no'; }
}
