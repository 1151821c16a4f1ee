// Rules of routines as a line names them. The rules are those of `RuleWords.swift`.
import { dayOf, weekdayOf } from './quickDays.js';

const DAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
const WORKDAYS = 'WEEKLY;BYDAY=MO,TU,WE,TH,FR';
const WEEKEND = 'WEEKLY;BYDAY=SA,SU';

/** A rule of a routine, such as FREQ=DAILY; nothing where it is none. */
export function ruleOf(said) {
  const plain = { __proto__: null, 'every day': 'DAILY', 'every week': 'WEEKLY', 'every month': 'MONTHLY', 매일: 'DAILY', 날마다: 'DAILY', 매주: 'WEEKLY',
    격주: 'WEEKLY;INTERVAL=2', 매월: 'MONTHLY', 매달: 'MONTHLY', 'every weekday': WORKDAYS, 평일마다: WORKDAYS,
    'every weekend': WEEKEND, 주말마다: WEEKEND };
  const korean = said.replaceAll(' ', '');
  const known = plain[said] ?? plain[korean];
  if (known) return `FREQ=${known}`;
  let match = said.match(/^every (other|[0-9]{1,3}) (day|week|month)s?$/) ?? korean.match(/^([0-9]{1,3})(일|주|개월|달)마다$/);
  if (match) {
    const count = match[1] === 'other' ? 2 : Number(match[1]);
    const unit = { day: 'DAILY', 일: 'DAILY', week: 'WEEKLY', 주: 'WEEKLY', month: 'MONTHLY', 개월: 'MONTHLY', 달: 'MONTHLY' }[match[2]];
    return count ? `FREQ=${unit}${count > 1 ? `;INTERVAL=${count}` : ''}` : undefined;
  }
  match = said.match(/^every ([0-9]{1,2})(?:st|nd|rd|th)(?: of (?:the|each|every) month)?$/);
  if (match) return monthly(1, match[1]);
  match = said.match(/^every (?:(other|[0-9]{1,3}) )?months? on the (?:last day|([0-9]{1,2})(?:st|nd|rd|th))$/);
  if (match) return monthly(match[1] === 'other' ? 2 : match[1] ?? 1, match[2]);
  if (said === 'every last day of the month') return monthly(1);
  match = korean.match(/^(?:매월|매달|([0-9]{1,3})(?:개월|달)마다)(?:말|([0-9]{1,2}))일(?:에|마다)?$/);
  if (match) return monthly(match[1] ?? 1, match[2]);
  match = said.match(/^every (?:(other|[0-9]{1,3}) )?weeks? (?:on )?(.+)$/) ?? said.match(/^every (?:(other) )?(.+)$/);
  if (match) return onDays(match[2].split(' ').filter((word) => word !== 'and' && word !== '&'), match[1] === 'other' ? 2 : match[1]);
  match = korean.match(/^(?:매주|(격주)|([0-9]{1,3})주마다)((?:[월화수목금토일]요일[과와]?)+|[월화수목금토일]{2,7})(?:에|마다)?$/)
    ?? korean.match(/^()()((?:[월화수목금토일]요일[과와]?)+)마다$/);
  return match ? onDays([...match[3].replace(/요일[과와]?/g, '')].map((day) => `${day}요일`), match[1] ? 2 : match[2] || 1) : undefined;
}

/** On a day of the month, without one on its last; nothing for a day that no month has. */
function monthly(interval, day = '-1') {
  const isReal = Number(interval) > 0 && (day === '-1' || day >= 1 && day <= 31);
  return isReal ? `FREQ=MONTHLY${interval > 1 ? `;INTERVAL=${Number(interval)}` : ''};BYMONTHDAY=${Number(day)}` : undefined;
}

/** The last day that may be one, as `until friday` says it. */
export function endOf(said, today) {
  const day = said.match(/^(?:until|till|til) (.+)$/)?.[1] ?? said.match(/^(.+)까지$/)?.[1];
  return day && dayOf(day, today);
}

function onDays(names, interval = 1) {
  const found = names.map((name) => Math.max(weekdayOf(name), weekdayOf(`${name}요일`)));
  const days = found.map((day) => (day + 6) % 7);
  if (!names.length || found.some((day) => day < 0) || new Set(days).size < days.length || interval < 1) return undefined;
  const every = interval > 1 ? `;INTERVAL=${Number(interval)}` : '';
  return `FREQ=WEEKLY${every};BYDAY=${days.sort((left, right) => left - right).map((day) => DAYS[day]).join(',')}`;
}
