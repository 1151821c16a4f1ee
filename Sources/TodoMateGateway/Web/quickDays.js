// Days as a line names them. The rules are those of `DayWords.swift`.
import { addDays, daysBetween, isDay, weekday } from './dates.js';

const WEEKDAYS = [
  ['sunday', 'sun', '일요일'], ['monday', 'mon', '월요일'], ['tuesday', 'tue', 'tues', '화요일'], ['wednesday', 'wed', 'weds', '수요일'],
  ['thursday', 'thu', 'thur', 'thurs', '목요일'], ['friday', 'fri', '금요일'], ['saturday', 'sat', '토요일'],
];
const MONTHS = [
  ['january', 'jan'], ['february', 'feb'], ['march', 'mar'], ['april', 'apr'], ['may'], ['june', 'jun'], ['july', 'jul'], ['august', 'aug'],
  ['september', 'sep', 'sept'], ['october', 'oct'], ['november', 'nov'], ['december', 'dec'],
];
const YEARS_AHEAD = 8;

/** A day such as 2026-11-20; nothing where it is none. */
export function dayOf(said, today) {
  const ahead = { __proto__: null, today: 0, 오늘: 0, tomorrow: 1, tmrw: 1, tmr: 1, 내일: 1, 모레: 2, 내일모레: 2, '내일 모레': 2 }[said];
  return ahead === undefined ? english(said, today) ?? korean(said.replaceAll(' ', ''), today) : later(ahead, today);
}

function english(said, today) {
  let match = said.match(/^\+([0-9]{1,3})([dw])$/) ?? said.match(/^in ([0-9]{1,3}) (day|week)s?$/);
  if (match) return later(match[1] * (match[2][0] === 'w' ? 7 : 1), today);
  match = said.match(/^(?:(on|this|next) )?([a-z]+)$/);
  if (match && weekdayOf(match[2]) >= 0) return ofWeek(weekdayOf(match[2]), match[1], today);
  match = said.match(/^(?<which>this|next) week (?:on )?(?<name>[a-z]+)$/) ?? said.match(/^(?:on )?(?<name>[a-z]+) (?<which>this|next) week$/);
  if (match && weekdayOf(match.groups.name) >= 0) return ofWeek(weekdayOf(match.groups.name), match.groups.which, today);
  const date = said.replace(/^on /, '');
  match = date.match(/^(?:([0-9]{4})-)?([0-9]{2})-([0-9]{2})$/);
  if (match) return dated(match[1], Number(match[2]), match[3], today);
  match = date.match(/^([a-z]+) ([0-9]{1,2})(?:st|nd|rd|th)?(?: ([0-9]{4}))?$/);
  if (match) return dated(match[3], place(match[1], MONTHS) + 1, match[2], today);
  match = date.match(/^([0-9]{1,2})(?:st|nd|rd|th)? ([a-z]+)(?: ([0-9]{4}))?$/);
  return match ? dated(match[3], place(match[2], MONTHS) + 1, match[1], today) : undefined;
}

function korean(said, today) {
  let match = said.match(/^(다다음주|다음주|이번주|이번)?([일월화수목금토]요일)에?$/);
  if (match) return ofWeek(weekdayOf(match[2]), { 다다음주: 'after', 다음주: 'next', 이번주: 'this', 이번: 'this' }[match[1]], today);
  match = said.match(/^([0-9]{1,3})(일|주)(?:뒤|후)에?$/);
  if (match) return later(match[1] * (match[2] === '주' ? 7 : 1), today);
  match = said.match(/^(?:([0-9]{4})년)?([0-9]{1,2})월([0-9]{1,2})일에?$/);
  return match ? dated(match[1], Number(match[2]), match[3], today) : undefined;
}

const place = (name, names) => names.findIndex((all) => all.includes(name));

/** The weekday that a word names, 0 for Sunday; -1 for none. */
export const weekdayOf = (name) => place(name, WEEKDAYS);

/** A day of the week: the next one, or that of this week, of the next or of the one after it, which begin on Monday. */
function ofWeek(day, which, today) {
  const from = weekday(today);
  const weeks = { this: 0, next: 1, after: 2 }[which];
  if (weeks === undefined) return later((day - from + 7) % 7, today);
  const days = ((day + 6) % 7) - ((from + 6) % 7) + 7 * weeks;
  return days < 0 ? undefined : later(days, today);
}

/** That day, or without a year the next one that there is. */
function dated(year, month, day, today) {
  const first = Number(year ?? today.slice(0, 4));
  const years = year ? [first] : Array.from({ length: YEARS_AHEAD + 1 }, (_, ahead) => first + ahead);
  const days = years.map((each) => `${each}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`);
  return days.find((each) => isReal(each) && (year || each >= today));
}

/** Whether there is such a day: a date that is none becomes another one. */
const isReal = (day) => isDay(day) && !Number.isNaN(Date.parse(`${day}T00:00:00Z`)) && addDays(day, 0) === day;

function later(days, today) {
  const day = addDays(today, days);
  return daysBetween(today, day) === days ? day : undefined;
}
