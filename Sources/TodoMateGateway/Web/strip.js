// The strip of lists: how many have room, which are in view, and the ways to the others.
import { faceOf, inFull, nameOf } from './names.js';
import { showPerson } from './person.js';
import { element } from './row.js';

const byID = (id) => document.getElementById(id);
const ROOMY = 292;   // the least width of a list where all have room (as in strip.css)
const LEAST = 256;   // and where they do not
const GAP = 16;
const PEEK = 64;     // what shows of the lists beyond, left and right together
const SEEN = 0.6;    // the part of a list that makes it count as in view

export class Strip {
  /** `chosen(uid)` is called when a user's name is pressed. */
  constructor(chosen) {
    Object.assign(this, { lists: byID('lists'), pages: byID('pages'), seen: new Set() });
    this.sight = new IntersectionObserver((entries) => this.saw(entries), { root: this.lists, threshold: SEEN });
    new ResizeObserver(() => this.fit()).observe(byID('strip'));
    for (const scroller of [this.lists, this.pages]) scroller.addEventListener('scroll', () => this.markEdges(), { passive: true });
    this.lists.addEventListener('keydown', (event) => this.pressed(event));
    this.pages.addEventListener('click', (event) => {
      const { uid } = event.target.closest('button')?.dataset ?? {};
      if (uid) chosen(uid);
    });
    byID('lists-before').addEventListener('click', () => this.turn(-1));
    byID('lists-after').addEventListener('click', () => this.turn(1));
  }

  /** Says whose lists there are, mine first. */
  name(uids) {
    const named = uids.map((uid) => `${uid} ${faceOf(uid)} ${nameOf(uid)}`).join();
    if (named === this.named) return;
    this.named = named;
    byID('pager').hidden = uids.length < 2;
    this.pages.replaceChildren(...(uids.length < 2 ? [] : uids.map((uid) => {
      const button = element('button', { type: 'button', title: inFull(uid) });
      showPerson(button, uid);
      button.dataset.uid = uid;
      return button;
    })));
    this.sight.disconnect();
    this.seen.clear();
    for (const panel of this.lists.children) this.sight.observe(panel);
    // With the frame, as it takes a layout, and more may come that needs another one.
    cancelAnimationFrame(this.fitting);
    this.fitting = requestAnimationFrame(() => this.fit());
  }

  // Where not all have room, so many of one width that the next ones peek in.
  fit() {
    const room = byID('strip').clientWidth;
    const spills = this.lists.children.length > Math.floor((room + GAP) / (ROOMY + GAP));
    byID('strip').classList.toggle('spills', spills);
    byID('strip').style.setProperty('--count', Math.max(1, Math.floor((room - PEEK) / (LEAST + GAP))));
    this.markEdges();
  }

  saw(entries) {
    for (const { target, intersectionRatio } of entries) {
      if (intersectionRatio >= SEEN) this.seen.add(target);
      else this.seen.delete(target);
    }
    // Between two lists, and where none shows, the last one stays marked.
    if (this.seen.size) this.mark();
  }

  mark() {
    const panels = [...this.lists.children];
    const current = panels.findIndex((panel) => this.seen.has(panel));
    [...this.pages.children].forEach((button, index) => {
      button.classList.toggle('seen', this.seen.has(panels[index]));
      if (index !== current) return button.removeAttribute('aria-current');
      return button.setAttribute('aria-current', 'true');
    });
    for (const at of [panels.findLastIndex((panel) => this.seen.has(panel)), current]) {
      this.pages.children[at]?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    }
  }

  // Where there is more to scroll to, the edge is soft.
  markEdges() {
    for (const scroller of [this.lists, this.pages]) {
      const { scrollLeft, scrollWidth, clientWidth } = scroller;
      scroller.toggleAttribute('data-before', scrollLeft > 4);
      scroller.toggleAttribute('data-after', scrollLeft < scrollWidth - clientWidth - 4);
    }
    // Not `disabled`: who pressed it keeps the focus.
    for (const way of ['before', 'after']) byID(`lists-${way}`).ariaDisabled = String(!this.lists.hasAttribute(`data-${way}`));
  }

  /** Scrolls a list into view; `behavior` as of `scrollIntoView`. */
  reveal(panel, behavior) { panel?.scrollIntoView({ behavior, block: 'nearest', inline: 'start' }); }

  // To the lists that do not show yet.
  turn(by) {
    const panels = [...this.lists.children];
    const isSeen = (panel) => this.seen.has(panel);
    const next = by > 0 ? panels.findLastIndex(isSeen) + 1 : panels.findIndex(isSeen) - 1;
    panels[next]?.scrollIntoView({ block: 'nearest', inline: by > 0 ? 'start' : 'end' });
  }

  // The arrow keys lead from list to list; fields need them for themselves.
  pressed(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const hasModifier = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
    if (!by || hasModifier || event.defaultPrevented || event.target.closest('input, textarea')) return;
    const panels = [...this.lists.children];
    const panel = panels[panels.indexOf(event.target.closest('.panel')) + by];
    const stop = panel?.querySelector('button:is(.words, .react):not([tabindex="-1"])') ?? panel?.querySelector('.name, #day-title');
    if (!stop) return;
    event.preventDefault();
    stop.focus({ preventScroll: true });
    stop.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    panel.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }
}
