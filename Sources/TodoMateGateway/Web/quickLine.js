// What a line says of when, how often and what it is for, by the words at either end of it. The rules are those of `QuickLine.swift`, which
// says them in words; one table of examples holds for both.
import { dayOf, weekdayOf } from './quickDays.js';
import { pairOf } from './quickPairs.js';
import { endOf, ruleOf } from './quickRules.js';
import { hasDays } from './routineDays.js';
import { isIn, isLoose, partIn, timeOf } from './quickTimes.js';

const setOf = (text) => new Set(text.split(' '));
// Beside these nothing is read: they would be left hanging, or say something else.
const BEFORE = setOf('by before after until till til since for from to through than of in on at every each last past this next and or vs not per '
  + 'between the a an - – ~ & / + 매주 매일 매월 매달 격주 지난 지난주 주 이번주 다음주 및 또는');
// Nor beside these are mere numbers, which count or name them: `pages 11-20`, but `clean room tomorrow`.
const NUMBERED = setOf('page pages pp chapter chapters ch line lines verse verses question questions exercise exercises problem problems room '
  + '쪽 페이지 문제');
const BEHIND = setOf('and or to until till til through vs is are was were of off - – ~ & / + 부터 까지 및 또는 이후 이전');
// Beside these a day or a rule is not all that the line says: `every first friday`, 매월 첫째 금요일.
const SOME = setOf('other first second third fourth fifth 1st 2nd 3rd 4th 5th last alternate except starting beginning '
  + '첫 첫째 둘째 셋째 넷째 다섯째 번째 첫번째 두번째 세번째 네번째 다섯번째 마지막 첫주 첫째주 둘째주 셋째주 넷째주 다섯째주 마지막주 '
  + '홀수 짝수 홀수주 짝수주 제외 year years yearly annually 매년 해마다');
// Nor beside these is a day of the week: `every month on friday`, 다음 달 금요일.
const PERIODS = setOf('week weeks month months weekly biweekly fortnightly monthly quarterly 주 달 매월 매달 격월 이번 다음 지난 '
  + '저번 저번주 지난주 금주 담주 차주 내주 이번달 다음달 지난달');
// Ordinary words as well: read only at the end of a line, and there not alone, but with a number or before a time.
const DOUBTFUL = setOf('sun sat wed mar march may');
const TIMELY = setOf('by before after until till til since every each last past this next');
const SIGNS = setOf('on this next every');
const MOST_WORDS = 7;
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
  // Rather than on a day that is not meant, or only once, it stays where it was typed.
  if (line.isMore) return readLine(text, today, asText, goals, ['goal']);
  const { day = today, rule, until } = Object.assign({}, ...line.readings);
  // What is not done again and again has no end, and none ends before its first day.
  return !until || rule && hasDays(ruleOfAll(line.readings), day) ? line : readLine(text, today, asText, goals, ['day', 'time', 'goal', 'rule']);
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
  let [low, high, isMore, leavesDay] = [0, words.length, false, false];

  // The longest form at one end of what is left, if it is to be read.
  const next = (isAtEnd) => {
    for (let count = Math.min(Math.max(MOST_WORDS, named.most), high - low); count > 0; count -= 1) {
      const start = isAtEnd ? high - count : low;
      const phrase = words.slice(start, start + count).map(({ plain }) => plain);
      const isEscaped = phrase[0].startsWith('\\');
      if (isEscaped) phrase[0] = phrase[0].slice(1);
      const said = phrase.join(' ');
      const reading = meaning(said, today, named);
      const pair = reading ? undefined : pairOf(phrase, today);
      if ((reading || pair) && isEscaped) escapes.add(words[start].start);
      if (reading) return !isEscaped && admits(said, reading, count, start, isAtEnd) ? { all: [{ words: said, ...reading }], count } : null;
      if (pair && (isEscaped || hangs(said, pair[0], count, start, isAtEnd))) return null;
      if (pair?.every((each) => kinds.has(kindOf(each)) && !asText.includes(each.words))) {
        for (const each of pair) kinds.delete(kindOf(each));
        return { all: pair, count };
      }
    }
    return undefined;
  };
  const hangs = (said, reading, count, start, isAtEnd) => {
    const neighbour = isAtEnd ? start - 1 : start + count;
    const beside = neighbour >= low && neighbour < high ? words[neighbour].plain : '';
    if (kinds.has(kindOf(reading)) && saysMore(reading, said, beside, isAtEnd)) isMore = true;
    // A rule by itself, such as 매일, is read next, and so is the end of one behind it.
    const isNext = () => (kinds.has('rule') && ruleOf(beside)) || (!isAtEnd && reading.rule && isEnd(neighbour));
    const isHanging = (isAtEnd ? BEFORE : BEHIND).has(beside) && !isNext();
    // What is an ordinary word as well names a day only behind some: `by sat`, but `in the sun`.
    const isDay = (reading.day || reading.rule) && (!DOUBTFUL.has(said) || TIMELY.has(beside));
    if (isHanging && isDay && kinds.has(kindOf(reading)) && !asText.includes(said)) leavesDay = true;
    return isMore || isHanging || (isAtEnd && NUMBERED.has(beside) && /^[0-9][-0-9:/.]*$/.test(said));
  };
  // Another part of the day than that of an hour which may be in either half of it.
  const isElsewhere = ({ time }, from, count) => words.some(({ plain }, index) => {
    const part = (index < from || index >= from + count) && partIn(plain.replace(/^\\/, ''));
    return part && !isIn(time, part);
  });
  const admits = (said, reading, count, start, isAtEnd) => {
    if (hangs(said, reading, count, start, isAtEnd)) return false;
    // An end without a rule: `until friday at 9:30`.
    if (reading.until && !kinds.has('until') && !asText.includes(said)) leavesDay = true;
    if (reading.time && isLoose(said) && isElsewhere(reading, start, count)) return false;
    const parts = said.split(' ');
    if (!reading.goal && !SIGNS.has(parts[0]) && parts.some((part) => DOUBTFUL.has(part))) {
      if (!isAtEnd || !(count > 1 || taken.last[0]?.time)) return false;
    }
    return kinds.has(kindOf(reading)) && !asText.includes(said) && kinds.delete(kindOf(reading));
  };
  const isEnd = (from) => kinds.has('until') && words.slice(from, Math.min(from + MOST_WORDS, high))
    .some((_, count, part) => endOf(part.slice(0, count + 1).map(({ plain }) => plain).join(' '), today));
  // A # that names no goal stays text, and what is before it is read.
  const passed = [];
  // Where the words are that say a time at the end.
  let timed = [];
  for (let reading; low < high;) {
    reading = next(true);
    if (reading === null || !(reading || /^#./.test(words[high - 1].plain))) break;
    const end = high;
    high -= reading?.count ?? 1;
    if (reading) taken.last.unshift(...reading.all); else passed.unshift(high);
    if (reading?.all[0].time) timed = Array.from({ length: reading.count }, (_, index) => end - reading.count + index);
  }
  for (; passed[0] === high; high += 1) passed.shift();
  for (let reading; (reading = next(false)); low += reading.count) taken.first.push(...reading.all);
  // Where a day stays text the time does, too: it would be read for today.
  if (leavesDay && ![...taken.first, ...taken.last].some(({ day, rule }) => day || rule)) {
    const place = taken.first.findIndex(({ time }) => time);
    if (place >= 0) low -= taken.first.splice(place).reduce((sum, { words: said }) => sum + said.split(' ').length, 0);
    taken.last = taken.last.filter(({ time }) => !time);
    passed.push(...timed);
    passed.sort((one, other) => one - other);
    for (; passed[0] === high; high += 1) passed.shift();
  }

  const between = (from, to) => (from < to
    ? slice(text, words[from].start, words[to - 1].end, escapes) : '');
  const left = between(low, high);
  const behind = passed.map((index) => between(index, index + 1));
  const content = [taken.last.length ? left.replace(/,$/, '') : left, ...behind].filter(Boolean).join(' ');
  if (!content) return { content: between(0, words.length), readings: [], kept, isMore };
  return { content, readings: [...taken.first, ...taken.last], kept, isMore };
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

const kindOf = (reading) => ['day', 'time', 'goal', 'rule', 'until'].find((kind) => reading[kind]);

/** Whether the word beside a day or a rule says that others are meant, of which nothing here knows. */
function saysMore({ day, rule }, said, beside, isAtEnd) {
  if (isAtEnd && SOME.has(beside)) return day || rule;
  if (isAtEnd) return day && namesWeekday(said) && (PERIODS.has(beside) || /[0-9](?:개월|달)마다$/.test(beside));
  if (day) return /^(?:week|mornings|afternoons|evenings|nights)$/.test(beside);
  return rule && (/^(?:on|except|starting|beginning|제외)$/.test(beside) || (/MONTHLY/.test(rule) && (SOME.has(beside) || namesWeekday(beside))));
}

const namesWeekday = (said) => said.includes('요일') || said.split(' ').some((word) => weekdayOf(word) >= 0);
