// What a link lets somebody do, once: make an account, or set another password. It stands behind the # of the address, which
// browsers send to no server, and leaves it as soon as it is read.
import { isUser } from './welcome.js';

const KINDS = ['join', 'reset'];

/** The ticket in the address: `{ kind, user, secret, code }`; null for none. No name of a user has a `=`. */
export function takeTicket() {
  const [kind, code] = location.hash.slice(1).split('=');
  if (code === undefined || !KINDS.includes(kind)) return null;
  // Neither the history nor a picture of the window holds it from now on.
  history.replaceState(null, '', '/');
  const dot = code.lastIndexOf('.');
  const [user, secret] = [code.slice(0, dot), code.slice(dot + 1)];
  return isUser(user) && secret ? { kind, user, secret, code } : { kind, user: null, secret: null, code };
}
