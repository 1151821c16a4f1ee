// A week at a glance: what I have finished in the last seven days, by day and goal, live. Nothing that shames: days without anything
// are only empty.
import './shared.js';
import './weekWords.js';
import { format } from './dates.js';
import { wear } from './later.js';
import { element } from './row.js';
import { openSheet } from './sheet.js';
import styles from './week.css';
import { LONGEST, streakOf, weekOf } from './weekDays.js';
import { harmless, locale, t } from './words.js';

wear(styles);

let open = null;

/** Opens the sheet, and keeps it as things are. */
export function openWeek(model) {
  const streak = element('p', { className: 'streak' });
  const rows = element('tbody');
  const sum = element('p', { className: 'sum' });
  sum.setAttribute('role', 'status');
  const heads = ['weekDay', 'weekFinished'].map((words) =>
    element('th', { scope: 'col' }, element('span', { className: 'unseen', textContent: t(words) })));
  const table = element('table', {}, element('thead', {}, element('tr', {}, ...heads)), rows);
  const sheet = openSheet('glance', t('weekTitle'), [streak, table, sum]);
  table.setAttribute('aria-labelledby', sheet.querySelector('h2').id);
  if (!open) model.onFrame('todos circle today', () => open?.());
  open = () => {
    if (!sheet.isConnected || !model.uid) return;
    const { todos, circle, today } = model;
    const days = streakOf(todos.days, today);
    streak.hidden = days < 2;
    streak.textContent = t(days < LONGEST ? 'streak' : 'streakYear', { days });
    const week = weekOf(todos.days, today);
    const most = Math.max(1, ...week.map(({ counts }) => total(counts)));
    rows.replaceChildren(...week.map((day) => row(day, most, today, circle?.goals ?? [])));
    const count = week.reduce((all, { counts }) => all + total(counts), 0);
    sum.textContent = count ? t('weekSum', { count }) : t('nothingFinished');
  };
  open();
}

const total = (counts) => [...counts.values()].reduce((all, count) => all + count, 0);

/** The goals of a day in my order; what is for none that I know comes last, in one. */
function partsOf(counts, goals) {
  const known = goals.filter(({ id }) => counts.has(id)).map((goal) => ({ goal, count: counts.get(goal.id) }));
  const rest = total(counts) - known.reduce((all, { count }) => all + count, 0);
  return rest ? [...known, { count: rest }] : known;
}

function row({ date, counts }, most, today, goals) {
  const count = total(counts);
  const parts = partsOf(counts, goals);
  const segments = parts.map((part) => {
    const segment = element('i');
    segment.dataset.color = part.goal?.color ?? '';
    segment.style.setProperty('--share', part.count);
    return segment;
  });
  const bar = element('span', {}, ...segments);
  bar.setAttribute('aria-hidden', 'true');
  bar.style.setProperty('--part', count / most);
  const stack = element('div', { className: 'stack' }, ...(count ? [bar] : []),
    element('span', { className: count ? 'number' : 'unseen', textContent: count }));
  const words = parts.some(({ goal }) => goal) ? parts.map(({ goal, count: one }) => {
    const made = element('span', { className: 'goal', textContent: `${goal ? harmless(goal.name) : t('noGoal')} ${one}` });
    made.dataset.color = goal?.color ?? '';
    return made;
  }) : [];
  const name = format(date, locale(), { weekday: 'short', month: 'short', day: 'numeric' });
  return element('tr', { className: date === today ? 'is-today' : '' },
    element('th', { scope: 'row', textContent: date === today ? t('today') : name }),
    element('td', { className: 'amount' }, stack, ...(words.length ? [element('p', { className: 'goals' }, ...words.flatMap((word) => [word, ' ']))] : [])));
}
