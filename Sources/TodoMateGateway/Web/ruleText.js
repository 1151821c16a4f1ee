// A rule of a routine with its end, as it is typed where there is nothing else. The rules are those of `RuleText.swift`; one table of
// examples holds for both.
import { endOf, ruleOf as ruleInLine } from './quickRules.js';

const BARE = { __proto__: null, daily: 'every day', weekly: 'every week', monthly: 'every month', weekdays: 'every weekday', weekends: 'every weekend',
  평일: '평일마다', 주말: '주말마다' };
// 금 by itself is gold as well, and Monday one Monday; where there is nothing else they say how often.
const ruleOf = (said) => said && [said, `${said}요일`, BARE[said] ?? `every ${said}`, `매주 ${said}`, `매주 ${said}요일`]
  .map((form) => ruleInLine(form)).find(Boolean);

/**
 * Such as FREQ=DAILY;UNTIL=20261231 for `every day until dec 31`, in which words stand as `said` writes them; nothing where it is none.
 * An end without a year is the next one from the day `from`.
 */
export function ruleIn(typed, from) {
  const words = typed.toLowerCase().replaceAll(',', '').split(/\s+/).filter(Boolean);
  for (let place = words.length; place > 0; place -= 1) {
    const [first, last] = [words.slice(0, place).join(' '), words.slice(place).join(' ')];
    const rule = ruleOf(first);
    if (rule && !last) return rule;
    // Either may stand first.
    const [before, behind] = [ending(first, from), last && ending(last, from)];
    if (rule && behind) return rule + behind;
    if (before && ruleOf(last)) return ruleOf(last) + before;
  }
  return undefined;
}

function ending(said, from) {
  // A date may have its day of the week beside it, which says nothing more.
  const date = said.replace(/^(until|till|til) (?:sun|mon|tue|wed|thu|fri|sat)[a-z]* (?=[a-z0-9]+ [0-9a-z]+)/, '$1 ')
    .replace(/ ?\([일월화수목금토]\)(?=까지$)/, '');
  const day = endOf(date, from);
  if (day) return `;UNTIL=${day.replaceAll('-', '')}`;
  const count = said === 'once' ? 1 : said.match(/^(?:for )?([1-9][0-9]{0,2}) times?$/)?.[1] ?? said.match(/^([1-9][0-9]{0,2})(?:번|회)$/)?.[1];
  return count ? `;COUNT=${count}` : undefined;
}
