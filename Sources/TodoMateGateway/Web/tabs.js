// Which panel shows beside the lists, and how much waits behind each tab; the page's title says it all together.
import { t } from './words.js';

const byID = (id) => document.getElementById(id);
const BADGES = { today: 'today', month: 'more', feed: 'feed', people: 'requests' };
const PANELS = { month: 'calendar', feed: 'feed', people: 'people' };

export class Tabs {
  constructor(model) {
    Object.assign(this, { model, isSocial: false });
    byID('tabs').addEventListener('click', (event) => {
      const view = event.target.closest('button')?.dataset.view;
      // It says what it shows, whatever day was looked at.
      if (view === 'today') model.openDay(model.today);
      if (view === 'month') model.openMonth(model.uid);
      // Without tabs around it, the one button also closes what it opened.
      else if (view) model.openView(!model.isSocial && view === model.view ? 'today' : view);
    });
    byID('close-people').addEventListener('click', () => {
      model.openView('today');
      byID('tabs').querySelector('[data-view=people]').focus();
    });
  }

  /** There is another user's list to show, or none any more. */
  arrange() {
    const { isSocial, view } = this.model;
    if (isSocial === this.isSocial) return;
    this.isSocial = isSocial;
    document.body.classList.toggle('social', isSocial);
    if (!isSocial && view !== 'people') this.model.openView('today');
  }

  render() {
    const { view: shown, badges } = this.model;
    document.body.dataset.view = shown;
    const panel = PANELS[shown] ?? PANELS.month;
    for (const id of Object.values(PANELS)) byID(id).hidden = id !== panel;
    for (const button of byID('tabs').children) {
      const { view } = button.dataset;
      const count = badges[BADGES[view]] ?? 0;
      const badge = button.querySelector('.badge');
      badge.textContent = count > 99 ? '99+' : count;
      badge.hidden = !count;
      const words = t(`tab_${view}`);
      button.querySelector('.tab-words').textContent = words;
      button.setAttribute('aria-label', count ? t(`badge_${view}`, { count }) : words);
      if (view === shown) button.setAttribute('aria-current', 'true');
      else button.removeAttribute('aria-current');
    }
    document.title = this.title;
  }

  /** The counts in the title, and whose page it is. */
  get title() {
    const { place, uid, badges: { today = 0, feed = 0, requests = 0 } } = this.model;
    const count = today + feed + requests;
    return `${count ? `(${count}) ` : ''}${place === 'board' && uid ? `${uid} · ` : ''}TodoMate`;
  }
}
