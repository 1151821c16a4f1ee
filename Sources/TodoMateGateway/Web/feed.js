// Who added or finished what today, newest first: read when the board says that there is more, and marked as seen.
import './shared.js';
import * as api from './api.js';
import { clock, formatter, zone } from './dates.js';
import { inFull, nameOf } from './names.js';
import { avatar } from './person.js';
import { element, SMILE, svg } from './row.js';
import { arrange } from './rows.js';
import { harmless, locale, reason, t } from './words.js';

const byID = (id) => document.getElementById(id);
const keyOf = ({ type, todo }) => `${todo.uid}/${type}/${todo.id}`;

export class Feed {
  constructor(model, reactions) {
    Object.assign(this, { model, reactions });
    this.clear();
    this.list = byID('feed-list');
    byID('feed-more').addEventListener('click', () => this.load(this.next));
    this.list.addEventListener('click', (event) => this.clicked(event));
    document.addEventListener('visibilitychange', () => this.look());
  }

  clear() {
    Object.assign(this, { items: [], next: undefined, seen: 0, missing: 0, isLoaded: false, problem: '', day: null });
    byID('feed-list').replaceChildren();
  }

  get isShown() { return this.model.view === 'feed' && !document.hidden && Boolean(this.model.uid); }

  /** Reads what is new, when the feed is shown. */
  look() {
    if (this.isShown) this.load();
  }

  // One request at a time; what is wanted meanwhile comes after it.
  async load(before) {
    if (this.isLoading) {
      this.isWanted = true;
      return;
    }
    this.isLoading = true;
    const { uid, zone, today } = this.model;
    try {
      const page = await api.feed(uid, zone, before);
      if (uid === this.model.uid) this.take(page, before, today);
      this.problem = '';
    } catch (error) {
      this.problem = reason(error);
    }
    this.isLoading = false;
    this.render();
    if (this.isWanted) {
      this.isWanted = false;
      this.look();
    }
  }

  take({ items, next, seen, missing = 0 }, before, today) {
    if (this.day !== today) this.items = [];
    // A page that does not reach what is known leaves a gap: begin again from it. So do those who were missing when that was read.
    const known = new Set(this.items.map(keyOf));
    const isJoined = before || !this.missing && (items.some((item) => known.has(keyOf(item))) || !next);
    if (!isJoined) this.items = [];
    if (before || !isJoined || !known.size) this.next = next;
    // What lies within the page and is not in it was taken back.
    if (!before) this.items = this.items.filter((item) => next && item.at < items.at(-1).at);
    const all = new Map([...this.items, ...items].map((item) => [keyOf(item), item]));
    this.items = [...all.values()].sort((left, right) => right.at - left.at);
    // What was new when it came stays marked until the panel is opened again.
    if (!this.isLoaded) this.seen = seen;
    this.missing = before ? Math.max(this.missing, missing) : missing;
    Object.assign(this, { isLoaded: true, day: today });
    const newest = this.items[0]?.at ?? 0;
    // What those did who are missing may be older than that, and must be new when they are back.
    if (this.isShown && !this.missing && newest > seen) api.feedSeen(this.model.uid, newest).catch(() => {});
  }

  /** The panel was opened: what was seen before is old from now on. */
  opened() {
    this.isLoaded = false;
    this.look();
  }

  // What its owner has hidden, deleted, closed or opened again since is not to be seen here either.
  get visible() {
    const { circle } = this.model;
    return this.items.filter(({ type, todo }) => {
      const share = circle.shares.get(todo.uid);
      const now = share?.store.isLoaded ? share.store.todo(todo.id) : todo;
      return circle.person(todo.uid) && share?.access !== 'none' && now && (type !== 'finished' || now.status === 'complete');
    });
  }

  render() {
    if (this.model.view !== 'feed' || !this.model.circle) return;
    const items = this.visible;
    const kept = new Map([...this.list.children].map((row) => [row.dataset.key, row]));
    const rows = items.map((item) => this.fill(kept.get(keyOf(item)) ?? makeItem(keyOf(item), item), item));
    const focused = document.activeElement;
    arrange(this.list, rows);
    if (focused !== document.activeElement && this.list.contains(focused)) focused.focus({ preventScroll: true });
    byID('feed-empty').hidden = items.length > 0 || !this.isLoaded;
    byID('feed-problem').textContent = this.problem;
    byID('feed-missing').textContent = this.missing ? t('feedMissing', { count: this.missing }) : '';
    byID('feed-more').hidden = !this.next;
  }

  fill(row, item) {
    const todo = this.model.circle.store(item.todo.uid)?.todo(item.todo.id) ?? item.todo;
    const [who, what] = row.querySelectorAll('.who-did > *');
    Object.assign(who, { textContent: nameOf(todo.uid), title: inFull(todo.uid) });
    const sign = avatar(todo.uid);
    if (!row.firstChild.isEqualNode(sign)) row.firstChild.replaceWith(sign);
    what.textContent = t(item.type === 'finished' ? 'finishedIt' : 'addedIt');
    row.querySelector('.content').textContent = harmless(todo.content);
    Object.assign(row.querySelector('.at'), { dateTime: todo.time ?? '', textContent: clock(todo.time ?? '', locale()) });
    const at = new Date(item.at / 1000);
    const time = row.querySelector('time');
    time.dateTime = at.toISOString();
    time.textContent = formatter('DateTimeFormat', locale(), { timeStyle: 'short', timeZone: zone() }).format(at);
    row.dataset.type = item.type;
    row.classList.toggle('new', item.at > this.seen);
    row.querySelector('.react').setAttribute('aria-label', t('reactTo', { content: todo.content }));
    this.reactions.fill(row.querySelector('.chips'), todo);
    row.todo = todo;
    return row;
  }

  clicked(event) {
    const button = event.target.closest('button');
    const { todo } = button?.closest('li') ?? {};
    if (!todo) return;
    if (button.matches('.chip')) this.reactions.toggle(todo, button.dataset.emoji);
    else if (button.matches('.react')) this.reactions.open(button, todo);
    else this.model.openMonth(todo.uid);
  }
}

function makeItem(key, { todo }) {
  const row = element('li', { className: 'item' }, avatar(todo.uid),
    element('div', {},
      element('p', { className: 'who-did' },
        element('button', { type: 'button', className: 'link' }), element('span'), element('time')),
      element('time', { className: 'at' }), element('p', { className: 'content' }), element('span', { className: 'chips' })),
    element('button', { type: 'button', className: 'react' }, svg(SMILE)));
  row.querySelector('.react').setAttribute('aria-haspopup', 'dialog');
  row.dataset.key = key;
  return row;
}
