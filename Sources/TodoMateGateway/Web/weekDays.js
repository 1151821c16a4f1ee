// What I have finished of late. A todo counts for its own day, whenever it was finished: so all who read count alike.
import { addDays } from './dates.js';

const LENGTH = 7;
export const LONGEST = 366;

const finished = (days, day) => (days.get(day) ?? []).filter(({ status, isOnlyShown }) => status === 'complete' && !isOnlyShown);

/** On how many days in a row something is finished: up to today, or up to yesterday while today has nothing yet; 366 at most. */
export function streakOf(days, today) {
  const isFinished = (day) => finished(days, day).length > 0;
  let day = isFinished(today) ? today : addDays(today, -1);
  let count = 0;
  while (count < LONGEST && isFinished(day)) {
    count += 1;
    if (addDays(day, -1) === day) break;
    day = addDays(day, -1);
  }
  return count;
}

/** The last seven days, today the last, as `{ date, counts }`: how many todos are finished by goal, '' for none. */
export function weekOf(days, today) {
  const dates = Array.from({ length: LENGTH }, (_, index) => addDays(today, index + 1 - LENGTH));
  return [...new Set(dates)].map((date) => {
    const counts = new Map();
    for (const { goal } of finished(days, date)) counts.set(goal ?? '', (counts.get(goal ?? '') ?? 0) + 1);
    return { date, counts };
  });
}
