// The head of the page: whose board it is, their menu, the language, and whether what shows is saved and live.
import * as api from './api.js';
import { fetched } from './later.js';
import { inFull, nameOf } from './names.js';
import { avatar } from './person.js';
import { element } from './row.js';
import { choose, current, locale, t } from './words.js';

const isToday = (time) => new Date(time).toDateString() === new Date().toDateString();
const byID = (id) => document.getElementById(id);

export class Head {
  constructor(model, toasts) {
    this.model = model;
    byID('language').addEventListener('click', async () => {
      const language = byID('language').lang;
      if (await fetched(() => choose(language).then(() => true), model) === null) return;
      model.emit('language');
      // Where the account has a language, it goes before the browser's.
      const { profile } = model.circle ?? {};
      if (profile?.language) {
        profile.language = language;
        toasts.ask(api.setProfile(model.uid, { language }));
      }
    });
  }

  /** Shows the board, or hides it with all that is open above it. */
  toggle() {
    const { place } = this.model;
    byID('board').hidden = place !== 'board';
    if (place !== 'board') byID('account-menu').hidePopover();
  }

  render() {
    const { uid, signIn, place } = this.model;
    const other = current() === 'ko' ? 'en' : 'ko';
    // Not before it is known whether this is the door, where it stands by itself.
    Object.assign(byID('language'), { lang: other, textContent: { en: 'English', ko: '한국어' }[other], hidden: !place });
    byID('leave').textContent = t(signIn ? 'signOut' : 'change');
    byID('who').textContent = uid ? nameOf(uid) : '';
    byID('whole-name').textContent = uid ? inFull(uid) : '';
    byID('sign').replaceChildren(...(uid ? [avatar(uid)] : []));
    byID('account').setAttribute('aria-label', t('account', { name: inFull(uid ?? '') }));
    for (const id of ['leave', 'account', 'search', 'deleted', 'goals', 'routines', 'whole-name', 'pill', 'tabs']) byID(id).hidden = place !== 'board';
    byID('my-account').hidden = place !== 'board' || !signIn;
    for (const note of document.querySelectorAll('[data-only=open]')) note.hidden = signIn !== false;
  }

  renderPill() {
    const { connection, seenAt, todos } = this.model;
    const format = (time) => new Intl.DateTimeFormat(locale(), { dateStyle: isToday(time) ? undefined : 'short', timeStyle: 'short' }).format(time);
    const count = todos.unsaved.filter((write) => write.isWaiting).length;
    // What is not saved is not live, however well the server can be heard.
    const words = count ? [t('waitingCount', { count })] : [];
    if (seenAt) words.unshift(t('seenAt', { time: format(seenAt) }));
    if (connection !== 'live' || !count) words.unshift(t(connection));
    byID('pill').dataset.state = count && connection === 'live' ? 'reconnecting' : connection;
    if (byID('pill').textContent === words.join(' · ')) return;
    // Where there is no room for all, what is not saved says the most.
    const last = count ? words.pop() : words.splice(0).join(' · ');
    byID('pill').replaceChildren(element('span', {}, element('span', { className: 'more', textContent: words.map((each) => `${each} · `).join('') }), last));
  }
}
