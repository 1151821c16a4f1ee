// What was shown last in my list, and what has the focus there, stays in sight. Alone on a phone the composer lies over the page that
// scrolls, and everywhere the messages stand above it.
const composer = document.getElementById('composer');
let shown = null;
let messages = 0;

// How far it reaches under the composer, or the messages where they stand there.
function under(part) {
  const above = document.body.matches('.toasts-apart') ? 0 : messages;
  return part.getBoundingClientRect().bottom - composer.getBoundingClientRect().top + above;
}

// How far it begins below the upper edge of what is in sight.
function below(part) {
  return part.getBoundingClientRect().top - Math.max(0, part.closest('.list-area').getBoundingClientRect().top);
}

const isInSight = (part) => Boolean(part?.isConnected && part.closest('.today .list-area')) && below(part) > -1 && under(part) < 1;

/** Scrolls no further than it takes to see all of this part of my list, or as much as there is room for from its beginning on. */
export function bring(part) {
  part.scrollIntoView({ block: 'nearest' });
  const hidden = Math.min(under(part), below(part));
  if (hidden > 0) scrollBy({ top: hidden, behavior: 'instant' });
}

/** Shows a row that is to stay in sight, until whoever reads scrolls it away. */
export function show(row) {
  shown = row;
  bring(row);
}

/** Does what may take room from my list. */
export function keepInSight(change) {
  const kept = [document.activeElement, shown].filter(isInSight);
  change();
  for (const part of kept) if (part.isConnected) bring(part);
}

/** Messages take so many pixels above the composer, for which `change()` makes room. */
export function makeRoom(height, change) {
  keepInSight(() => {
    messages = height;
    change();
  });
}
