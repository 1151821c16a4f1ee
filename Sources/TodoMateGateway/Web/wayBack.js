// The browser's Back leads to today's own list first, and away from the page only from there: on a phone people go back by it.

// Each sign-in brings the part anew.
let isLed = false;

/** Lets Back, and what a phone has for it, do that. However far one goes, what is elsewhere is one entry of the browser's history. */
export function leadBack(model) {
  if (isLed) return;
  isLed = true;
  let [isReturning, timer] = [false, null];
  const isAway = () => model.view !== 'today' || model.day !== model.today;
  const settle = () => {
    timer = null;
    // An entry that is to go is there until the browser says that it is not.
    if (model.place !== 'board' || isReturning || isAway() === Boolean(history.state?.isAway)) return;
    isReturning = !isAway();
    if (isReturning) history.back();
    else history.pushState({ isAway: true }, '');
  };
  // Once what was clicked shows: it is not to wait for that.
  const soon = () => { timer ??= setTimeout(settle); };
  addEventListener('popstate', () => {
    if (!isReturning && model.place === 'board' && !history.state?.isAway && isAway()) {
      model.openDay(model.today);
      model.openView('today');
    }
    isReturning = false;
    soon();
  });
  model.on('place view day today', soon);
  soon();
}
