// One todo in a list: its status, its text and its grip, or the fields to edit it; another user's is read-only.
import { clock } from './dates.js';
import { current, harmless, locale, t } from './words.js';

const SHAPES = [
  ['circle', { class: 'ring', cx: 12, cy: 12, r: 9 }],
  ['path', { class: 'half', d: 'M12 6.5a5.5 5.5 0 0 1 0 11z' }],
  ['path', { class: 'check', d: 'm7.8 12.4 2.9 2.9 5.6-6.1' }],
  ['path', { class: 'cross', d: 'm8.8 8.8 6.4 6.4m0-6.4-6.4 6.4' }],
];
export const SMILE = [
  ['circle', { cx: 12, cy: 12, r: 8.5 }], ['path', { d: 'M8.5 14a4 4 0 0 0 7 0M9 9.6v.1M15 9.6v.1' }],
];
// One shape, not six: each row has them.
export const DOTS = [['path', { d: 'M9 6h.1M15 6h.1M9 12h.1M15 12h.1M9 18h.1M15 18h.1' }]];

// The first of each kind, of which all others are copies: to make each anew takes several times as long.
const models = new Map();

function copy(kind, make) {
  if (!models.has(kind)) models.set(kind, make(kind));
  return models.get(kind).cloneNode(true);
}

/** A picture of these shapes, a constant. */
export const svg = (shapes) => copy(shapes, draw);

function draw(shapes) {
  const space = 'http://www.w3.org/2000/svg';
  const picture = document.createElementNS(space, 'svg');
  picture.setAttribute('viewBox', '0 0 24 24');
  picture.setAttribute('aria-hidden', 'true');
  for (const [name, values] of shapes) {
    const shape = document.createElementNS(space, name);
    for (const [key, value] of Object.entries(values)) shape.setAttribute(key, value);
    picture.append(shape);
  }
  return picture;
}

export const statusIcon = () => svg(SHAPES);

export function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

const rowOf = (id, make) => {
  const row = copy(make, make);
  row.dataset.id = id;
  return row;
};

/** A row that shows no todo yet. */
export const makeRow = (id) => rowOf(id, ownRow);

function ownRow() {
  return element('li', { className: 'row' },
    element('button', { type: 'button', className: 'status', tabIndex: -1 }, statusIcon()),
    element('button', { type: 'button', className: 'words', tabIndex: -1 }, ...said()),
    element('button', { type: 'button', className: 'grip', tabIndex: -1, ariaHasPopup: 'dialog' }, svg(DOTS)), extras());
}

export function fillRow(row, todo, reactions, isShared, goal) {
  if (isFilled(row, todo, reactions, isShared, goal)) return;
  const { content, status } = todo;
  row.classList.toggle('waiting', Boolean(todo.isWaiting));
  fillWords(row, todo, todo.isWaiting ? `(${t('waiting')}) ${todo.detail}` : todo.detail, reactions);
  const isUsual = (todo.visibility ?? 'followers') === 'followers';
  const seenBy = isUsual || !isShared ? '' : t(`visibility_${todo.visibility}`);
  const repeats = todo.repeats ? `↻ ${todo.repeats}` : '';
  set(row.querySelector('.seen-by'), todo.isOnlyShown ? t('shownOnly') : [repeats, seenBy].filter(Boolean).join(' · '));
  set(row.querySelector('.goal'), goal?.name ? harmless(goal.name) : '');
  row.querySelector('.goal').dataset.color = goal?.color ?? '';
  hideEmptyExtras(row);
  label(row.querySelector('.status'), t('statusButton', { content, status: t(status) }));
  row.querySelector('.status').title = t(status);
  label(row.querySelector('.grip'), t('menuButton', { content }));
}

/** Says above a row for what it and those behind it are; false for a row that is not the first. */
export function headRow(row, goal) {
  let head = row.querySelector('.group');
  if (!goal) return head?.remove();
  if (!head) row.prepend(head = element('h3', { className: 'group' }));
  head.dataset.color = goal.color ?? '';
  return set(head, harmless(goal.name));
}

/** A row of another user's list, without a todo yet. */
export const makeReadRow = (id) => rowOf(id, readRow);

function readRow() {
  return element('li', { className: 'row read' },
    element('span', { className: 'status', role: 'img' }, statusIcon()),
    element('div', { className: 'words' }, ...said()),
    element('button', { type: 'button', className: 'react', tabIndex: -1, ariaHasPopup: 'dialog' }, svg(SMILE)), extras());
}

export function fillReadRow(row, todo, reactions) {
  if (isFilled(row, todo, reactions)) return;
  fillWords(row, todo, todo.detail, reactions);
  hideEmptyExtras(row);
  label(row.querySelector('.status'), t(todo.status));
  label(row.querySelector('.react'), t('reactTo', { content: todo.content }));
}

/** Whether a row shows all that already, as most do each time; notes that it will. */
function isFilled(row, todo, reactions, isShared, goal) {
  const key = JSON.stringify([todo, current(), reactions.mineOf(todo), isShared, goal?.name, goal?.color]);
  const isSame = row.filled === key;
  row.filled = key;
  return isSame;
}

const said = () => [element('time', { className: 'at' }), element('span', { className: 'content' }), element('span', { className: 'detail' })];

// What stands under the words: what it is for, who may see it, where that is not the usual, what they link to, and the reactions.
const extras = () => element('div', { className: 'extras' },
  element('span', { className: 'goal' }), element('span', { className: 'seen-by' }), element('span', { className: 'links' }), element('span', { className: 'chips' }));

// Not by `:has(:empty)` in the styles: WebKit 2.50 goes on hiding what is no longer empty.
function hideEmptyExtras(row) {
  const extras = row.querySelector('.extras');
  extras.hidden = ![...extras.children].some((part) => part.hasChildNodes());
}

function fillWords(row, todo, detail, reactions) {
  row.dataset.status = todo.status;
  const at = row.querySelector('.at');
  at.dateTime = todo.time;
  set(at, clock(todo.time, locale()));
  set(row.querySelector('.content'), harmless(todo.content));
  set(row.querySelector('.detail'), harmless(detail));
  fillLinks(row, `${todo.content} ${todo.detail}`);
  reactions.fill(row.querySelector('.chips'), todo);
}

function fillLinks(row, said) {
  const place = row.querySelector('.links');
  if (place.said === said) return;
  place.said = said;
  if (!said.includes('://')) return place.replaceChildren();
  // Few have any: what finds them comes with the first, for which there is room already.
  if (!place.firstChild) place.textContent = '\u00a0';
  import('./links.js').then(({ link }) => { if (place.said === said) link(place, said); }, () => {
    // The address still stands in the words.
    place.replaceChildren();
    place.said = null;
  }).then(() => hideEmptyExtras(row));
}

/**
 * Puts fields in place of a row's words: `typing(fields)` gets what is typed, and `done(fields)` what was, or null when it is to
 * be forgotten.
 */
export function editRow(row, todo, { typing, done }) {
  const content = element('input', { className: 'edit-content', value: todo.content, maxLength: 500 });
  const detail = element('textarea', { className: 'edit-detail', value: todo.detail, maxLength: 10000, rows: 2 });
  detail.placeholder = t('note');
  const time = element('input', { type: 'time', className: 'edit-time', value: todo.time });
  label(content, t('editContent'));
  label(time, t('time'));
  label(detail, t('note'));
  // Safari gives no focus to a button that is clicked: it stays within, so that Cancel does not come after leaving.
  const editor = element('div', { className: 'editor', tabIndex: -1 }, content, time, detail,
    element('div', { className: 'editor-foot' }, element('p', { className: 'hint by-keys', textContent: t('saveHint') }),
      element('button', { type: 'button', className: 'quiet cancel', textContent: t('cancel') }),
      element('button', { type: 'button', className: 'quiet save', textContent: t('save') })));
  let isOver = false;
  const finish = (fields, isByKey) => {
    if (isOver) return;
    isOver = true;
    row.classList.remove('editing');
    editor.remove();
    if (isByKey) words.focus();
    done(fields);
  };
  const typed = () => ({ content: content.value, detail: detail.value, time: time.value });
  editor.querySelector('.cancel').addEventListener('click', () => finish(null, true));
  editor.querySelector('.save').addEventListener('click', () => finish(typed(), true));
  editor.addEventListener('input', () => typing(typed()));
  editor.addEventListener('keydown', (event) => {
    event.stopPropagation();
    // Enter that ends a Korean syllable is no Enter yet.
    if (event.isComposing) return;
    const saves = event.key === 'Enter' && (event.target === content || event.target === time || event.ctrlKey || event.metaKey);
    if (saves || event.key === 'Escape') event.preventDefault();
    if (saves) finish(typed(), true);
    if (event.key === 'Escape') finish(null, true);
  });
  editor.addEventListener('focusout', (event) => {
    // Switching to another window or tab does not leave the field, nor does a page that ends: Firefox tells it of this first.
    if (!editor.contains(event.relatedTarget) && document.hasFocus() && !document.hidden) finish(typed(), false);
  });
  const words = row.querySelector('.words');
  row.classList.add('editing');
  words.before(editor);
  content.focus();
  content.setSelectionRange(content.value.length, content.value.length);
  return { save: () => finish(typed(), false) };
}

function set(target, text) { if (target.textContent !== text) target.textContent = text; }
function label(target, text) { target.setAttribute('aria-label', text); }
