// What became of a todo, and which ones were deleted, as far as the log goes back; each can be made what it was.
import './shared.js';
import './pastWords.js';
import * as api from './api.js';
import { format } from './dates.js';
import { moment } from './entries.js';
import { Verdict } from './fields.js';
import { isNote, titleOf } from './notes.js';
import { element } from './row.js';
import { openSheet } from './sheet.js';
import { device, harmless, locale, reason, short, t } from './words.js';

/** Opens what became of a todo of mine, or without an id the list of those that are gone. */
export function openPast(model, id) {
  const { uid, actions } = model;
  const verdict = new Verdict('past');
  const list = element('ul', { className: 'entries', tabIndex: -1 });
  const more = element('button', { type: 'button', className: 'quiet', textContent: t('showMore'), hidden: true });
  const ending = element('p', { className: 'note' });
  ending.setAttribute('role', 'status');
  const title = (todo) => t('historyOf', { content: short(todo ? titleOf(todo) : isNote(id) ? titleOf({ id }) : id) });
  const sheet = openSheet('past', id ? title(model.todos.todo(id)) : t('removedTitle'), [verdict.error, list, more, ending]);
  list.setAttribute('aria-label', sheet.querySelector('h2').textContent);
  // What was read, and the todo as the server had it then.
  let changes = [];
  let now;

  const bringBack = ({ todo }) => {
    sheet.close();
    if (!actions.bringBack(todo, now, t('broughtBack', { content: short(titleOf(todo)) }))) {
      actions.toasts.alert(t('changedSince', { content: short(titleOf(todo)) }));
    }
  };
  const line = (change, older) => {
    const { todo, type, at, device: name } = change;
    const time = moment(at / 1000);
    const isNow = id && now && change === changes[0];
    const isKnown = id && type === 'modified' && older && older.type !== 'removed';
    const what = !id ? titleOf(todo) : isKnown ? differences(todo, older.todo) : t(type === 'added' && older?.type === 'removed' ? 'was_back' : `was_${type}`);
    // What it was then is what comes back.
    const rest = [...(id && type === 'modified' && !isKnown && older !== null ? guessed(change) : []), ...state(todo, Boolean(id))];
    const made = element('li', { className: 'entry' }, element('div', {},
      element('p', { textContent: harmless(what) }),
      element('p', { className: 'note', textContent: harmless(rest.join(' · ')) }),
      element('p', { className: 'note', textContent: [time, name && device(name), isNow && t('isNow')].filter(Boolean).join(' · ') })));
    const act = (words, label, action) => {
      const button = element('button', { type: 'button', className: 'quiet plain', textContent: t(words) });
      button.setAttribute('aria-label', t(label, { content: short(titleOf(todo)), time }));
      button.addEventListener('click', action);
      made.append(button);
    };
    if (!id) act('lookBack', 'lookBackLabel', () => { sheet.close(); openPast(model, todo.id); });
    if (!isNow) act('bringBack', 'bringBackLabel', () => bringBack(change));
    return made;
  };
  const render = ({ since, reach, more: hasMore }) => {
    // What was before the last of them is still to be read.
    list.replaceChildren(...changes.map((change, index) => line(change, changes[index + 1] ?? (hasMore ? null : undefined))));
    more.hidden = !hasMore;
    // When the log began is nothing to one that was added later.
    const isAll = reach === 'whole' && changes.at(-1)?.type === 'added';
    const end = t(`reach_${reach}`, { time: since && !isAll && moment(since / 1000) });
    const nothing = changes.length ? '' : `${t(id ? 'nothingKnown' : 'nothingRemoved')} `;
    ending.textContent = hasMore ? '' : nothing + end;
  };
  let isReading = false;
  const read = async (before) => {
    if (isReading) return;
    isReading = true;
    try {
      const part = await (id ? api.history(uid, id, before) : api.removed(uid, before));
      // A todo that was removed twice comes again with its older removal.
      const seen = new Set(id ? [] : changes.map(({ todo }) => todo.id));
      const place = changes.length;
      changes = [...changes, ...part.changes.filter(({ todo }) => !seen.has(todo.id))];
      if (!before) now = part.todo;
      render(part);
      if (before) (list.children[place]?.querySelector('button') ?? list).focus();
    } catch (problem) {
      if (!(problem instanceof api.Refusal)) throw problem;
      more.hidden = true;
      if (before && problem.status === 404) ending.textContent = t('olderGone');
      else if (problem.status === 404) ending.textContent = t('nothingKnown');
      else verdict.refuse(reason(problem));
    } finally {
      isReading = false;
    }
  };
  more.addEventListener('click', () => read(changes.at(-1).id));
  read();
}

const day = (date) => format(date, locale(), { weekday: 'short', year: 'numeric', month: 'short', day: 'numeric' });
const seenBy = (todo) => t(`visibility_${todo.visibility ?? 'followers'}`);

const quoted = (text) => `“${short(text, 80)}”`;
const fromTo = (from, to) => t('fromTo', { from, to });
const statusFromTo = (from, todo) => fromTo(t(from), t(todo.status));
const visibilityFromTo = (from, todo) => fromTo(t(`visibility_${from}`), seenBy(todo));

/** What a todo was then. */
const state = (todo, withContent) =>
  [...(isNote(todo.id) ? [] : [withContent && quoted(todo.content), t(todo.status)]), [day(todo.date), todo.time].filter(Boolean).join(' '), seenBy(todo),
    todo.detail && `${t('note')}: ${short(todo.detail.trim(), 80)}`].filter(Boolean);

/** Where nothing is known of what there was before: two things that a change tells itself. */
function guessed({ todo, was = {} }) {
  const known = [was.status && statusFromTo(was.status, todo), was.visibility && visibilityFromTo(was.visibility, todo)].filter(Boolean);
  return known.length ? known : [t('unknownBefore')];
}

/** Both texts, from shortly before they begin to differ. */
function textFromTo(before, after) {
  const [were, are] = [[...before], [...after]];
  const differs = are.findIndex((sign, index) => sign !== were[index]);
  const same = differs < 0 ? are.length : differs;
  const begin = same > 60 ? same - 20 : 0;
  const cut = (signs) => quoted((begin ? '…' : '') + signs.slice(begin).join(''));
  return fromTo(cut(were), cut(are));
}

const noteFromTo = (before, after) => (after ? `${t('note')}: ${before ? textFromTo(before, after) : quoted(after)}` : t('noteGone'));

/** What a change made different, in words. */
const differences = (todo, before) => [
  before.content !== todo.content && textFromTo(before.content, todo.content),
  before.detail !== todo.detail && noteFromTo(before.detail.trim(), todo.detail.trim()),
  before.status !== todo.status && statusFromTo(before.status, todo),
  before.date !== todo.date && fromTo(day(before.date), day(todo.date)),
  (before.time ?? '') !== (todo.time ?? '') && fromTo(before.time ?? t('noTime'), todo.time ?? t('noTime')),
  (before.goal ?? '') !== (todo.goal ?? '') && t(todo.goal ? 'goalChanged' : 'goalGone'),
  before.date === todo.date && before.position !== todo.position && t('moved_place'),
  seenBy(before) !== seenBy(todo) && visibilityFromTo(before.visibility ?? 'followers', todo),
  JSON.stringify(before.reactions) !== JSON.stringify(todo.reactions) && t('reactionsChanged'),
].filter(Boolean).join(' · ') || t('writtenAgain');
