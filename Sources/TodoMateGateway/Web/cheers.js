// Who reacted to one of my todos, and with what: a panel at the numbers, which stays as things are while it is open.
import './shared.js';
import './cheerWords.js';
import * as api from './api.js';
import { wear } from './later.js';
import { inFull, isKnown, learn } from './names.js';
import { avatar } from './person.js';
import { openPopup } from './popup.js';
import { element } from './row.js';
import styles from './cheers.css';
import { reason, t } from './words.js';

// As many as one request tells the names of.
const SHOWN = 100;
wear(styles);

let open = null;

/** Opens the panel of a todo; `react()` opens the one to choose an emoji. */
export function openCheers(anchor, { uid, id, content }, model, react) {
  const list = element('ul', { className: 'cheers', tabIndex: 0, autofocus: true, ariaLive: 'polite' });
  const note = element('p', { className: 'note' });
  note.setAttribute('role', 'status');
  const label = t('whoReacted', { content });
  list.setAttribute('aria-label', label);
  const menu = openPopup(anchor, label, (item) => [element('p', { className: 'legend', textContent: label }), list, note,
    item('react', react, '', false)]);
  let shown;
  const read = async (counts) => {
    shown = counts;
    try {
      const { reactions } = await api.reactions(uid, id, uid);
      const cheers = inOrder(reactions).slice(0, SHOWN);
      const unknown = cheers.map((cheer) => cheer.uid).filter((other) => !isKnown(other));
      if (unknown.length) learn((await api.people(uid, unknown)).people);
      if (!menu.isConnected || shown !== counts) return;
      list.replaceChildren(...cheers.map(line));
      // Those who are away or blocked count all the same.
      const more = Math.max(total(counts), reactions.length) - cheers.length;
      note.textContent = !cheers.length && !more ? t('nobodyReacted') : more > 0 ? t('moreReacted', { count: more }) : '';
    } catch (problem) {
      if (!(problem instanceof api.Refusal)) throw problem;
      note.textContent = reason(problem);
    }
  };
  if (!open) model.on('todos', () => open?.());
  open = () => {
    if (!menu.isConnected) return;
    const counts = JSON.stringify(model.todos?.todo(id)?.reactions ?? {});
    if (counts !== shown) read(counts);
  };
  open();
}

const total = (counts) => Object.values(JSON.parse(counts)).reduce((all, count) => all + count, 0);

/** The emoji that most have chosen first. */
function inOrder(reactions) {
  const counts = new Map();
  for (const { emoji } of reactions) counts.set(emoji, (counts.get(emoji) ?? 0) + 1);
  const compare = (left, right) => (left < right ? -1 : left > right ? 1 : 0);
  return reactions.toSorted((left, right) =>
    counts.get(right.emoji) - counts.get(left.emoji) || compare(left.emoji, right.emoji) || compare(inFull(left.uid), inFull(right.uid)));
}

const line = ({ uid, emoji }) => element('li', {}, avatar(uid), element('span', { textContent: inFull(uid) }),
  element('span', { className: 'emoji', textContent: emoji }));
