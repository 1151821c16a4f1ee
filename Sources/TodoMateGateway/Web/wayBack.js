// The browser's Back leads from another day, the month, the feed and people to today's list, and from there out of the page: on a phone
// people go back by it.

// Each sign-in brings the part anew.
let isLed = false;

/**
 * Lets Back, and what a phone has for it, do that. However far one goes, what is elsewhere is one entry of the browser's history;
 * `shutSheets()` closes what is open above the page.
 */
export function leadBack(model, shutSheets) {
  if (isLed) return;
  isLed = true;
  let [isReturning, timer] = [false, null];
  const isAway = () => model.view !== 'today' || model.day !== model.today;
  const settle = () => {
    timer = null;
    // An entry that is to go is there until the browser says that it is not.
    if (model.place !== 'board' || isReturning) return;
    const isNoted = Boolean(history.state?.isAway);
    // Whoever comes back comes to the beginning of today's list, not to where the page stood when they left it.
    history.scrollRestoration = isAway() || isNoted ? 'manual' : 'auto';
    if (isAway() === isNoted) return;
    isReturning = isNoted;
    if (isReturning) history.back();
    else history.pushState({ isAway: true }, '');
  };
  // Once what was clicked is painted: it is not to wait for that.
  const soon = () => { timer ??= requestAnimationFrame(() => setTimeout(settle)); };
  addEventListener('popstate', () => {
    if (!isReturning && model.place === 'board' && !history.state?.isAway && isAway()) {
      shutSheets();
      model.openDay(model.today);
      model.openView('today');
      document.getElementById('day-title').focus();
    }
    isReturning = false;
    soon();
  });
  model.on('place view day today', soon);
  soon();
}
