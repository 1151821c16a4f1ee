// Times of day as a line names them, beside a part of the day as well. The rules are those of `TimeWords.swift` and `DayPart.swift`.

// The first and the last hour that each part may have: fewer than twelve, so that of the two hours of a clock one at most is meant.
const PARTS = {
  morning: [1, 11], afternoon: [12, 18], evening: [16, 23], night: [18, 23], tonight: [16, 23],
  새벽: [1, 6], 아침: [5, 11], 점심: [11, 15], 낮: [11, 17], 저녁: [17, 23], 밤: [18, 23],
};
const ENGLISH = /^(tonight|morning|afternoon|evening|night)s?(?:'s)?$/;
const KOREAN = /^[^#]*?(새벽|아침|점심|낮|저녁|밤)(?:에|에는|은|을|이|마다|부터|식사|약속)?$/;

/** The part of the day that a word names, such as `evenings` or `오늘밤에`; nothing where it names none. */
export const partIn = (word) => (word.match(ENGLISH) ?? word.match(KOREAN))?.[1];

/** Whether that time may be in a part of the day. */
export const isIn = (time, part) => Number(time.slice(0, 2)) >= PARTS[part][0] && Number(time.slice(0, 2)) <= PARTS[part][1];

/** A time such as 09:30; nothing where it is none, or is not in that part of the day. */
export function timeOf(said, part) {
  const [words, own = part] = apart(said);
  const time = plainTime(words);
  if (!time || !own) return time;
  const hour = Number(time.slice(0, 2));
  const hours = isLoose(words) ? [hour % 12, (hour % 12) + 12] : [hour];
  return hours.map((each) => clock(each, time.slice(3))).find((each) => isIn(each, own));
}

/** Whether the words of a time do not say which half of the day is meant: 9:30, but not 21:15. */
export function isLoose(said) {
  const [words, part] = apart(said);
  return !part && !/am$|pm$|오전|오후/.test(words) && /^(?:[1-9]|0[1-9]|1[0-2])$/.test(words.match(/[0-9]+/)?.[0]);
}

/** The words of a time without the part of the day that is said with it, and that. */
function apart(said) {
  const english = said.match(/^(.+) (?:in the (morning|afternoon|evening)|at (night))$/);
  if (english) return [english[1], english[2] ?? english[3]];
  const first = said.match(/^in the (morning|afternoon|evening) (.+)$/);
  if (first) return [first[2], first[1]];
  const korean = said.replaceAll(' ', '').match(/^(새벽|아침|점심|낮|저녁|밤)에?((?:오전|오후)?[0-9].*?)에?$/);
  return korean ? [korean[2], korean[1]] : [said];
}

function plainTime(said) {
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
