/** Who may see something, from all to nobody else. */
export const AUDIENCES = ['public', 'followers', 'private'];
