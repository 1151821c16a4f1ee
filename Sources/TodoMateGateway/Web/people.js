// The people panel: followed users, requests, followers, blocks, and what I share; and with it what there is between me and another.
import './shared.js';
import * as api from './api.js';
import { AUDIENCES } from './audiences.js';
import { formatter } from './dates.js';
import { inFull, isUser } from './names.js';
import { avatar } from './person.js';
import { openPopup } from './popup.js';
import { Relating } from './relating.js';
import { element } from './row.js';
import { arrange } from './rows.js';
import { locale, t } from './words.js';

const byID = (id) => document.getElementById(id);
// From this part of the room on there is a hint.
const FULL = 0.9;
const PAGES = { requested: 'requests', following: 'followers', blocked: 'blockedPeople' };

export class People {
  /** `step(uid, by)` moves a user's list. */
  constructor(model, toasts, undo, step) {
    Object.assign(this, { model, toasts, relating: new Relating(model, toasts, undo), step });
    this.panel = byID('people');
    // Nothing in there does anything before.
    this.panel.inert = false;
    byID('follow').addEventListener('submit', (event) => {
      event.preventDefault();
      this.submit();
    });
    byID('block-name').addEventListener('click', () => this.submit('block'));
    for (const field of ['audience', 'visibility']) {
      byID(`my-${field}`).append(...AUDIENCES.map((value) => {
        const input = element('input', { type: 'radio', name: field, value });
        return element('label', {}, input, element('span'));
      }));
      byID(`my-${field}`).addEventListener('change', (event) => this.set(field, event.target.value));
    }
    this.panel.addEventListener('click', (event) => {
      const button = event.target.closest('button[data-act]');
      // The second click of two is meant for what was there before; a place may be given up twice.
      if (!button || (event.detail > 1 && !['up', 'down'].includes(button.dataset.act))) return;
      this.press(button.dataset.act, button.dataset.uid, button);
    });
  }

  /** The panel was opened: reads requests, followers and blocks, and the size of my todos. */
  opened() {
    this.fault('');
    const { circle } = this.model;
    circle.loadSoon(0);
    for (const state of Object.keys(PAGES)) this.toasts.ask(circle.loadPage(state));
  }

  render() {
    const { view, circle } = this.model;
    if (view !== 'people' || !circle) return;
    const focus = document.activeElement?.dataset?.uid !== undefined && { ...document.activeElement.dataset };
    const wasInside = this.panel.contains(document.activeElement);
    const { pages, profile } = circle;
    this.section('following-people', circle.following, circle.following.length, ({ uid, state }, index) => this.line(
      uid, state === 'following' ? '' : t('asked'),
      [['up', '↑', t('moveUp'), index === 0], ['down', '↓', t('moveDown'), index === circle.following.length - 1],
        ['menu', '⋯', t('menu')]]));
    byID('too-many').hidden = circle.shown.length === circle.following.length;
    byID('too-many').textContent = t('tooMany', { count: circle.shown.length });
    const actions = {
      requested: () => [['accept', t('accept')], ['dismiss', t('refuse')], ['menu', '⋯', t('menu')]],
      following: (uid) => [!circle.person(uid) && ['follow', t('followBack')], ['menu', '⋯', t('menu')]],
      blocked: () => [['unblock', t('unblock')]],
    };
    for (const [state, id] of Object.entries(PAGES)) {
      const page = pages[state] ?? { people: [], count: 0 };
      this.section(id, page.people, page.count, (uid) => this.line(uid, '', actions[state](uid)), page.next && state);
    }
    byID('nobody').hidden = circle.following.length > 0;
    for (const field of ['audience', 'visibility']) {
      byID(`my-${field}`).disabled = !profile;
      for (const label of byID(`my-${field}`).querySelectorAll('label')) {
        const [input, words] = label.children;
        input.checked = profile?.[field] === input.value;
        words.textContent = t(`${field}_${input.value}`);
      }
    }
    this.room(profile);
    if (wasInside && !this.panel.contains(document.activeElement)) this.refocus(focus);
  }

  /** How much of their room my todos take. */
  room(profile) {
    const { todos: count, bytes, bytesMost } = profile ?? {};
    byID('my-room').hidden = !bytesMost;
    if (!bytesMost) return;
    const [note, hint] = byID('my-room').querySelectorAll('p');
    note.textContent = t('roomUsed', { count, used: size(bytes), most: size(bytesMost) });
    hint.textContent = bytes > FULL * bytesMost ? t('roomFull') : '';
  }

  section(id, people, count, line, more) {
    const section = byID(id);
    section.hidden = !people.length;
    section.querySelector('.how-many').textContent = count || '';
    const list = section.querySelector('ul');
    // The same people with the same actions stay as they are, and keep the focus.
    const lines = people.map(line);
    if (more) lines.push(element('li', {}, act('more', more, t('showMore'))));
    const stand = [...list.children];
    arrange(list, lines.map((made) => stand.find((other) => other.isEqualNode(made)) ?? made));
  }

  line(uid, note, actions) {
    const name = act('open', uid, '');
    name.className = 'link';
    name.append(avatar(uid), element('span', { textContent: inFull(uid) }));
    if (!this.model.circle.person(uid)) name.disabled = true;
    const made = element('li', { className: 'someone' }, name, element('span', { className: 'note', textContent: note }));
    for (const [name, words, label, isAbsent] of actions.filter(Boolean)) {
      const button = act(name, uid, words);
      button.setAttribute('aria-label', `${label ?? words}: ${uid}`);
      button.classList.toggle('absent', Boolean(isAbsent));
      made.append(button);
    }
    return made;
  }

  // Whose line is gone hands the focus on to what stands nearest.
  refocus(focus) {
    const again = focus && this.panel.querySelector(`[data-act="${focus.act}"][data-uid="${CSS.escape(focus.uid)}"]`);
    // The same person, now in another list.
    const same = focus && this.panel.querySelector(`[data-uid="${CSS.escape(focus.uid)}"]:not([data-act=open])`);
    const near = focus && [...this.panel.querySelectorAll(`[data-act="${focus.act}"]`)].find((button) => button.checkVisibility());
    (again ?? same ?? near ?? byID('follow-name')).focus();
  }

  fault(text) {
    byID('follow-error').textContent = text;
    if (text) byID('follow-name').setAttribute('aria-invalid', 'true');
    else byID('follow-name').removeAttribute('aria-invalid');
  }

  async submit(act = 'follow') {
    const name = byID('follow-name').value.trim();
    if (!isUser(name)) return this.fault(t('userRule'));
    if (name === this.model.uid) return this.fault(t('yourself'));
    if (act === 'block') {
      byID('follow-name').value = '';
      this.fault('');
      byID('follow-name').focus();
      return this.relating.act('block', name);
    }
    if (this.model.circle.person(name)) return this.fault(t('alreadyFollowed', { name }));
    const { busy } = this.relating;
    if (busy.has(name)) return;
    busy.add(name);
    const problem = await this.relating.follow(name);
    busy.delete(name);
    this.fault(problem ?? '');
    // Whoever types elsewhere by now goes on there.
    const { activeElement } = document;
    if (problem && (activeElement === document.body || this.panel.contains(activeElement))) byID('follow-name').focus();
    if (problem) return;
    // The next name may already be written there.
    if (byID('follow-name').value.trim() === name) byID('follow-name').value = '';
  }

  press(name, uid, button) {
    const { model, toasts, relating } = this;
    if (name === 'open') return model.openMonth(uid);
    if (name === 'menu') return openPopup(button, t('menuButton', { content: uid }), (item) => relating.items(uid, item));
    if (name === 'more') return toasts.ask(model.circle.loadPage(uid, true));
    if (name === 'up' || name === 'down') return this.step(uid, name === 'up' ? -1 : 1);
    return relating.act(name, uid, button);
  }

  async set(field, value) {
    const profile = await this.toasts.ask(api.setProfile(this.model.uid, { [field]: value }));
    if (profile) this.model.circle.settings({ settings: profile });
  }
}

/** Bytes as one reads them: `3 kB`, `32 MB`. */
function size(bytes) {
  const [number, unit] = bytes < 2 ** 20 ? [bytes / 2 ** 10, 'kilobyte'] : [bytes / 2 ** 20, 'megabyte'];
  return formatter('NumberFormat', locale(), { style: 'unit', unit, maximumFractionDigits: number < 10 ? 1 : 0 }).format(number);
}

function act(name, uid, textContent) {
  const button = element('button', { type: 'button', className: 'quiet', textContent });
  Object.assign(button.dataset, { act: name, uid });
  return button;
}
