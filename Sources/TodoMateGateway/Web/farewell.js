// What somebody may still do whose account is to be deleted: keep it, or take all along.
import './shared.js';
import * as api from './api.js';
import { archiveLink } from './archive.js';
import { keepAccount, readDeletion } from './deletion.js';
import { moment } from './entries.js';
import { Verdict } from './fields.js';
import { element } from './row.js';
import { reason, t } from './words.js';

export class Farewell {
  constructor(uid, session) {
    Object.assign(this, { uid, session, verdict: new Verdict('farewell'), due: null });
    this.card = element('section', { className: 'card' });
    this.main = element('main', { className: 'welcome', id: 'farewell' }, this.card);
    document.getElementById('board').before(this.main);
    this.render();
    this.title.focus();
    this.read();
  }

  get title() { return this.card.querySelector('h2'); }

  close() { this.main.remove(); }

  render() {
    const { uid, due } = this;
    const title = element('h2', { id: 'farewell-title', tabIndex: -1, textContent: t('farewellTitle') });
    const when = element('p', { id: 'farewell-time', textContent: due ? t('farewellTime', { time: moment(due) }) : '' });
    const keep = element('button', { type: 'button', className: 'primary', id: 'keep-account', textContent: t('keepAccount') });
    const leave = element('button', { type: 'button', className: 'quiet', id: 'farewell-leave', textContent: t('signOut') });
    keep.addEventListener('click', () => this.act(async () => {
      await keepAccount(uid);
      this.kept();
    }));
    leave.addEventListener('click', () => this.act(async () => {
      await api.signOut();
      this.gone();
    }));
    this.card.setAttribute('aria-labelledby', title.id);
    const hadFocus = this.card.contains(document.activeElement);
    this.card.replaceChildren(title, when, this.verdict.error, keep, archiveLink(uid, t('archiveTake')), leave);
    if (hadFocus) title.focus();
  }

  read() {
    return this.act(async () => {
      const { due } = await readDeletion(this.uid);
      if (!due) return this.kept();
      this.due = due;
      return this.render();
    });
  }

  /** The account stays. */
  kept() {
    const { uid, session } = this;
    session.tabs.postMessage('changed');
    session.enter(uid);
    session.toasts.show(t('accountKept'));
  }

  /** Its owner has signed out, or there is none any more: nothing stays here. */
  gone(words) {
    this.session.erase(this.uid);
    this.session.tabs.postMessage('gone');
    this.left(words);
  }

  left(words) {
    const { session } = this;
    session.tabs.postMessage('changed');
    session.model.openWelcome();
    if (words) session.toasts.alert(words);
  }

  async act(ask) {
    this.verdict.clear();
    try {
      await ask();
    } catch (problem) {
      if (!(problem instanceof api.Refusal)) throw problem;
      // Its time is over, or this sign-in is.
      const { isPassing, status } = problem;
      const isOver = !isPassing && (status === 404 || status === 401 && this.due && Date.parse(this.due) <= Date.now());
      if (isOver) this.gone(t('farewellOver'));
      else if (!isPassing && status === 401) this.left(t('farewellSignedOut'));
      else this.verdict.refuse(reason(problem));
    }
  }
}
