// Which panel shows beside the lists, and how much waits behind each tab; the page's title says it all together.
import { t } from './words.js';

const byID = (id) => document.getElementById(id);
const BADGES = { today: 'today', month: 'more', feed: 'feed', people: 'requests' };
const PANELS = { month: 'calendar', feed: 'feed', people: 'people' };

export class Tabs {
  /** `shown(view)` is called once a panel comes into view, `month()` when its tab is pressed. */
  constructor(shown, month) {
    Object.assign(this, { shown, view: 'today', numbers: {}, isSocial: false });
    byID('tabs').addEventListener('click', (event) => {
      const view = event.target.closest('button')?.dataset.view;
      if (view === 'month') month();
      // Without tabs around it, the one button also closes what it opened.
      else if (view) this.show(!this.isSocial && view === this.view ? 'today' : view);
    });
    byID('close-people').addEventListener('click', () => {
      this.show('today');
      byID('tabs').querySelector('[data-view=people]').focus();
    });
  }

  /** Shows `today`, `month`, `feed` or `people`; where there is room, the lists stand beside it, and a small month beside them. */
  show(view) {
    const isNew = view !== this.view;
    this.view = view;
    document.body.dataset.view = view;
    const panel = PANELS[view] ?? PANELS.month;
    for (const id of Object.values(PANELS)) byID(id).hidden = id !== panel;
    this.render();
    if (isNew || view === 'today') this.shown(view);
  }

  /** Takes the numbers of the server: `today`, `feed`, `requests` and `more`. */
  take(numbers) {
    this.numbers = numbers;
    this.render();
  }

  arrange(isSocial) {
    if (isSocial === this.isSocial) return;
    this.isSocial = isSocial;
    document.body.classList.toggle('social', isSocial);
    if (!isSocial && this.view !== 'people') this.show('today');
    this.render();
  }

  render() {
    for (const button of byID('tabs').children) {
      const { view } = button.dataset;
      const count = this.numbers[BADGES[view]] ?? 0;
      const badge = button.querySelector('.badge');
      badge.textContent = count > 99 ? '99+' : count;
      badge.hidden = !count;
      const words = t(`tab_${view}`);
      button.querySelector('.tab-words').textContent = words;
      button.setAttribute('aria-label', count ? t(`badge_${view}`, { count }) : words);
      if (view === this.view) button.setAttribute('aria-current', 'true');
      else button.removeAttribute('aria-current');
    }
    document.title = this.title;
  }

  /** How much is to be looked at now, and whose page it is. */
  get title() {
    const { today = 0, feed = 0, requests = 0 } = this.numbers;
    const count = today + feed + requests;
    return `${count ? `(${count}) ` : ''}${this.uid ? `${this.uid} · ` : ''}TodoMate`;
  }
}
