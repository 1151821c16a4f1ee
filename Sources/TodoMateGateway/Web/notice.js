// Somebody has signed in as me elsewhere, or made a token for my account: who it was, and how to end it.
import './shared.js';
import * as api from './api.js';
import { isNews } from './device.js';
import { device, t } from './words.js';
import './noticeWords.js';

/** Tells of another session by its id. */
export async function tell(id, { model, toasts }) {
  const { uid } = model;
  let found;
  try {
    const { sessions } = await api.sessions(uid);
    found = sessions.find((one) => one.id === id && !one.isCurrent);
  } catch (problem) {
    if (!(problem instanceof api.Refusal)) throw problem;
  }
  // It may be over already, or somebody else be here by now.
  if (!found || uid !== model.uid) return;
  // Not once more when the page is opened the next time.
  isNews(uid, found);
  const place = [device(found.device), found.from].filter(Boolean).join(', ');
  const words = found.kind === 'token' ? t('tokenElsewhere', { name: found.name ?? '?', place }) : t('signedInElsewhere', { place });
  toasts.alert(words, t('notMe'), async () => {
    const answer = await toasts.ask(api.endSession(uid, id).then(() => true));
    if (answer) toasts.show(t('endedElsewhere'));
  });
}
