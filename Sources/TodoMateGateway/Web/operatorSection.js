// The place of the operator's section in my account; the rest is fetched when it is opened.
import { fetched } from './later.js';
import { element } from './row.js';
import { t } from './words.js';

export const operatorSection = { key: 'operator', isFor: ({ circle }) => circle.profile?.role === 'operator', build };

function build(settings) {
  const place = element('div', {});
  fetched(() => import('./operator.js'), settings.model).then((module) => {
    place.replaceChildren(module?.build(settings) ?? element('p', { className: 'error', textContent: t('unreachable') }));
  });
  return place;
}
