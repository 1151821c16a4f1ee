// What becomes of a link that somebody opens: fetched with one, as most come without.
import './shared.js';
import * as api from './api.js';
import { fetched } from './later.js';
import { t } from './words.js';

/** Shows what the `ticket` of a link is good for; `who` is signed in here, if anyone. */
export async function present(session, ticket, who) {
  const { model, toasts } = session;
  if (ticket.word !== undefined) return welcomeBack(session, ticket, who);
  if (ticket.kind === 'reset' && ticket.user) return model.openTicket(ticket);
  if (ticket.kind === 'mail') return confirm(session, ticket, who);
  if (ticket.kind === 'join' && who) {
    session.enter(who);
    return toasts.alert(t('invitedAlready', { name: ticket.user ?? '?' }));
  }
  try {
    if (ticket.user) {
      const { welcome } = await api.lookAt(ticket.code);
      return model.openTicket({ ...ticket, welcome });
    }
  } catch (error) {
    // The server does not answer: try again. Otherwise the link is not good.
    if (!(error instanceof api.Refusal) || error.isPassing && error.status !== 429) throw error;
    model.openWelcome();
    return toasts.alert(error.status === 429 ? t('tooManyHere') : t(error.status === 403 ? 'joinForbidden' : 'invitationOver'));
  }
  model.openWelcome();
  return toasts.alert(t(ticket.kind === 'reset' ? 'resetOver' : 'invitationOver'));
}

/** Somebody opens a link that was mailed to confirm an address. */
async function confirm(session, ticket, who) {
  const { model, toasts } = session;
  if (who) session.enter(who);
  else model.openWelcome();
  const module = await fetched(() => import('./confirmation.js'), model);
  if (!module) return undefined;
  return ticket.user ? module.ask(ticket, toasts) : toasts.alert(module.over());
}

/** Somebody comes back from a provider: `who` is signed in here, if anyone. */
async function welcomeBack(session, { kind, word, user }, who) {
  const { model, toasts } = session;
  if (who) session.enter(who);
  else model.openWelcome();
  const module = await fetched(() => import('./providers.js'), model);
  if (!module) return undefined;
  const { refusal } = module;
  const provider = model.providers.find(({ id }) => id === word);
  if (kind === 'refused') return toasts.alert(refusal(word));
  if (kind === 'linked') return toasts.show(t('linkedNow', { name: provider?.name ?? word }));
  return provider && !who ? model.openTicket({ kind, provider, user }) : undefined;
}
