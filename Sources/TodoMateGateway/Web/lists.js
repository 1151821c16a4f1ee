// The lists side by side: mine, then those of the people I follow, in my order.
import { tellApart } from './hues.js';
import { openPopup } from './popup.js';
import { PersonList } from './person.js';
import { element } from './row.js';
import { Strip } from './strip.js';
import { t } from './words.js';

const byID = (id) => document.getElementById(id);
const SLACK = 6;

export class Lists {
  /** `relations` opens what knows the rest of a user's menu. */
  constructor(model, reactions, relations) {
    Object.assign(this, { model, reactions, relations, people: new Map() });
    this.list = byID('lists');
    this.strip = new Strip((uid) => (model.view === 'month' ? model.openMonth(uid) : this.reveal(uid)));
    this.list.addEventListener('pointerdown', (event) => this.down(event));
    this.list.addEventListener('dragstart', (event) => event.preventDefault());
  }

  render() {
    const { uid: me, circle } = this.model;
    const shown = circle?.shown.filter((person) => circle.hasColumn(person)).map(({ uid }) => uid) ?? [];
    tellApart(me ? [me, ...shown] : []);
    for (const [uid, list] of this.people) {
      if (shown.includes(uid)) continue;
      const hadFocus = list.panel.contains(document.activeElement);
      list.panel.remove();
      this.people.delete(uid);
      if (hadFocus) byID('day-title').focus();
    }
    const focused = document.activeElement;
    shown.forEach((uid, index) => {
      const list = this.people.get(uid) ?? new PersonList(uid, this.model, this.reactions, this);
      this.people.set(uid, list);
      // My own list stands first.
      if (this.list.children[index + 1] !== list.panel) this.list.insertBefore(list.panel, this.list.children[index + 1] ?? null);
      list.render();
    });
    if (focused !== document.activeElement && this.list.contains(focused)) focused.focus({ preventScroll: true });
    this.strip.name(me ? [me, ...shown] : []);
  }

  /** Scrolls a user's list into view; `behavior` as of `scrollIntoView`. */
  reveal(uid, behavior) {
    this.strip.reveal(uid === this.model.uid ? this.list.firstElementChild : this.people.get(uid)?.panel, behavior);
  }

  clear() {
    for (const { panel } of this.people.values()) panel.remove();
    this.people.clear();
    this.strip.name([]);
  }

  async menu(uid, anchor) {
    const part = await this.relations.open();
    if (!part || !anchor.isConnected) return;
    openPopup(anchor, t('menuButton', { content: uid }), (item) => [
      element('div', { className: 'pair' },
        item('moveLeft', () => this.step(uid, -1)), item('moveRight', () => this.step(uid, 1))),
      ...part.relating.items(uid, item),
    ]);
  }

  async step(uid, by) {
    await this.model.circle.step(uid, by);
    this.model.flush();
    this.people.get(uid)?.panel.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

  // A list is dragged by its head.
  down(event) {
    const panel = event.target.closest('.person');
    const isTouch = event.pointerType !== 'mouse';
    if (!panel || event.button !== 0 || !event.target.closest(isTouch ? '.panel-head .grip' : '.panel-head')) return;
    const ends = new AbortController();
    const { signal } = ends;
    let index = null;
    const end = () => {
      ends.abort();
      panel.classList.remove('lifted');
      this.mark(null);
    };
    addEventListener('pointermove', (other) => {
      if (other.pointerId !== event.pointerId || (index === null && Math.abs(other.clientX - event.clientX) < SLACK)) return;
      panel.classList.add('lifted');
      index = this.indexAt(panel, other.clientX);
      this.mark(panel, index);
    }, { signal });
    addEventListener('pointerup', (other) => {
      if (other.pointerId !== event.pointerId) return;
      end();
      if (index === null) return;
      // The click that ends a drag is none; but not each drag ends with one.
      const swallow = (click) => click.stopPropagation();
      addEventListener('click', swallow, { capture: true, once: true });
      setTimeout(() => {
        removeEventListener('click', swallow, { capture: true });
        this.model.circle?.arrange(panel.dataset.uid, index);
      });
    }, { signal });
    addEventListener('pointercancel', end, { signal });
    addEventListener('keydown', (other) => { if (other.key === 'Escape') end(); }, { signal });
  }

  others(panel) { return [...this.people.values()].map((list) => list.panel).filter((other) => other !== panel).sort(inPage); }

  indexAt(panel, x) {
    return this.others(panel).filter((other) => {
      const place = other.getBoundingClientRect();
      return place.left + place.width / 2 < x;
    }).length;
  }

  mark(panel, index) {
    for (const { panel: other } of this.people.values()) other.classList.remove('gap-left', 'gap-right');
    if (!panel) return;
    const others = this.others(panel);
    if (others[index]) others[index].classList.add('gap-left');
    else others.at(-1)?.classList.add('gap-right');
  }
}

const inPage = (left, right) => (left.compareDocumentPosition(right) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1);
