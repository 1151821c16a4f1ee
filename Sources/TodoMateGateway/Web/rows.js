// A list of todos drawn by id, so that focus, fields and motion survive each change.
const calm = matchMedia('(prefers-reduced-motion: reduce)');
const GLIDING = 60;       // more rows are not followed by any eye, and each change would take a layout of them all

/** Makes `rows` the children of a list, and leaves those in place untouched: a press on one continues, and the focus stays. */
export function arrange(list, rows) {
  for (const row of [...list.children]) if (!rows.includes(row)) row.remove();
  rows.forEach((row, index) => {
    if (list.children[index] !== row) list.insertBefore(row, list.children[index] ?? null);
  });
}

export class Rows {
  constructor(list) {
    this.list = list;
    this.rows = new Map();
    this.current = null;
    list.addEventListener('focusin', (event) => this.setCurrent(event.target.closest('.row')));
  }

  /** Shows a day's todos; `make(id)` makes a row, `fill(row, todo, index)` writes into it. */
  draw(todos, day, make, fill) {
    const focused = document.activeElement;
    // Where none comes, goes or moves, nothing glides, and the browser needs no layout for it.
    const isCalm = calm.matches || todos.length > GLIDING;
    const isSame = todos.length === this.rows.size && todos.every(({ id }, index) => this.list.children[index] === this.rows.get(id));
    const before = !isCalm && this.day === day && this.rows.size && !isSame ? this.places() : null;
    const ids = new Set(todos.map((todo) => todo.id));
    for (const [id, row] of this.rows) if (!ids.has(id)) this.leave(id, row);
    todos.forEach((todo, index) => {
      const row = this.rows.get(todo.id) ?? make(todo.id);
      this.rows.set(todo.id, row);
      fill(row, todo, index);
      if (this.list.children[index] !== row) this.list.insertBefore(row, this.list.children[index] ?? null);
    });
    // A row that is put elsewhere loses the focus; it is the same row, so it gets it back.
    if (focused !== document.activeElement && this.list.contains(focused)) focused.focus({ preventScroll: true });
    this.setCurrent(this.current?.isConnected ? this.current : this.list.firstElementChild);
    if (before) this.glide(before);
    this.day = day;
  }

  // The others close the gap, and the keyboard's place stays.
  leave(id, row) {
    const hadFocus = row.contains(document.activeElement);
    const next = row.nextElementSibling ?? row.previousElementSibling;
    row.remove();
    this.rows.delete(id);
    if (this.current === row) this.current = next;
    if (hadFocus) (next?.querySelector(this.stop) ?? this.refuge).focus();
  }

  places() { return new Map([...this.rows].map(([id, row]) => [id, row.offsetTop])); }

  glide(before) {
    for (const [id, row] of this.rows) {
      const from = before.get(id);
      const by = from === undefined ? 0 : from - row.offsetTop;
      if (by) row.animate([{ transform: `translateY(${by}px)` }, { transform: 'none' }], { duration: 180, easing: 'ease-out' });
      else if (from === undefined) row.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 180 });
    }
  }

  // One row at a time is on the Tab key's way; arrows walk through the rest.
  setCurrent(row) {
    if (!row) return;
    this.current = row;
    for (const other of this.rows.values()) {
      const stop = other === row ? 0 : -1;
      for (const part of other.querySelectorAll('button, a')) if (part.tabIndex !== stop) part.tabIndex = stop;
    }
  }

  walk(by) {
    const kind = document.activeElement.classList[0];
    const row = by > 0 ? this.current.nextElementSibling : this.current.previousElementSibling;
    (row?.querySelector(`.${kind}`) ?? row?.querySelector(this.stop))?.focus();
  }
}
