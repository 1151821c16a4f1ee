// What somebody has typed and no server has yet: the tab keeps it through a reload, until they leave.
const PREFIX = 'todomate.typed.';

export class Drafts {
  constructor(uid) {
    this.key = PREFIX + uid;
    this.kept = {};
    try {
      this.kept = JSON.parse(sessionStorage.getItem(this.key)) ?? {};
      // Whoever was here before has left what they typed to nobody.
      for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX) && key !== this.key) sessionStorage.removeItem(key);
    } catch { /* a browser that stores nothing keeps it as long as the page */ }
  }

  get(name) { return this.kept[name]; }

  /** Keeps a value that JSON can hold; without one, nothing. Answers whether there was room for it. */
  set(name, value) {
    if (this.isOver) return true;
    if (value === undefined || value.length === 0) delete this.kept[name];
    else this.kept[name] = value;
    try {
      sessionStorage.setItem(this.key, JSON.stringify(this.kept));
      return true;
    } catch (error) {
      // As above.
      return error.name !== 'QuotaExceededError';
    }
  }

  /** Keeps nothing any more. */
  forget() {
    this.isOver = true;
    this.kept = {};
    try { sessionStorage.removeItem(this.key); } catch { /* as above */ }
  }
}
