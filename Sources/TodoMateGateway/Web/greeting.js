// Three things to know, for who has no todo yet; they stay until they are taken note of, which this browser remembers.
const KEY = 'todomate.greeted.';
const byID = (id) => document.getElementById(id);

export class Greeting {
  constructor(model) {
    this.model = model;
    byID('greeted').addEventListener('click', () => {
      try { localStorage.setItem(KEY + model.uid, 'yes'); } catch { /* a browser that stores nothing greets again next time */ }
      this.greeted = model.uid;
      this.render();
      byID('new').focus();
    });
  }

  /** Whether it stands above the list; from the first look at an empty one until it is taken note of. */
  render() {
    const { uid, todos } = this.model;
    if (todos.isLoaded && !todos.days.size && this.shownTo !== uid && !isGreeted(uid)) this.shownTo = uid;
    byID('greeting').hidden = !uid || this.shownTo !== uid || this.greeted === uid;
  }
}

function isGreeted(uid) {
  try { return localStorage.getItem(KEY + uid) !== null; } catch { return false; }
}
