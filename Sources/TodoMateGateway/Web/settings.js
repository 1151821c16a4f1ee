// My account: what concerns me rather than my todos. Each section is a module of its own, built when it is opened first.
import { element, svg } from './row.js';
import { t } from './words.js';

const CROSS = [['path', { d: 'm6 6 12 12m0-12L6 18' }]];

export class Settings {
  constructor(model, session, toasts) {
    Object.assign(this, { model, session, toasts });
    document.getElementById('my-account').addEventListener('click', () => this.fetch());
  }

  async fetch() {
    const { uid } = this.model;
    const module = await import('./sections.js').catch(() => null);
    if (!module) this.toasts.alert(t('refused', { reason: t('unreachable') }));
    else if (uid === this.model.uid && !this.dialog?.open) this.open(module.SECTIONS);
  }

  open(sections) {
    const dialog = element('dialog', { className: 'settings' });
    const title = element('h2', { id: 'settings-title', tabIndex: -1, autofocus: true, textContent: t('myAccount') });
    const shut = element('button', { type: 'button', className: 'round' }, svg(CROSS));
    shut.setAttribute('aria-label', t('close'));
    shut.addEventListener('click', () => dialog.close());
    dialog.setAttribute('aria-labelledby', title.id);
    dialog.append(element('div', { className: 'settings-head' }, title, shut), ...sections.filter(({ isFor }) => isFor?.(this.model) ?? true).map((section) => this.fold(section)));
    // Arrows and letters typed here are not meant for the board behind.
    dialog.addEventListener('keydown', (event) => event.stopPropagation());
    dialog.addEventListener('click', (event) => { if (event.target === dialog) dialog.close(); });
    dialog.addEventListener('close', () => {
      dialog.remove();
      const account = document.getElementById('account');
      if (!account.hidden && document.activeElement === document.body) account.focus();
    });
    this.dialog = dialog;
    document.body.append(dialog);
    dialog.showModal();
  }

  /** Closes it: who it is about has left. */
  clear() { this.dialog?.close(); }

  /** At the door it closes as well. */
  toggle() { if (this.model.place !== 'board') this.clear(); }

  fold({ key, build }) {
    const summary = element('summary', {}, element('h3', { textContent: t(`settings_${key}`) }));
    const fold = element('details', { className: `setting ${key}` }, summary);
    fold.addEventListener('toggle', () => {
      if (fold.open && fold.children.length === 1) fold.append(build(this));
    });
    return fold;
  }
}
