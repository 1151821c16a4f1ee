// What the page keeps on this device: the part that does so comes after the first paint, or at once where there is something.
const KEY = 'todomate.kept';
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
export function note(value) {
  try {
    if (value) localStorage.setItem(KEY, value);
    else localStorage.removeItem(KEY);
  } catch { /* a browser that stores nothing keeps nothing either */ }
}

function read() {
  try { return localStorage.getItem(KEY); } catch { return 'no'; }
}
