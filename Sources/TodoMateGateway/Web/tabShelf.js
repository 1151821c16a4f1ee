// What waits to be sent where a browser keeps nothing for all tabs: this one keeps its own, through a reload.
import { checkRoom, joined } from './joined.js';

const isSame = (one, other) => one.ops[0] === other.ops[0];

export class TabShelf {
  isLasting = false;

  /** `held` is what another shelf was to keep and keeps no more: it may have been sent. */
  constructor(drafts, held = []) {
    Object.assign(this, { drafts, writes: drafts.get('writes') ?? [], records: drafts.get('parked') ?? [] });
    const more = held.filter((write) => !this.writes.some((other) => isSame(other, write)));
    this.writes = [...this.writes, ...more.map((write) => ({ ...write, isTried: true }))];
    if (more.length) this.save();
  }

  async all() { return { writes: this.writes, parked: this.records }; }

  async add(write, isJoining) {
    const { writes } = this;
    if (writes.some(({ ops }) => ops.includes(write.ops[0]))) return null;
    const last = writes.findLast(({ id }) => id === write.id);
    const one = isJoining && last && !last.isTried ? joined(last, write) : undefined;
    if (one === undefined) checkRoom(writes.length, this.records.length);
    this.writes = one === undefined ? [...writes, write] : writes.flatMap((other) => (other === last ? one ?? [] : [other]));
    if (!this.save()) {
      this.writes = writes;
      this.save();
      checkRoom(Infinity);
    }
    return one === undefined ? null : { some: [last, write], writes: one ? [one] : [] };
  }

  async take(id) {
    const first = this.writes.find((write) => write.id === id);
    if (first && !first.isTried) {
      this.writes = this.writes.map((write) => (write === first ? { ...first, isTried: true } : write));
      this.save();
    }
    return first;
  }

  async claim(id) { return this.writes.filter((write) => write.id === id); }

  async settle(write, todo, tag) {
    this.writes = this.writes.filter((other) => !isSame(other, write));
    const next = this.writes.find((other) => other.id === write.id);
    if (next && tag) next.tag = tag;
    this.save();
  }

  async replace(some, wanted, record) {
    this.writes = [...wanted, ...this.writes.filter((write) => !some.some((other) => isSame(other, write)))];
    this.save();
    if (record) await this.park(record);
  }

  async park(record) {
    this.records.push(record);
    if (this.save()) return;
    // What does not fit must not keep the rest from being kept.
    this.records.pop();
    this.save();
  }

  async unpark(key) {
    this.records = this.records.filter((record) => record.key !== key);
    this.save();
  }

  /** Answers whether there was room for it. */
  save() {
    this.drafts.set('writes', this.writes);
    return this.drafts.set('parked', this.records);
  }
}
