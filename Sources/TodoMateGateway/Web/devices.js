// Where I am signed in, and how to end that from here; and whether this browser keeps anything for times without a network.
import * as api from './api.js';
import { device as kept, isKeeping, note } from './device.js';
import { entry, Entries, moment } from './entries.js';
import { Verdict } from './fields.js';
import { element } from './row.js';
import { device, t } from './words.js';

export const devicesSection = { key: 'devices', build };

function build({ model }) {
  const { uid } = model;
  const verdict = new Verdict('devices');
  const entries = new Entries(t('settings_devices'), verdict, async () => {
    const { sessions } = await api.sessions(uid);
    const signIns = sessions.filter(({ kind }) => kind === 'sign-in').reverse();
    others.hidden = sessions.length < 2;
    return signIns.map((one) => entry(
      device(one.device),
      [one.isCurrent && t('thisDevice'), one.from, t('since', { time: moment(one.made) }), one.lastUsed && t('lastUsed', { time: moment(one.lastUsed) })],
      t('end'), !one.isCurrent && (() => entries.act(() => api.endSession(uid, one.id), () => t('ended')))));
  });
  const others = element('button', { type: 'button', className: 'primary', id: 'end-others', textContent: t('endOthers'), hidden: true });
  others.addEventListener('click', () => entries.act(() => api.endOtherSessions(uid), ({ ended }) => t('othersEnded', { count: ended })));
  return element('div', { className: 'fields' }, entries.list, verdict.error, others, keeping(model, verdict), verdict.done);
}

function keeping(model, verdict) {
  const tick = element('input', { type: 'checkbox', id: 'keep-here', checked: isKeeping() });
  tick.addEventListener('change', async () => {
    const { uid, todos, actions } = model;
    // What nobody else has yet is not thrown away by the way.
    if (!tick.checked && (todos.unsaved.length || actions.parked.shown.size)) {
      tick.checked = true;
      return verdict.refuse(t('unsavedLeave'), tick);
    }
    verdict.clear();
    const here = tick.checked ? null : await kept();
    note(tick.checked ? 'yes' : 'no');
    await here?.forget(uid);
    return verdict.praise(t(tick.checked ? 'keptFromNow' : 'keptNoMore'));
  });
  return element('label', { className: 'keep' }, tick, element('span', { textContent: t('keepHere') }));
}
