// How far what is known of somebody's todos has got.

/**
 * Whether what is known as of a change is past what wrote a todo. A history that was replaced counts from a lower version again; but what
 * happens in it happens later.
 */
export function isPast(asOf, { revision, micros = 0 }) {
  const [version, moment] = (asOf ?? '0-0').split('-').map(Number);
  return revision <= version && micros <= moment;
}
