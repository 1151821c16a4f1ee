// How people are called and pictured, as far as they have chosen it and the reader may know.
const known = new Map();

/** Whether a text can be somebody's name to sign in with. */
export const isUser = (text) => /^[A-Za-z0-9._@-]{1,64}$/.test(text);

/** Takes what the server tells of people; answers whether any of it is new. */
export function learn(people) {
  let isNew = false;
  for (const { uid, name = '', face = '' } of people) {
    const before = known.get(uid) ?? { name: '', face: '' };
    isNew ||= before.name !== name || before.face !== face;
    known.set(uid, { name, face });
  }
  return isNew;
}

/** All of that, as `learn` takes it. */
export const called = () => [...known].map(([uid, names]) => ({ uid, ...names }));

/** Another reader may know others. */
export const forget = () => known.clear();

export const isKnown = (uid) => known.has(uid);

/** What somebody is called: their name, or else the name that they sign in with. */
export const nameOf = (uid) => known.get(uid)?.name || uid;

/** The emoji that stands for somebody, if they have chosen one. */
export const faceOf = (uid) => known.get(uid)?.face ?? '';

/** Both names, as anybody may call themselves like somebody else. */
export const inFull = (uid) => (nameOf(uid) === uid ? uid : `${nameOf(uid)} (${uid})`);
