// A press that stays for half a second, by mouse, finger or pen.
const LONG = 500;
const SLACK = 8;

/** Calls `held(target)` for what `selector` names under `root`; the click that ends such a press is none. */
export function onHold(root, selector, held) {
  root.addEventListener('pointerdown', (event) => {
    const target = event.target.closest(selector);
    if (!target || event.button !== 0) return;
    const ends = new AbortController();
    const { signal } = ends;
    const timer = setTimeout(() => {
      const swallow = (click) => { click.preventDefault(); click.stopPropagation(); };
      root.addEventListener('click', swallow, { capture: true, once: true });
      // Not each press ends with a click.
      addEventListener('pointerup', () => setTimeout(() => root.removeEventListener('click', swallow, true)), { once: true });
      held(target);
    }, LONG);
    const end = () => { clearTimeout(timer); ends.abort(); };
    addEventListener('pointermove', (other) => {
      if (Math.hypot(other.clientX - event.clientX, other.clientY - event.clientY) > SLACK) end();
    }, { signal });
    for (const name of ['pointerup', 'pointercancel']) addEventListener(name, end, { signal });
  });
  // A finger that stays would open the browser's own menu.
  root.addEventListener('contextmenu', (event) => { if (event.target.closest(selector) && event.pointerType === 'touch') event.preventDefault(); });
}
