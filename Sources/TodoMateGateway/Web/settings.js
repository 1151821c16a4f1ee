// My account: what concerns me rather than my todos. Each section is a module of its own, built when it is opened first.
import { fetched } from './later.js';
import { element } from './row.js';
import { t } from './words.js';

export class Settings {
  constructor(model, session, toasts) {
    Object.assign(this, { model, session, toasts });
    document.getElementById('my-account').addEventListener('click', () => this.fetch());
  }

  async fetch() {
    const { uid } = this.model;
    const module = await fetched(() => import('./sections.js'), this.model);
    if (module && uid === this.model.uid && !this.dialog?.open) this.dialog = module.openSections(this.model, (section) => this.fold(section));
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
