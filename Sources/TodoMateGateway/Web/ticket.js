// What a link lets somebody do, once: make an account, set another password, or confirm an address of mail; and what became of a way to a provider. It stands behind the # of the address, which
// browsers send to no server, and leaves it as soon as it is read.
import { isUser } from './names.js';

const KINDS = ['join', 'reset', 'mail'];

// What the server says behind the # of those who come back from a provider.
const RETURNS = ['arrive', 'linked', 'refused'];

/**
 * The ticket in the address: `{ kind, user, secret, code }`, or of somebody who comes back `{ kind, word, user }`; null for none. No
 * name of a user has a `=`.
 */
export function takeTicket() {
  const [kind, code] = location.hash.slice(1).split('=');
  if (code === undefined || !KINDS.includes(kind) && !RETURNS.includes(kind)) return null;
  // Neither the history nor a picture of the window holds it from now on.
  history.replaceState(null, '', '/');
  if (RETURNS.includes(kind)) {
    const [word, ...rest] = code.split('.');
    return { kind, word, user: rest.join('.') };
  }
  const dot = code.lastIndexOf('.');
  const [user, secret] = [code.slice(0, dot), code.slice(dot + 1)];
  return dot > 0 && isUser(user) && secret ? { kind, user, secret, code } : { kind, user: null, secret: null, code };
}
