// How far what is known of somebody's todos has got.

/**
 * Whether what is known as of a change is past what wrote a todo. A history that was replaced counts from a lower version again; but what
 * happens in it happens later.
 */
export function isPast(asOf, { revision, micros = 0 }) {
  const [version, moment] = parts(asOf);
  return revision <= version && micros <= moment;
}

/** Whether a todo was written after a change, and in the same history. */
export function isAfter(asOf, { revision, micros }) {
  const [version, moment] = parts(asOf);
  return revision > version && micros > moment;
}

const parts = (asOf) => (asOf ?? '0-0').split('-').map(Number);
