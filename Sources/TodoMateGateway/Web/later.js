// Parts of the page that come when they are needed first, and styles that come with them.
import * as api from './api.js';

/** What `load()` imports; null where it does not come, which `model` is told: its listeners say so. */
export async function fetched(load, model) {
  try {
    return await load();
  } catch {
    // A server that answers has another version of the part: this page is from before.
    const isOld = await api.session().then(() => true, () => false);
    model.emit('partMissing', isOld);
    return null;
  }
}

/** What `make(module)` makes of a part when it is opened first: `open()` answers it, or null where it does not come; `now` is it by then. */
export function opened(load, model, make) {
  const later = {
    now: null,
    async open() {
      const module = later.now ? null : await fetched(load, model);
      if (module) later.now ??= make(module);
      return later.now;
    },
  };
  return later;
}

/** Lets the page look as this text of a style sheet says. */
export function wear(styles) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  document.adoptedStyleSheets.push(sheet);
}
