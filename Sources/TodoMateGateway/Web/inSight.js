// What was shown last in my list stays in sight. Alone on a phone the composer lies over the page that scrolls, and everywhere the
// messages stand above it.
const composer = document.getElementById('composer');
let shown = null;
let messages = 0;

// How far it reaches under the composer, or the messages where they stand there.
function under(part) {
  const above = document.body.matches('.toasts-apart') ? 0 : messages;
  return part.getBoundingClientRect().bottom - composer.getBoundingClientRect().top + above;
}

function isInSight(row) {
  if (!row?.isConnected || under(row) >= 1) return false;
  return row.getBoundingClientRect().top > Math.max(0, row.closest('.list-area').getBoundingClientRect().top) - 1;
}

/** Scrolls no further than it takes to see all of this part of my list. */
export function bring(part) {
  part.scrollIntoView({ block: 'nearest' });
  const hidden = under(part);
  if (hidden > 0) scrollBy({ top: hidden, behavior: 'instant' });
}

/** Shows a row that is to stay in sight, until whoever reads scrolls it away. */
export function show(row) {
  shown = row;
  bring(row);
}

/** Messages take so many pixels above the composer, for which `change()` makes room. */
export function makeRoom(height, change) {
  const kept = isInSight(shown) && shown;
  messages = height;
  change();
  if (kept) bring(kept);
}
