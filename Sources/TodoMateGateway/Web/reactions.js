// One emoji a person and todo: the counts under a todo, and the panel to choose one.
import * as api from './api.js';
import { fetched } from './later.js';
import { openPopup } from './popup.js';
import { element } from './row.js';
import { reason, short, t } from './words.js';

const OFTEN = ['👍', '❤️', '🎉', '👏', '😄', '💪', '🙏', '👀'];
const keyOf = ({ uid, id }) => `${uid}/${id}`;

export class Reactions {
  constructor(model, toasts, undo) {
    Object.assign(this, { model, toasts, undo, mine: new Map(), asking: Promise.resolve() });
  }

  clear() { this.mine.clear(); }

  /** Mine for a todo: '' for none, and undefined where nobody has asked yet. */
  mineOf(todo) { return this.mine.get(keyOf(todo)); }

  /** Writes the counts of a todo into an element, most chosen first; mine is marked. At my own todos they open who it was. */
  fill(place, todo) {
    const counts = Object.entries(todo.reactions ?? {}).sort(([, left], [, right]) => right - left);
    const mine = counts.length ? this.mine.get(keyOf(todo)) : '';
    if (mine === undefined) this.ask(todo);
    const isOwn = todo.uid === this.model.uid;
    while (place.children.length > counts.length) place.lastElementChild.remove();
    counts.forEach(([emoji, count], index) => {
      const chip = place.children[index] ?? place.appendChild(makeChip());
      if (chip.dataset.emoji !== emoji) chip.firstChild.textContent = emoji;
      if (chip.lastChild.textContent !== String(count)) chip.lastChild.textContent = count;
      chip.dataset.emoji = emoji;
      chip.setAttribute('aria-label', t('chip', { emoji, count }));
      chip.classList.toggle('mine', emoji === mine);
      chip.setAttribute(...(isOwn ? ['aria-haspopup', 'dialog'] : ['aria-pressed', String(emoji === mine)]));
    });
  }

  // A todo tells how many, not who: what is mine is asked for once, one todo after another.
  ask(todo) {
    this.mine.set(keyOf(todo), '');
    this.asking = this.asking.then(() => this.learn(todo)).catch(() => {});
  }

  async learn(todo) {
    const { uid } = this.model;
    if (!uid) return '';
    const before = this.mine.get(keyOf(todo));
    const { reactions } = await api.reactions(todo.uid, todo.id, uid);
    const mine = reactions.find((reaction) => reaction.uid === uid)?.emoji ?? '';
    // What was chosen here meanwhile is newer than this answer.
    if (mine !== before && before === this.mine.get(keyOf(todo))) this.keep(todo, mine);
    return mine;
  }

  keep(todo, emoji) {
    this.mine.set(keyOf(todo), emoji);
    this.model.emit('reactions');
  }

  /** Gives an emoji, or takes it back when it is the one that I gave. */
  toggle(todo, emoji) { return this.give(todo, (mine) => (mine === emoji ? '' : emoji)).catch((error) => this.refused(error)); }

  give(todo, choose) { return this.undo.awaits(this.tryGive(todo, choose)); }

  async tryGive(todo, choose) {
    const { uid } = this.model;
    const before = await this.learn(todo);
    const emoji = choose(before);
    await this.put(todo, emoji);
    if (emoji === before || uid !== this.model.uid) return;
    this.undo.did(`${emoji || before} “${short(todo.content)}”`, () => this.takeBack(todo, emoji, before), false);
  }

  // What was mine before is so again, unless I have chosen another one elsewhere since.
  async takeBack(todo, given, before) {
    try {
      const isMine = await this.learn(todo) === given;
      if (isMine) await this.put(todo, before);
      else this.toasts.alert(t('notUndone', { content: short(todo.content) }));
      return isMine;
    } catch (error) {
      this.refused(error);
      return error.isPassing ? null : false;
    }
  }

  refused(error) {
    this.toasts.alert(t('refused', { reason: error.kind === 'invalid' ? t('noEmoji') : reason(error, { full: 'tooManyReactions' }) }));
  }

  async put({ uid, id }, emoji) {
    const me = this.model.uid;
    await (emoji ? api.react(uid, id, me, emoji) : api.unreact(uid, id, me));
    this.keep({ uid, id }, emoji);
  }

  /** Shows who reacted to a todo of mine. */
  async who(anchor, todo) {
    const module = await fetched(() => import('./cheers.js'), this.model);
    if (anchor.isConnected && todo.uid === this.model.uid) module?.openCheers(anchor, todo, this.model, () => this.open(anchor, todo));
  }

  open(anchor, todo) {
    openPopup(anchor, t('reactTo', { content: todo.content }), (item, close) => {
      const buttons = OFTEN.map((emoji) => {
        const button = element('button', { type: 'button', className: 'emoji', textContent: emoji });
        button.dataset.emoji = emoji;
        button.addEventListener('click', () => {
          close();
          this.toggle(todo, emoji);
        });
        return button;
      });
      const mark = () => {
        const mine = this.mine.get(keyOf(todo));
        for (const button of buttons) button.setAttribute('aria-pressed', String(button.dataset.emoji === mine));
      };
      mark();
      this.learn(todo).then(mark, () => {});
      const field = element('input', { maxLength: 40, placeholder: t('anyEmoji'), autocomplete: 'off' });
      field.setAttribute('aria-label', t('anyEmoji'));
      const form = element('form', { className: 'move' }, field,
        element('button', { type: 'submit', className: 'go', textContent: '→', ariaLabel: t('react') }));
      form.addEventListener('submit', (event) => {
        event.preventDefault();
        const emoji = field.value.trim();
        if (!emoji) return field.focus();
        // What was typed stays until it is saved.
        return this.give(todo, () => emoji).then(close, (error) => this.refused(error));
      });
      return [element('div', { className: 'emojis' }, ...buttons), form];
    });
  }
}

const makeChip = () => element('button', { type: 'button', className: 'chip' },
  element('span', { className: 'emoji' }), element('span', {}));
