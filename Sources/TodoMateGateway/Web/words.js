// All that the page says, in English and Korean. Korean comes where it is read: nobody needs both at first.
import { english } from './english.js';

const tables = { en: english };
/** What was taught of Korean before it came. */
const taught = [];

const KEY = 'todomate.language';
let language = stored() ?? (navigator.language.toLowerCase().startsWith('ko') ? 'ko' : 'en');

/** Settles once the words that the page begins with are here, in English rather than not at all. */
export const arrival = bring(language).catch(() => { language = 'en'; });

async function bring(name) {
  if (name in tables) return;
  const { korean } = await import('./korean.js');
  if (tables.ko) return;
  tables.ko = korean;
  for (const words of taught.splice(0)) learn('ko', words);
}

const words = () => tables[language] ?? english;

/** What the page is written in now: `en` or `ko`. */
export const current = () => language;

/** What dates are written in: the browser's own kind of English or Korean where it has one. */
export const locale = () => (navigator.languages ?? []).find((tag) => tag.startsWith(language))
  ?? { en: 'en-US', ko: 'ko-KR' }[language];

const WEEK_STARTS = { sunday: 0, monday: 1, saturday: 6 };
let weekStart;
// By the language and place: asking the browser takes long.
const usual = {};

/** Begins weeks with this day; nothing stands for what is usual there. Answers whether that is another one than before. */
export function startWeeksOn(day) {
  const before = weekStart;
  weekStart = WEEK_STARTS[day];
  return weekStart !== before;
}

/** The first day of the week there; 0 is Sunday. */
export function firstWeekday() {
  if (weekStart !== undefined) return weekStart;
  return usual[locale()] ??= usualStart(new Intl.Locale(locale()));
}

const usualStart = (place) => (place.getWeekInfo?.() ?? place.weekInfo ?? { firstDay: 7 }).firstDay % 7;

/** Takes words that only some of the page needs, as `{ en, ko }`: they come with the modules that show them. */
export function teach(later) {
  for (const [name, words] of Object.entries(later)) {
    if (name in tables) learn(name, words);
    else taught.push(words);
  }
}

function learn(name, { problems, ...words }) {
  Object.assign(tables[name], words);
  Object.assign(tables[name].problems, problems);
}

/** What stands under a key that has no words, but a list. */
export const table = (key) => words()[key];

/** The words of a key, with `{name}` replaced by a value. */
export function t(key, values = {}) {
  const said = words()[key];
  const text = typeof said === 'function' ? said(values) : said;
  return text.replace(/\{(\w+)\}/g, (_, name) => harmless(values[name]));
}

/**
 * A user's text, as it is shown: characters that would put the text around them into another order, such as
 * U+202E, show as U+FFFD.
 */
export const harmless = (text) => String(text).replace(/[\u202A-\u202E\u2066-\u2069]/g, '\uFFFD');

/** The beginning of a long text. */
export const short = (text, most = 40) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

/** A device as the server has recognised it, such as `Firefox on Linux`, in words. */
export function device(name) {
  const [program, system] = name?.split(' on ') ?? [];
  return system ? t('deviceOn', { program, system }) : name ?? t('unknownDevice');
}

/** That an account is suspended, and why where that was said. */
export const suspension = (reason) => (reason ? t('suspendedFor', { reason }) : t('suspended'));

/** What went wrong, in the reader's words where the kind of problem is known, else in the server's. */
export function explain(problem) {
  const kind = problem.type?.split(':').pop();
  if (kind === 'suspended') return suspension(problem.reason);
  return words().problems[kind] ?? t('unknownProblem');
}

/** Why a request was not done; `full`: what is said where there is no room for more of it. */
export const reason = ({ status, kind, problem }, { full } = {}) =>
  (!status ? t('noAnswer') : full && kind === 'full' ? t(full) : explain(problem));

/** Writes the page in this language from now on, once its words are here; fails where they do not come. */
export async function choose(name) {
  await bring(name);
  language = name;
  try { localStorage.setItem(KEY, name); } catch { /* a browser that stores nothing asks again next time */ }
}

/** Puts the words into every element that names its key. */
export function translate(root = document) {
  document.documentElement.lang = language;
  for (const element of root.querySelectorAll('[data-t]')) element.textContent = t(element.dataset.t);
  for (const element of root.querySelectorAll('[data-t-placeholder]')) element.placeholder = t(element.dataset.tPlaceholder);
  for (const element of root.querySelectorAll('[data-t-label]')) element.setAttribute('aria-label', t(element.dataset.tLabel));
}

function stored() {
  try {
    const name = localStorage.getItem(KEY);
    return name === 'en' || name === 'ko' ? name : null;
  } catch {
    return null;
  }
}
