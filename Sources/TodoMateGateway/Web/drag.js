// Dragging a row: within the list to reorder, onto a day of the calendar to move; by mouse anywhere, by touch at the grip.

const SLACK = 6;      // so many pixels are still a click
const EDGE = 48;      // so near to an edge, what lies beyond scrolls in

export class Drag {
  /** `drop`: toIndex(id, index) and toDay(id, day). */
  constructor(list, drop) {
    this.list = list;
    this.drop = drop;
    list.addEventListener('pointerdown', (event) => this.down(event));
    list.addEventListener('dragstart', (event) => event.preventDefault());
  }

  /** The click that ends a drag is none. */
  swallowsClick() {
    const swallows = this.justDropped;
    this.justDropped = false;
    return Boolean(swallows);
  }

  down(event) {
    this.justDropped = false;
    const row = event.target.closest('.row');
    const isGrip = event.target.closest('.grip');
    if (!row || event.button !== 0 || this.row || event.target.closest('.editor, a')) return;
    if (event.pointerType !== 'mouse' && !isGrip) return;
    this.row = row;
    this.start = { x: event.clientX, y: event.clientY };
    this.pointer = event.pointerId;
    this.ends = new AbortController();
    const { signal } = this.ends;
    const mine = (action) => (other) => { if (other.pointerId === this.pointer) action(other); };
    addEventListener('pointermove', mine((other) => this.moved(other)), { signal });
    addEventListener('pointerup', mine(() => this.up()), { signal });
    addEventListener('pointercancel', mine(() => this.end()), { signal });
    addEventListener('keydown', (other) => {
      if (other.key !== 'Escape' || !this.ghost) return;
      other.preventDefault();
      this.justDropped = true;
      this.end();
    }, { signal, capture: true });
  }

  moved(event) {
    this.at = { x: event.clientX, y: event.clientY };
    const isFar = Math.hypot(this.at.x - this.start.x, this.at.y - this.start.y) > SLACK;
    if (!this.ghost && !isFar) return;
    event.preventDefault();
    if (!this.ghost) this.lift();
    this.follow();
  }

  lift() {
    const place = this.row.getBoundingClientRect();
    this.ghost = this.row.cloneNode(true);
    this.ghost.classList.add('ghost');
    this.ghost.setAttribute('aria-hidden', 'true');
    this.ghost.inert = true;
    this.ghost.style.width = `${place.width}px`;
    this.ghost.style.left = `${place.left}px`;
    this.ghost.style.top = `${place.top}px`;
    // Where it grows small, it stays under the pointer.
    this.ghost.style.transformOrigin = `${this.start.x - place.left}px ${this.start.y - place.top}px`;
    document.body.append(this.ghost);
    this.row.classList.add('lifted');
    document.body.classList.add('dragging');
    getSelection().removeAllRanges();
    this.scrolling = setInterval(() => this.scroll(), 16);
  }

  follow() {
    // A property of its own: as a part of `transform` it would be scaled, too, and leave the ghost behind.
    this.ghost.style.translate = `${this.at.x - this.start.x}px ${this.at.y - this.start.y}px`;
    const under = document.elementFromPoint(this.at.x, this.at.y);
    const cell = under?.closest('.grid:not(.theirs) .cell');
    this.mark(cell);
    this.ghost.classList.toggle('small', Boolean(cell));
    this.target = cell ? { day: cell.dataset.day } : under?.closest('.today') ? { index: this.index() } : null;
    this.markGap(this.target?.index);
  }

  // The place among the other rows: below as many as have their middle above the pointer.
  index() {
    return this.others().filter((row) => {
      const { bottom, height } = row.getBoundingClientRect();
      // The name of a group stands in its first row, and is no part of that.
      return bottom - (height - (row.querySelector('.group')?.offsetHeight ?? 0)) / 2 < this.at.y;
    }).length;
  }

  others() { return [...this.list.children].filter((row) => row !== this.row); }

  mark(cell) {
    document.querySelector('.cell.over')?.classList.remove('over');
    cell?.classList.add('over');
  }

  markGap(index) {
    for (const row of this.list.children) row.classList.remove('gap-above', 'gap-below');
    if (index === undefined) return;
    const others = this.others();
    if (others[index]) others[index].classList.add('gap-above');
    else others.at(-1)?.classList.add('gap-below');
  }

  scroll() {
    const area = this.list.parentElement;
    const place = area.getBoundingClientRect();
    const by = (from, to) => (this.at.y < from + EDGE ? -8 : this.at.y > to - EDGE ? 8 : 0);
    if (this.at.x > place.left && this.at.x < place.right) area.scrollTop += by(place.top, place.bottom);
    const page = by(0, innerHeight);
    if (page) scrollBy(0, page);
    if (page || area.scrollHeight > area.clientHeight) this.follow();
  }

  up() {
    const { target, row } = this;
    if (this.ghost) {
      this.justDropped = true;
      // A drop outside of the row brings no click that would take this back.
      setTimeout(() => { this.justDropped = false; });
    }
    this.end();
    if (target?.day) this.drop.toDay(row.dataset.id, target.day);
    else if (target) this.drop.toIndex(row.dataset.id, target.index);
  }

  end() {
    this.ends.abort();
    clearInterval(this.scrolling);
    this.ghost?.remove();
    this.row.classList.remove('lifted');
    document.body.classList.remove('dragging');
    this.mark(null);
    this.markGap();
    this.row = this.ghost = this.target = null;
  }
}
