// Three things to know, for who has no todo yet; they stay until there is one or they are taken note of, which this browser remembers.
const KEY = 'todomate.greeted.';
const byID = (id) => document.getElementById(id);

export class Greeting {
  /** `taken()` once it is taken note of: what stood behind it shows. */
  constructor(model, taken) {
    this.model = model;
    byID('greeted').addEventListener('click', () => {
      this.leave();
      taken();
      byID('new').focus();
    });
  }

  leave() {
    const { uid } = this.model;
    try { localStorage.setItem(KEY + uid, 'yes'); } catch { /* a browser that stores nothing greets again next time */ }
    this.greeted = uid;
  }

  /** Whether it stands above the list: from the first look at an empty one until there is something in it, or it is taken note of. */
  render() {
    const { uid, todos } = this.model;
    if (todos.isLoaded && !todos.days.size && this.shownTo !== uid && !isGreeted(uid)) this.shownTo = uid;
    if (todos.days.size && this.shownTo === uid && this.greeted !== uid) this.leave();
    byID('greeting').hidden = !uid || this.shownTo !== uid || this.greeted === uid;
  }
}

function isGreeted(uid) {
  try { return localStorage.getItem(KEY + uid) !== null; } catch { return false; }
}
