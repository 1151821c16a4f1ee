// Calendar days as texts such as 2026-11-20; arithmetic in UTC, so that no clock change ever moves a day.

const asUTC = (day) => new Date(`${day}T00:00:00Z`);
const asDay = (date) => date.toISOString().slice(0, 10);

// The reader's own choice, and what tells the day there; without one, the browser's.
let chosen = null;

/** Takes the days of this time zone for the reader's; nothing stands for the one that the browser is in. */
export function useZone(timeZone) {
  if (!timeZone) chosen = null;
  else if (chosen?.timeZone !== timeZone) {
    chosen = { timeZone, days: new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }) };
  }
}

/** How the year of a day is said: not at all where it is this one. */
export const yearOf = (day) => (day.slice(0, 4) === String(new Date().getFullYear()) ? undefined : 'numeric');

/** The day that it is where the reader is. */
export function today() {
  const now = new Date();
  if (!chosen) return asDay(new Date(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate())));
  const { year, month, day } = Object.fromEntries(chosen.days.formatToParts(now).map(({ type, value }) => [type, value]));
  return `${year}-${month}-${day}`;
}

// The browser's own time zone, and the offset and the day for which its name was looked up: that takes long.
let here = {};

/** The time zone that the reader is in. */
export function zone() {
  if (chosen) return chosen.timeZone;
  const now = new Date();
  const at = `${now.getTimezoneOffset()} ${now.getDate()}`;
  if (here.at !== at) here = { at, name: new Intl.DateTimeFormat().resolvedOptions().timeZone };
  return here.name;
}

export function addDays(day, count) {
  const date = asUTC(day);
  date.setUTCDate(date.getUTCDate() + count);
  return clamp(asDay(date));
}

/** The same day of another month, or that month's last day. */
export function addMonths(day, count) {
  const date = asUTC(`${day.slice(0, 7)}-01`);
  date.setUTCMonth(date.getUTCMonth() + count + 1, 0);
  const last = date.getUTCDate();
  date.setUTCDate(Math.min(Number(day.slice(8)), last));
  return clamp(asDay(date));
}

export const isDay = (text) => /^\d{4}-\d\d-\d\d$/.test(text) && text >= FIRST && text <= LAST;
export const daysBetween = (from, to) => Math.round((asUTC(to) - asUTC(from)) / 86400000);
export const weekday = (day) => asUTC(day).getUTCDay();

/** The six weeks that show a month; `firstWeekday` is 0 for Sunday. */
export function weeksOf(day, firstWeekday) {
  const first = asUTC(`${day.slice(0, 7)}-01`);
  first.setUTCDate(1 - ((first.getUTCDay() - firstWeekday + 7) % 7));
  return Array.from({ length: 42 }, (_, index) => asDay(new Date(first.getTime() + index * 86400000)));
}

const formatters = new Map();

/** What writes dates or numbers, such as an `Intl.DateTimeFormat`: made once, as that takes longer than a hundred uses. */
export function formatter(kind, locale, options) {
  const key = `${kind} ${locale} ${JSON.stringify(options)}`;
  if (!formatters.has(key)) formatters.set(key, new Intl[kind](locale, options));
  return formatters.get(key);
}

/** A time such as 09:30, as it is written there; nothing for none. */
export const clock = (time, locale) => (time
  ? formatter('DateTimeFormat', locale, { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' }).format(new Date(`1970-01-01T${time}Z`)) : '');

export const format = (day, locale, options) => formatter('DateTimeFormat', locale, { ...options, timeZone: 'UTC' }).format(asUTC(day));

// What the server takes.
const FIRST = '1900-01-01';
const LAST = '2999-12-31';
const clamp = (day) => (day < FIRST || day.length > 10 ? FIRST : day > LAST ? LAST : day);
