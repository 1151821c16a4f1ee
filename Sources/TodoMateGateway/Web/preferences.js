// What the account says of language, time zone and first day of the week, where it says anything: it goes before the browser.
import { useZone } from './dates.js';
import { fetched } from './later.js';
import { choose, current, startWeeksOn } from './words.js';

/** Lets the page follow what the account says. */
export function follow({ language, timeZone, weekStart }, model) {
  useZone(timeZone);
  const isOther = startWeeksOn(weekStart);
  if (language && language !== current()) {
    fetched(() => choose(language).then(() => model.emit('language')), model);
  } else if (isOther) {
    model.emit('week');
  }
  model.turnOver();
}
