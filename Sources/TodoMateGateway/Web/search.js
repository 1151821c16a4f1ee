// Search through all of my todos and those that I may see of others, as one types.
import './shared.js';
import './finding.js';
import { clock, format } from './dates.js';
import { nameOf } from './names.js';
import { isNote, titleOf } from './notes.js';
import { element, statusIcon } from './row.js';
import { openSheet } from './sheet.js';
import { harmless, locale, t } from './words.js';

const MOST = 100;
// No id of a goal.
const WITHOUT = '-none-';
const STATUSES = ['todo', 'inProgress', 'complete', 'incomplete'];
// Syllables may be written in parts, and nobody sees how; Latin letters are met with and without their marks, as the command does.
// A sigma has another form at the end of a word.
const plain = (text) => text.normalize('NFKC').toLowerCase().replaceAll('ς', 'σ')
  .normalize('NFD').replace(/([a-z])[\u0300-\u036f]+/g, '$1').normalize('NFC');

/** `show(todo)` leads to a todo. */
export function openSearch(model, show) {
  const field = element('input', { type: 'text', id: 'search-words', maxLength: 200, autocomplete: 'off', enterKeyHint: 'search', placeholder: t('searchHint') });
  field.setAttribute('aria-label', t('searchTitle'));
  const status = element('select', { id: 'search-status' }, element('option', { value: '', textContent: t('anyStatus') }),
    ...STATUSES.map((value) => element('option', { value, textContent: t(value) })));
  status.setAttribute('aria-label', t('searchStatus'));
  const goals = model.circle.goals;
  const goal = element('select', { id: 'search-goal', hidden: goals.length === 0 }, element('option', { value: '', textContent: t('anyGoal') }),
    ...goals.map(({ id, name }) => element('option', { value: id, textContent: harmless(name) })),
    element('option', { value: WITHOUT, textContent: t('withoutGoal') }));
  goal.setAttribute('aria-label', t('goal'));
  const [from, to] = ['from', 'to'].map((id) => element('input', { type: 'date', id: `search-${id}`, min: '1900-01-01', max: '2999-12-31' }));
  const days = [[from, 'searchFrom'], [to, 'searchTo']].map(([input, words]) => element('label', {}, element('span', { textContent: t(words) }), input));
  const count = element('p', { className: 'note' });
  count.setAttribute('role', 'status');
  const list = element('ul', { className: 'entries' });
  const all = everything(model);
  const render = () => {
    const wanted = { status: status.value, goal: goal.value, from: from.value, to: to.value };
    const isBackwards = wanted.from && wanted.to && wanted.from > wanted.to;
    const isAsked = Boolean(field.value.trim() || Object.values(wanted).some(Boolean));
    const found = isAsked && !isBackwards ? find(all, field.value, wanted) : [];
    to.setAttribute('aria-invalid', Boolean(isBackwards));
    count.textContent = isBackwards ? t('searchBackwards') : !isAsked ? '' : found.length ? t('found', { count: found.length, most: MOST }) : t('foundNothing');
    list.replaceChildren(...found.slice(0, MOST).map((todo) => line(todo, model.uid, () => {
      sheet.close();
      show(todo);
    })));
  };
  for (const part of [field, status, goal, from, to]) part.addEventListener('input', render);
  const filters = element('div', { className: 'filters' }, status, goal, ...days);
  const sheet = openSheet('search', t('searchTitle'), [field, filters, count, list]);
  sheet.addEventListener('keydown', (event) => walk(sheet, event));
  field.focus();
}

// The latest days first; mine before those of others. The words of each are made plain once.
function everything({ uid, todos, circle }) {
  const stores = [todos, ...circle.shown.map((person) => circle.store(person.uid))].filter(Boolean);
  // Of what is done again and again, the next day that is not among them yet.
  const all = [...todos.routines?.next ?? [], ...stores.flatMap((store) => [...[...store.days.values()].flat(), ...store.notes])]
    .map((todo) => ({ todo, text: plain(isNote(todo.id) ? todo.detail : `${todo.content}\n${todo.detail}`) }));
  return all.sort(({ todo: left }, { todo: right }) =>
    (left.date < right.date ? 1 : left.date > right.date ? -1 : (right.uid === uid) - (left.uid === uid)));
}

/** Those that have all words, in whatever order, and are as is wanted. */
function find(all, words, { status, goal, from, to }) {
  const parts = plain(words).split(/\s+/).filter(Boolean);
  // A note has neither.
  return all.filter(({ todo, text }) => !((status || goal) && isNote(todo.id)) && (!status || todo.status === status) && (!goal || todo.goal === (goal === WITHOUT ? '' : goal))
    && (!from || todo.date >= from) && (!to || todo.date <= to) && parts.every((part) => text.includes(part)))
    .map(({ todo }) => todo);
}

function line(todo, me, open) {
  const day = format(todo.date, locale(), { weekday: 'short', year: 'numeric', month: 'short', day: 'numeric' });
  const notes = [todo.uid === me ? '' : nameOf(todo.uid), day, clock(todo.time, locale()), todo.detail.trim().split('\n')[0].slice(0, 80)].filter(Boolean);
  const button = element('button', { type: 'button', className: 'found' }, element('span', { className: 'status' }, isNote(todo.id) ? todo.content : statusIcon()),
    element('span', {}, element('span', { className: 'content', textContent: harmless(titleOf(todo)) }),
      element('span', { className: 'note', textContent: harmless(notes.join(' · ')) })));
  button.dataset.status = todo.status;
  button.addEventListener('click', open);
  return element('li', {}, button);
}

function walk(sheet, event) {
  if (!['ArrowDown', 'ArrowUp'].includes(event.key) || event.target.matches('select, [type=date]')) return;
  const stops = [...sheet.querySelectorAll('#search-words, .found')];
  event.preventDefault();
  stops.at((stops.indexOf(document.activeElement) + (event.key === 'ArrowDown' ? 1 : -1)) % stops.length).focus();
}
