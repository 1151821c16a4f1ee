// What waits to be sent where a browser keeps nothing for all tabs: this one keeps its own, through a reload.

const isSame = (one, other) => one.ops[0] === other.ops[0];

export class TabShelf {
  isLasting = false;

  constructor(drafts) { Object.assign(this, { drafts, writes: drafts.get('writes') ?? [], records: drafts.get('parked') ?? [] }); }

  async all() { return { writes: this.writes, parked: this.records }; }

  async add(write) {
    if (this.writes.some((other) => isSame(other, write))) return null;
    this.writes.push(write);
    this.save();
    return null;
  }

  async take(id) {
    const first = this.writes.find((write) => write.id === id);
    if (first && !first.isTried) {
      this.writes = this.writes.map((write) => (write === first ? { ...first, isTried: true } : write));
      this.save();
    }
    return first;
  }

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
    this.save();
  }

  async unpark(key) {
    this.records = this.records.filter((record) => record.key !== key);
    this.save();
  }

  save() {
    this.drafts.set('writes', this.writes);
    this.drafts.set('parked', this.records);
  }
}
