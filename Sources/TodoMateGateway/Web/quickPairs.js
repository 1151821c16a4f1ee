// What one part of the day says of two things: `tonight at 7` names a day, and which 7. The rules are those of `DayPartWords.swift`.
import { dayOf } from './quickDays.js';
import { ruleOf } from './quickRules.js';
import { partIn, timeOf } from './quickTimes.js';

/** A day or a rule with a part of the day, and a time in it, in either order: `tonight at 7`, 오늘밤 9시; nothing where they are none. */
export function pairOf(phrase, today) {
  if (!phrase.some(partIn)) return undefined;
  for (let count = 1; count < phrase.length; count += 1) {
    const parts = [phrase.slice(0, count).join(' '), phrase.slice(count).join(' ')];
    for (const [at, named] of parts.entries()) {
      const { part, ...days } = daysWithPart(named, today);
      const time = part && timeOf(parts[1 - at], part);
      if (!time) continue;
      const pair = [{ words: named, ...days }, { words: parts[1 - at], time }];
      return at ? pair.reverse() : pair;
    }
  }
  return undefined;
}

function daysWithPart(said, today) {
  if (said === 'tonight') return { day: today, part: said };
  const [, days, part] = said.match(/^(.+) (morning|afternoon|evening|night)$/)
    ?? said.match(/^([^ ]+)(새벽|아침|점심|낮|저녁|밤)에?$/) ?? [];
  if (days === 'this' || days === 'every') return days === 'this' ? { day: today, part } : { rule: 'FREQ=DAILY', part };
  const [day, rule] = part ? [dayOf(days, today), ruleOf(days)] : [];
  return { ...(day ? { day, part } : rule && { rule, part }) };
}
