// The page's model: what the page knows, who changes it, and the events that say so. Views read it and call its methods; board.js
// says which of them each event notifies.
import { today, zone } from './dates.js';
import { Store } from './store.js';

// Each is an event as well: it has changed, or what it holds has. With the value before sign-in, and who changes it.
const STATE = {
  signIn: undefined,           // whether the server requires a password: Session
  registration: 'closed',      // who may make an account: 'closed', 'invited' or 'open': Session
  inviters: 'nobody',          // or 'everyone': Session
  providers: [],               // by whom one may sign in besides, `{ id, name }` each: Session
  mail: false,                 // whether the server sends some: Session
  ticket: null,                // what a link in the address lets somebody do, or that anyone makes an account: Session, Join
  place: null,                 // 'welcome', 'board', or 'farewell' where the account is to be deleted: Session
  uid: null,                   // whose board it is: Session
  todos: new Store(() => {}),  // their todos: Actions as they write, Live from the stream
  circle: null,                // the users they follow, and what those share: Live, and People through its methods
  actions: null,               // what they can do to their todos: Session
  connection: 'connecting',    // or 'live', 'reconnecting', 'offline': Live
  seenAt: null,                // of what time it is what shows, where there is no network: Session, Live
  badges: {},                  // how much waits behind each tab: Live
  today: today(),              // the day that it is here, and the time zone: the clock
  zone: zone(),
  day: today(),                // the day in the lists; it moves on with `today`: Calendar, TodayList, the clock
  cursor: today(),             // the day in the month that Tab leads to; it moves on likewise: Calendar, the clock
  view: 'today',               // 'today', 'month', 'feed' or 'people': Tabs, and what opens a month
  owner: null,                 // whose month shows, if not the user's own: what opens a month
};
// Events of what is kept elsewhere, or nowhere.
const SIGNALS = [
  'leave',      // a board is about to close: its views empty themselves
  'month',      // a month was opened, maybe the one that was open
  'reveal',     // the list of (uid) is to scroll into view
  'profile',    // what the user has decided was read or has changed
  'week',       // weeks begin with another day
  'watched',    // the stream has other people to follow
  'reactions',  // which emoji are mine
  'repeated',   // my (todo) is to be done again and again: somebody asks how often
  'past',       // what became of my todo (of this id) is to be shown, or without one which were deleted
  'resumed',    // an edit of (todo) goes on with (words)
  'givenBack',  // the line that was (typed) for (todo) was not taken
  'signedIn',   // somebody has signed in as the user elsewhere: the session's (id)
  'came',       // (somebody) whom the user has invited follows now, or (has accepted) to be followed
  'announced',  // the operator tells everybody (something), or nothing any more
  'suspended',  // the account may not be used until the operator says so, for (a reason)
  'partMissing', // a part of the page did not come, for (the page is older than the server)
  'afterwards', // the page shows, and (the part) for what comes after that is there
  'language',   // what `t` of words.js answers
];
// Frames that what is drawn late gives way to.
const MOST_WAITS = 10;
const isNarrow = matchMedia('(max-width: 720px)');

export class Model {
  #state = { ...STATE };
  #listeners = new Map([...Object.keys(STATE), ...SIGNALS].map((name) => [name, []]));
  #renders = [];
  #due = new Set();
  #late = new Set();
  #frame = null;
  #waits = 0;
  #followed = today();

  static {
    // Read by all, written only by the methods below.
    for (const name of Object.keys(STATE)) Object.defineProperty(this.prototype, name, { get() { return this.#state[name]; } });
  }

  constructor() {
    this.on('circle', () => { if (this.owner && !this.circle?.person(this.owner)) this.#set({ owner: null }); });
  }

  // Events

  /** Calls `listener` at each of these events, named with spaces between. */
  on(names, listener) { for (const name of names.split(' ')) this.#listeners.get(name).push(listener); }

  /** Calls `render` with the next frame after any of these events, or once that is painted after the `late` ones: once, however many there were. */
  onFrame(names, render, late) {
    this.#renders.push(render);
    const listen = (all, due) => this.on(all, () => {
      due.add(render);
      this.#frame ??= requestAnimationFrame(() => this.#draw());
    });
    listen(names, this.#due);
    if (late) listen(late, this.#late);
  }

  emit(name, ...values) { for (const listener of this.#listeners.get(name)) listener(...values); }

  /** Draws now what waits for the next frame, or until that is painted. */
  flush() {
    cancelAnimationFrame(this.#frame);
    this.#waits = 0;
    for (const render of this.#late) this.#due.add(render);
    this.#draw();
  }

  #draw() {
    this.#frame = null;
    for (const render of this.#renders) {
      if (!this.#due.delete(render)) continue;
      this.#late.delete(render);
      render();
    }
    if (this.#late.size) setTimeout(() => this.#drawLate());
  }

  // What has been clicked since is painted before this as well; where news never ends, this is not put off for ever.
  #drawLate() {
    if (this.#frame === null || ++this.#waits > MOST_WAITS) this.flush();
  }

  // Who is here

  /** Who may come in: what the server says of itself. */
  setDoor({ signIn, registration = 'closed', inviters = 'nobody', providers = [], mail = false }) {
    this.#set({ signIn, registration, inviters, providers, mail });
  }

  setSignIn(signIn) { this.#set({ signIn }); }

  openWelcome() { this.#show({ place: 'welcome', ticket: null }); }

  /** Shows the card of those who make an account or set another password. */
  openTicket(ticket) { this.#show({ place: 'welcome', ticket }); }

  openFarewell() { this.#show({ place: 'farewell', ticket: null }); }

  /** Shows the board; `board` has another one's uid, todos, circle and actions. */
  enter(board) { this.#show({ ...board, place: 'board', ticket: null }); }

  leave() {
    // While its actions are still there: an edit under way belongs to this board.
    this.emit('leave');
    const { uid, todos, circle, actions, seenAt, badges, view, owner } = STATE;
    this.#show({ uid, todos, circle, actions, seenAt, badges, view, owner, day: this.today });
  }

  // What the stream says

  setConnection(connection) { this.#set({ connection }); }

  setSeenAt(seenAt) { this.#set({ seenAt }); }

  setBadges(badges) { this.#set({ badges }); }

  // What is shown

  get isSocial() { return Boolean(this.circle?.isSocial); }

  /** Shows `today`, and there a user's list, `month`, `feed` or `people`; where there is room, the lists stand beside it, and a small month beside them. */
  openView(view, uid) {
    this.#show({ view, owner: view === 'month' ? this.owner : null });
    // One way alone: of two that begin at once Firefox, busy, gives up the second.
    if (view === 'today') this.emit('reveal', uid ?? this.uid);
  }

  /** Shows a user's month, and beside it, where there is room, their list. */
  openMonth(uid) {
    this.#show({ view: 'month', owner: uid === this.uid ? null : uid });
    this.emit('month');
  }

  /** Shows a day in all lists, and the list of `uid` on a phone. */
  openDay(day, uid) {
    this.#show({ day, cursor: day });
    if (!this.isSocial) return;
    if (isNarrow.matches) this.openView('today', uid);
    else if (uid) this.emit('reveal', uid);
  }

  setCursor(cursor) { this.#show({ cursor }); }

  /** Another day has begun, or the device has come to another time zone. */
  turnOver() {
    this.#set({ today: today(), zone: zone() });
    // What is being typed belongs to the day that shows.
    if (this.#followed === this.today || document.activeElement?.matches('#day-note-text, .editor *')) return;
    const follow = (day) => (day === this.#followed ? this.today : day);
    this.#set({ day: follow(this.day), cursor: follow(this.cursor) });
    this.#followed = this.today;
  }

  // The user's own actions show at once, those of others with the next frame.
  #show(changes) {
    this.#set(changes);
    this.flush();
  }

  #set(changes) {
    const changed = Object.keys(changes).filter((name) => changes[name] !== this.#state[name]);
    Object.assign(this.#state, changes);
    for (const name of changed) this.emit(name);
  }
}
