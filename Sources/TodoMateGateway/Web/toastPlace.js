// Where short messages stand, so that they cover nothing: right above the composer, on room that my list leaves them; where that is out of
// sight at the foot of the page, which leaves it.
import { makeRoom } from './inSight.js';

const GAP = 8;

/** Answers what is to be called when a message came or went. */
export function toastPlace(area) {
  const { body } = document;
  const [composer, board, welcome] = ['composer', 'board', 'welcome'].map((id) => document.getElementById(id));
  const list = composer.parentElement.querySelector('.list-area');
  let reserved = '';
  let stood = '';
  const isInSight = () => {
    const { width, left, right, top, bottom } = composer.getBoundingClientRect();
    const hasRoom = top > area.offsetHeight + GAP && bottom < innerHeight + 1;
    return width > 0 && left > -1 && right < innerWidth + 1 && hasRoom;
  };
  const stands = () => {
    const { left, top, width } = composer.getBoundingClientRect();
    return [left, top, width, area.offsetHeight].join();
  };
  const reserve = () => {
    const height = area.childElementCount ? area.offsetHeight + GAP : 0;
    const room = `${height}px`;
    // Whoever scrolls meanwhile is left alone.
    if (reserved === room) return;
    reserved = room;
    const wasAtEnd = list.scrollTop > 0 && list.scrollTop + list.clientHeight > list.scrollHeight - 2;
    makeRoom(height, () => {
      for (const part of [list, board, welcome]) part.style.setProperty('--toasts', room);
      if (wasAtEnd) list.scrollTop = list.scrollHeight;
    });
  };
  const place = () => {
    const isApart = area.childElementCount > 0 && !isInSight();
    body.classList.toggle('toasts-apart', isApart);
    if (isApart || !area.childElementCount) area.removeAttribute('style');
    else area.style.width = `${composer.offsetWidth}px`;
    reserve();
    if (isApart || !area.childElementCount) return;
    const { left, top } = composer.getBoundingClientRect();
    stood = stands();
    Object.assign(area.style, { left: `${left}px`, right: 'auto', bottom: `${innerHeight - top + GAP / 2}px` });
  };
  let due = 0;
  // What moves the composer moves them, but not before there are any.
  const soon = () => {
    if (area.childElementCount) due ||= requestAnimationFrame(() => { due = 0; place(); });
  };
  const sizes = new ResizeObserver(() => { if (stands() !== stood) soon(); });
  // A list that grows moves the composer without another size of its own.
  for (const part of [area, composer, list]) sizes.observe(part);
  addEventListener('resize', soon);
  addEventListener('scroll', soon, { capture: true, passive: true });
  return place;
}
