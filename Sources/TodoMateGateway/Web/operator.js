// The operator's section: how the workers are, what they refuse, who has an account, and what is announced to all.
import './shared.js';
import { moment } from './entries.js';
import { Verdict } from './fields.js';
import { wear } from './later.js';
import styles from './operator.css';
import { announcing } from './operatorAnnouncement.js';
import * as api from './operatorAPI.js';
import { Accounts } from './operatorAccounts.js';
import { operatorWords } from './operatorWords.js';
import { Refusal } from './api.js';
import { element } from './row.js';
import { locale, reason, t, teach } from './words.js';

const MEBI = 2 ** 20;
let isReady;

/** What goes into the section. */
export function build({ model }) {
  if (!isReady) {
    teach(operatorWords);
    wear(styles);
    isReady = true;
  }
  const verdict = new Verdict('operator');
  const figures = element('ul', { className: 'entries figures', tabIndex: -1 });
  figures.setAttribute('aria-label', t('overview'));
  const refused = element('ul', { className: 'entries' });
  refused.setAttribute('aria-label', t('whatIsRefused'));
  const again = element('button', { type: 'button', className: 'quiet', id: 'look-again', textContent: t('lookAgain') });
  const look = async () => {
    verdict.clear();
    again.disabled = true;
    try {
      show(await api.overview(), figures, refused);
    } catch (problem) {
      if (!(problem instanceof Refusal)) throw problem;
      verdict.refuse(problem.status === 403 ? t('noOperator') : reason(problem));
    } finally {
      again.disabled = false;
    }
  };
  again.addEventListener('click', async () => { await look(); figures.focus(); });
  look();
  return element('div', { className: 'operator' },
    figures, element('h4', { textContent: t('whatIsRefused') }), refused, verdict.error, again,
    element('h4', { textContent: t('announcing') }), announcing(),
    element('h4', { textContent: t('accounts') }), new Accounts(model.uid).element);
}

function show({ accounts, workers, refused, silent }, figures, refusals) {
  const line = (title, ...notes) => element('li', { className: 'entry' }, element('div', {},
    element('p', { textContent: title }), element('p', { className: 'note', textContent: notes.filter(Boolean).join(' · ') })));
  const count = new Intl.NumberFormat(locale());
  figures.replaceChildren(
    line(t('accountCount', { count: count.format(accounts.all) }), t('suspendedCount', { count: count.format(accounts.suspended) }), t('operatorCount', { count: count.format(accounts.operators) })),
    ...workers.map((worker) => line(t('worker', { place: worker.listen, pid: worker.pid }),
      t('workerVersion', { version: worker.version }), t('since', { time: moment(worker.started) }),
      t('streamCount', { count: count.format(worker.streams) }), t('requestCount', { count: count.format(worker.requests) }),
      worker.memory > 0 && t('memory', { size: count.format(Math.round(worker.memory / MEBI)) }),
      !worker.redisConnected && t('redisGone'), worker.writesRefused && t('writesRefused', { reason: worker.writesRefused }),
      worker.unsettled > 0 && t('unsettled', { count: worker.unsettled }))),
    ...(silent ? [line(t('silentWorkers', { count: silent }))] : []));
  const kinds = Object.entries(refused).sort(([, left], [, right]) => right - left);
  refusals.replaceChildren(...(kinds.length ? kinds.map(([kind, number]) => line(why(kind), t('times', { count: count.format(number) }))) : [line(t('nothingRefused'))]));
}

// A later version of the server may know more kinds.
function why(kind) {
  const key = `refused_${kind}`;
  return operatorWords.en[key] ? t(key) : kind;
}
