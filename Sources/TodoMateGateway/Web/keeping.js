// Whose things are kept on this device, and when they go.
import { device, hasKept, note } from './device.js';
import { t } from './words.js';

export class Keeping {
  constructor(model, toasts) { Object.assign(this, { model, toasts }); }

  /** Who was here last: where nobody signs in, whom the address names. */
  async user(named) {
    if (!hasKept()) return undefined;
    const users = await device().then((kept) => kept?.users()).catch(() => null) ?? [];
    return users.find(({ uid, door, seen }) => seen && (door.signIn || uid === named));
  }

  /** Where a user's things are kept from now on, or null; what somebody else left there is gone. */
  async shelf(uid) {
    const { model, toasts } = this;
    const { signIn, registration, inviters, providers, mail } = model;
    const kept = await device();
    const shelf = await kept?.begin(uid, { signIn, registration, inviters, providers, mail });
    if (!shelf) return null;
    note('yes');
    if (shelf.dropped && uid === model.uid) toasts.alert(t('dropped'));
    return shelf;
  }

  /**
   * Whoever was here is not known any more: what was seen goes, and what they wrote and nobody has waits for them. Nothing goes of who is
   * `present` by now, as another tab knows.
   */
  async forgetSeen(present) {
    if (!hasKept()) return;
    const { model, toasts } = this;
    const kept = await device();
    for (const { uid, door } of await kept?.users() ?? []) {
      if (uid === present) continue;
      const count = door.signIn ? await kept.forgetSeen(uid) : 0;
      // Whoever still has the page of before sees that there.
      if (count && model.place === 'welcome' && !model.uid) toasts.alert(t('waitingFor', { count, name: uid }));
    }
  }

  /** Keeps nothing of somebody any more. */
  async forget(uid) {
    const kept = await device();
    // Others may be here, in other tabs.
    if (kept && !await kept.forget(uid)) note('');
  }
}
