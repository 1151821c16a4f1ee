// Somebody has signed in as me elsewhere: who it was, and how to end it.
import * as api from './api.js';
import { device, t } from './words.js';

export class Notice {
  constructor(model, toasts) { Object.assign(this, { model, toasts }); }

  /** Tells of a sign-in by its id. */
  async tell(id) {
    const { uid } = this.model;
    let found;
    try {
      const { sessions } = await api.sessions(uid);
      found = sessions.find((one) => one.id === id && !one.isCurrent);
    } catch (problem) {
      if (!(problem instanceof api.Refusal)) throw problem;
    }
    // It may be over already, or somebody else be here by now.
    if (!found || uid !== this.model.uid) return;
    const place = [device(found.device), found.from].filter(Boolean).join(', ');
    this.toasts.alert(t('signedInElsewhere', { place }), t('notMe'), () => this.end(uid, id));
  }

  async end(uid, id) {
    const answer = await this.toasts.ask(api.endSession(uid, id).then(() => true));
    if (answer) this.toasts.show(t('endedElsewhere'));
  }
}
