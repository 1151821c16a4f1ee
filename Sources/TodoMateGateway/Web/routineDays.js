// On which days a routine is to be done: a part of the recurrence rules of RFC 5545. The rules are those of `RoutineRule.swift`, which
// says them in words; one table of examples holds for both.
import { addDays, daysBetween, weekday } from './dates.js';

export const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
const PARTS = new Set(['FREQ', 'INTERVAL', 'BYDAY', 'BYMONTHDAY', 'UNTIL', 'COUNT']);
const MOST = 999;
export const LAST = '2999-12-31';
const fromMonday = (day) => (weekday(day) + 6) % 7;
/** 20261120 as 2026-11-20. */
export const asDay = (number) => String(number).replace(/^(....)(..)(..)$/, '$1-$2-$3');
/** 2026-11-20 as 20261120. */
export const asNumber = (day) => Number(day.replaceAll('-', ''));
const isReal = (day) => !Number.isNaN(Date.parse(`${day}T00:00:00Z`)) && addDays(day, 0) === day;
const numberIn = (text, most) => (/^[1-9]\d{0,2}$/.test(text) && Number(text) <= most ? Number(text) : undefined);

/** The parts of a rule; nothing where it is none. */
export function parsed(text) {
  const parts = {};
  for (const part of text.split(';')) {
    const [, name, value] = part.match(/^([^=]*)=(.+)$/s) ?? [];
    if (!PARTS.has(name) || name in parts) return undefined;
    parts[name] = value;
  }
  const { FREQ, INTERVAL = '1', BYDAY, BYMONTHDAY, UNTIL, COUNT } = parts;
  const rule = { frequency: FREQ, interval: numberIn(INTERVAL, MOST) };
  if (!['DAILY', 'WEEKLY', 'MONTHLY'].includes(FREQ) || !rule.interval) return undefined;
  if (BYDAY !== undefined) {
    const days = BYDAY.split(',');
    if (FREQ !== 'WEEKLY' || new Set(days).size < days.length || days.some((day) => !WEEKDAYS.includes(day))) return undefined;
    rule.weekdays = WEEKDAYS.flatMap((day, index) => (days.includes(day) ? [index] : []));
  }
  if (BYMONTHDAY !== undefined) {
    rule.monthDay = BYMONTHDAY === '-1' ? -1 : numberIn(BYMONTHDAY, 31);
    if (FREQ !== 'MONTHLY' || !rule.monthDay) return undefined;
  }
  if (UNTIL !== undefined) {
    rule.until = asDay(UNTIL);
    if (COUNT !== undefined || !/^\d{8}$/.test(UNTIL) || !isReal(rule.until)) return undefined;
  }
  if (COUNT !== undefined && !(rule.count = numberIn(COUNT, MOST))) return undefined;
  return rule;
}

/** The rule as it is stored. */
export const spelt = ({ frequency, interval, weekdays, monthDay, until, count }) => `FREQ=${frequency}`
  + (interval > 1 ? `;INTERVAL=${interval}` : '') + (weekdays ? `;BYDAY=${weekdays.map((day) => WEEKDAYS[day]).join(',')}` : '')
  + (monthDay ? `;BYMONTHDAY=${monthDay}` : '') + (until ? `;UNTIL=${asNumber(until)}` : '') + (count ? `;COUNT=${count}` : '');

/** Its next day, wherever it ends; nothing for none. */
function next(rule, first, wanted) {
  const day = wanted > first ? wanted : first;
  const found = { DAILY: nextDay, WEEKLY: nextOfWeek, MONTHLY: nextOfMonth }[rule.frequency](rule, first, day);
  return found >= day ? found : undefined;
}

// Beyond the last day `addDays` answers with that.
const later = (day, count) => {
  const found = addDays(day, count);
  return daysBetween(day, found) === count ? found : undefined;
};

function nextDay({ interval }, first, day) { return later(first, Math.ceil(daysBetween(first, day) / interval) * interval); }

function nextOfWeek({ interval, weekdays = [] }, first, day) {
  const days = weekdays.length ? weekdays : [fromMonday(first)];
  // Counted from the Monday of the first week, which may lie before all days that there are.
  const passed = daysBetween(first, day) + fromMonday(first);
  const week = Math.floor(passed / 7);
  const of = (each, weekdayOf) => later(first, each * 7 + weekdayOf - fromMonday(first));
  const here = week % interval === 0 && days.find((each) => week * 7 + each >= passed);
  return here === false || here === undefined ? of((Math.floor(week / interval) + 1) * interval, days[0]) : of(week, here);
}

function nextOfMonth({ interval, monthDay }, first, day) {
  const monthOf = (date) => Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1;
  const start = monthOf(first);
  for (let month = start + Math.floor((monthOf(day) - start) / interval) * interval; month < 36000; month += interval) {
    const length = new Date(Date.UTC(Math.floor(month / 12), (month % 12) + 1, 0)).getUTCDate();
    const wanted = monthDay ?? Number(first.slice(8));
    const ofMonth = wanted < 0 ? length : wanted;
    const date = `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-${String(ofMonth).padStart(2, '0')}`;
    if (ofMonth <= length && date >= day) return date;
  }
  return undefined;
}

function lastOf(rule, first) {
  let day = next(rule, first, first);
  if (!day || day > rule.until) return undefined;
  if (!rule.count) return rule.until ?? LAST;
  for (let count = 1; count < rule.count && day < LAST; count += 1) {
    const following = next(rule, first, addDays(day, 1));
    if (!following) break;
    day = following;
  }
  return day;
}

// Rules with their last days: a count has to be counted.
const known = new Map();

function read(text, first) {
  const key = `${text} ${first}`;
  if (!known.has(key)) {
    if (known.size > 500) known.clear();
    const rule = parsed(text);
    known.set(key, { rule, last: rule && lastOf(rule, first) });
  }
  return known.get(key);
}

/** The first day on or after `wanted` of a rule that begins on `first`; nothing for none. */
export function dayFrom(text, first, wanted) {
  const { rule, last } = read(text, first);
  const day = last && next(rule, first, wanted);
  return day && day <= last ? day : undefined;
}

/** The days of a rule that begins on `first` among those from `from` to `to`. */
export function daysOf(text, first, from, to) {
  const { rule, last } = read(text, first);
  const days = [];
  let day = last && next(rule, first, from);
  while (day && day <= to && day <= last) {
    days.push(day);
    day = day < LAST ? next(rule, first, addDays(day, 1)) : undefined;
  }
  return days;
}

/** The day to count a rule from that was said on some day: of every other Friday the next Friday, in whichever week it lies. */
export function startOf(text, day) {
  const rule = parsed(text);
  return (rule.interval > 1 && next({ ...rule, interval: 1 }, day, day)) || day;
}

/** Whether there is any day of a rule that was said on some day. */
export const hasDays = (text, day) => Boolean(read(text, startOf(text, day)).last);
