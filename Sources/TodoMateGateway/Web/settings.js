// My account: what concerns me rather than my todos. Each section is a module of its own, built when it is opened first.
import { element } from './row.js';
import { t } from './words.js';

export class Settings {
  constructor(model, session, toasts) { Object.assign(this, { model, session, toasts }); }

  /** `sheet` imports what a sheet needs. */
  async open(sheet) {
    const module = await sheet(() => import('./sections.js'));
    if (module && !this.dialog?.open) this.dialog = module.openSections(this.model, (section) => this.fold(section));
  }

  fold({ key, build }) {
    const summary = element('summary', {}, element('h3', { textContent: t(`settings_${key}`) }));
    const fold = element('details', { className: `setting ${key}` }, summary);
    fold.addEventListener('toggle', () => {
      if (fold.open && fold.children.length === 1) fold.append(build(this));
    });
    return fold;
  }
}
