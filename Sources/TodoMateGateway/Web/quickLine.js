// What a line says of when, how often and what it is for, by the words at either end of it. The rules are those of `QuickLine.swift`, which
// says them in words; one table of examples holds for both.
import { addDays, daysBetween, isDay, weekday } from './dates.js';

const WEEKDAYS = [
  ['sunday', 'sun', '일요일'], ['monday', 'mon', '월요일'], ['tuesday', 'tue', 'tues', '화요일'], ['wednesday', 'wed', 'weds', '수요일'],
  ['thursday', 'thu', 'thur', 'thurs', '목요일'], ['friday', 'fri', '금요일'], ['saturday', 'sat', '토요일'],
];
const MONTHS = [
  ['january', 'jan'], ['february', 'feb'], ['march', 'mar'], ['april', 'apr'], ['may'], ['june', 'jun'], ['july', 'jul'], ['august', 'aug'],
  ['september', 'sep', 'sept'], ['october', 'oct'], ['november', 'nov'], ['december', 'dec'],
];
const DAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
const WORKDAYS = 'WEEKLY;BYDAY=MO,TU,WE,TH,FR';
const WEEKEND = 'WEEKLY;BYDAY=SA,SU';
const setOf = (text) => new Set(text.split(' '));
// Beside these nothing is read: they would be left hanging, or say something else.
const BEFORE = setOf('by before after until till til since for from to through than of in on at every each last past this next and or vs not per '
  + 'between the a an page pages pp chapter chapters ch line lines verse verses question questions exercise exercises problem problems room '
  + '- – ~ & / + 매주 매일 매월 매달 격주 지난 지난주 주 이번주 다음주 및 또는 쪽 페이지 문제');
const BEHIND = setOf('and or to until till til through vs is are was were of off - – ~ & / + 부터 까지 및 또는 이후 이전');
// Ordinary words as well: read only at the end of a line, and there not alone, but with a number or before a time.
const DOUBTFUL = setOf('sun sat wed mar march may');
const SIGNS = setOf('on this next every');
const MOST_WORDS = 7;
const YEARS_AHEAD = 8;
// The most UTF-16 units of a word that may mean something: to normalize combining marks takes the square of their number. No name has the
// other character, which stands for longer ones.
const LONGEST = 200;
const TOO_LONG = '\0';

/**
 * The `content` that is left, and the `readings`, `{ words, day }`, `{ words, time }`, `{ words, goal }`, `{ words, rule }` or
 * `{ words, until }` each; `kept` are those of `asText` that the line has. `goals` are those that `#` may name.
 */
export function quickLine(text, today, asText = [], goals = []) {
  const line = readLine(text, today, asText, goals, ['day', 'time', 'goal', 'rule', 'until']);
  const { day = today, rule, until } = Object.assign({}, ...line.readings);
  // What is not done again and again has no end, and none ends before it begins.
  return !until || rule && day <= until ? line : readLine(text, today, asText, goals, ['day', 'time', 'goal', 'rule']);
}

/** The rule that readings say, with its end; nothing where they say none. */
export function ruleOfAll(readings) {
  const { rule, until } = Object.assign({}, ...readings);
  return rule && until ? `${rule};UNTIL=${until.replaceAll('-', '')}` : rule;
}

function readLine(text, today, asText, goals, of) {
  const words = wordsOf(text);
  const named = goalWords(goals);
  const escapes = new Set();
  const plain = ` ${words.map((word) => word.plain.replace(/^\\/, '')).join(' ')} `;
  const kept = asText.filter((each) => plain.includes(` ${each} `)).sort();
  const taken = { first: [], last: [] };
  const kinds = new Set(of);
  let [low, high] = [0, words.length];

  // The longest form at one end of what is left, if it is to be read.
  const next = (isAtEnd) => {
    for (let count = Math.min(Math.max(MOST_WORDS, named.most), high - low); count > 0; count -= 1) {
      const start = isAtEnd ? high - count : low;
      const phrase = words.slice(start, start + count).map(({ plain }) => plain);
      const isEscaped = phrase[0].startsWith('\\');
      if (isEscaped) phrase[0] = phrase[0].slice(1);
      const said = phrase.join(' ');
      const reading = meaning(said, today, named);
      if (reading && isEscaped) escapes.add(words[start].start);
      if (reading) return !isEscaped && admits(said, reading, count, start, isAtEnd) ? { words: said, ...reading, count } : null;
    }
    return undefined;
  };
  const admits = (said, reading, count, start, isAtEnd) => {
    const neighbour = isAtEnd ? start - 1 : start + count;
    const beside = neighbour >= low && neighbour < high ? words[neighbour].plain : '';
    // A rule by itself, such as 매일, is read next, and so is the end of one behind it.
    const isNext = () => (kinds.has('rule') && ruleOf(beside)) || (!isAtEnd && reading.rule && isEnd(neighbour));
    if ((isAtEnd ? BEFORE : BEHIND).has(beside) && !isNext()) return false;
    const parts = said.split(' ');
    if (!reading.goal && !SIGNS.has(parts[0]) && parts.some((part) => DOUBTFUL.has(part))) {
      if (!isAtEnd || !(count > 1 || taken.last[0]?.time)) return false;
    }
    const kind = Object.keys(reading)[0];
    if (!kinds.has(kind)) return false;
    return !asText.includes(said) && kinds.delete(kind);
  };
  const isEnd = (from) => kinds.has('until') && words.slice(from, Math.min(from + MOST_WORDS, high))
    .some((_, count, part) => endOf(part.slice(0, count + 1).map(({ plain }) => plain).join(' '), today));
  // A # that names no goal stays text, and what is before it is read.
  const passed = [];
  for (let reading; low < high;) {
    reading = next(true);
    if (reading === null || !(reading || /^#./.test(words[high - 1].plain))) break;
    high -= reading?.count ?? 1;
    if (reading) taken.last.unshift(reading); else passed.unshift(high);
  }
  for (; passed[0] === high; high += 1) passed.shift();
  for (let reading; (reading = next(false)); low += reading.count) taken.first.push(reading);

  const between = (from, to) => (from < to
    ? slice(text, words[from].start, words[to - 1].end, escapes) : '');
  const left = between(low, high);
  const behind = passed.map((index) => between(index, index + 1));
  const content = [taken.last.length ? left.replace(/,$/, '') : left, ...behind].filter(Boolean).join(' ');
  if (!content) return { content: between(0, words.length), readings: [], kept };
  return { content, readings: [...taken.first, ...taken.last].map(({ count, ...reading }) => reading), kept };
}

/** A part of a text without the characters at some places. */
const slice = (text, from, to, without) => text.slice(from, to).split('').filter((_, index) => !without.has(from + index)).join('');

/** The words of a text, in lower case and without a comma or colon behind them. */
const wordsOf = (text) => [...text.matchAll(/[^ \t\u00a0\u3000]+/g)].map(({ 0: word, index }) => {
  if (word.length > LONGEST) return { start: index, end: index + word.length, plain: TOO_LONG };
  const lower = word.normalize('NFC').toLowerCase();
  return { start: index, end: index + word.length, plain: [...lower].length > 1 && /[,:]$/.test(lower) ? lower.slice(0, -1) : lower };
});

/** What `#` and the name of a goal mean, with the name's spaces or without any; names that several goals have are nobody's. */
function goalWords(goals) {
  const usable = goals.filter(({ archived }) => !archived).map((goal) => ({ goal, words: wordsOf(goal.name).map(({ plain }) => plain) }));
  const named = new Map();
  // A name as it is written counts more than another one without its spaces.
  for (const separator of [' ', '']) {
    const names = usable.map(({ words }) => words.join(separator));
    const isOnly = (name) => !named.has(name) && names.indexOf(name) === names.lastIndexOf(name);
    for (const [index, name] of names.entries()) if (isOnly(name)) named.set(name, usable[index].goal);
  }
  return { named, most: Math.max(0, ...usable.map(({ words }) => words.length)) };
}

function meaning(said, today, { named }) {
  const goal = said.startsWith('#') && named.get(said.slice(1));
  if (goal) return { goal };
  const day = dayOf(said, today);
  if (day) return { day };
  const rule = ruleOf(said);
  if (rule) return { rule };
  const until = endOf(said, today);
  if (until) return { until };
  const time = timeOf(said);
  return time && { time };
}

function dayOf(said, today) {
  const ahead = { today: 0, 오늘: 0, tomorrow: 1, 내일: 1, 모레: 2, 내일모레: 2, '내일 모레': 2 }[said];
  return ahead === undefined ? english(said, today) ?? korean(said.replaceAll(' ', ''), today) : later(ahead, today);
}

function english(said, today) {
  let match = said.match(/^\+([0-9]{1,3})([dw])$/) ?? said.match(/^in ([0-9]{1,3}) (day|week)s?$/);
  if (match) return later(match[1] * (match[2][0] === 'w' ? 7 : 1), today);
  match = said.match(/^(?:(on|this|next) )?([a-z]+)$/);
  if (match && place(match[2], WEEKDAYS) >= 0) return ofWeek(place(match[2], WEEKDAYS), match[1], today);
  const date = said.replace(/^on /, '');
  match = date.match(/^(?:([0-9]{4})-)?([0-9]{2})-([0-9]{2})$/);
  if (match) return dated(match[1], Number(match[2]), match[3], today);
  match = date.match(/^([a-z]+) ([0-9]{1,2})(?:st|nd|rd|th)?(?: ([0-9]{4}))?$/);
  if (match) return dated(match[3], place(match[1], MONTHS) + 1, match[2], today);
  match = date.match(/^([0-9]{1,2})(?:st|nd|rd|th)? ([a-z]+)(?: ([0-9]{4}))?$/);
  return match ? dated(match[3], place(match[2], MONTHS) + 1, match[1], today) : undefined;
}

function korean(said, today) {
  let match = said.match(/^(다음주|이번주)?([일월화수목금토]요일)에?$/);
  if (match) return ofWeek(place(match[2], WEEKDAYS), { 다음주: 'next', 이번주: 'this' }[match[1]], today);
  match = said.match(/^([0-9]{1,3})(일|주)(?:뒤|후)에?$/);
  if (match) return later(match[1] * (match[2] === '주' ? 7 : 1), today);
  match = said.match(/^(?:([0-9]{4})년)?([0-9]{1,2})월([0-9]{1,2})일에?$/);
  return match ? dated(match[1], Number(match[2]), match[3], today) : undefined;
}

/** A rule of a routine, such as FREQ=DAILY; nothing where it is none. */
export function ruleOf(said) {
  const plain = { 'every day': 'DAILY', 'every week': 'WEEKLY', 'every month': 'MONTHLY', 매일: 'DAILY', 날마다: 'DAILY', 매주: 'WEEKLY',
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
  if (said.startsWith('every ')) return onDays(said.slice(6).split(' ').filter((word) => word !== 'and' && word !== '&'));
  match = korean.match(/^매주([월화수목금토일])요일에?$/) ?? korean.match(/^([월화수목금토일])요일마다$/) ?? korean.match(/^매주([월화수목금토일]{2,7})$/);
  return match ? onDays([...match[1]].map((day) => `${day}요일`)) : undefined;
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

function onDays(names) {
  const days = names.map((name) => (place(name, WEEKDAYS) + 6) % 7);
  if (!names.length || names.some((name) => place(name, WEEKDAYS) < 0) || new Set(days).size < days.length) return undefined;
  return `FREQ=WEEKLY;BYDAY=${days.sort((left, right) => left - right).map((day) => DAYS[day]).join(',')}`;
}

const place = (name, names) => names.findIndex((all) => all.includes(name));

/** A day of the week: the next one, or that of this or the next week, which begin on Monday. */
function ofWeek(day, which, today) {
  const from = weekday(today);
  if (which !== 'this' && which !== 'next') return later((day - from + 7) % 7, today);
  const days = ((day + 6) % 7) - ((from + 6) % 7) + (which === 'next' ? 7 : 0);
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

/** A time such as 09:30; nothing where it is none. */
export function timeOf(said) {
  let match = said.match(/^(?:at )?([0-9]{1,2}):([0-9]{2})$/);
  if (match) return clock(match[1], match[2]);
  match = said.match(/^(?:at )?([0-9]{1,2})(?::([0-9]{2}))? ?(am|pm)$/);
  if (match) return half(match[1], match[2], match[3] === 'pm', 1);
  match = said.match(/^at ([1-9][0-9]?)$/);
  if (match) return spoken(match[1]);
  const korean = said.replaceAll(' ', '');
  match = korean.match(/^(오전|오후)([0-9]{1,2}):([0-9]{2})에?$/);
  if (match) return half(match[2], match[3], match[1] === '오후', match[1] === '오후' ? 1 : 0);
  match = korean.match(/^(오전|오후)?([0-9]{1,2})시(?:(반)|([0-9]{1,2})분)?에?$/);
  if (!match) return undefined;
  const minutes = match[3] ? 30 : match[4];
  if (match[1]) return half(match[2], minutes, match[1] === '오후', match[1] === '오후' ? 1 : 0);
  return spoken(match[2], minutes);
}

/** As one says it: 1 to 6 are in the afternoon. */
const spoken = (hour, minute) => (hour >= 1 && hour <= 6 ? half(hour, minute, true, 1) : clock(hour, minute));

const clock = (hour, minute = 0) =>
  (Number(hour) < 24 && Number(minute) < 60 ? `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}` : undefined);
/** On the clock of twelve hours. */
const half = (hour, minute, isAfternoon, least) =>
  (hour >= least && hour <= 12 ? clock((hour % 12) + (isAfternoon ? 12 : 0), minute) : undefined);
