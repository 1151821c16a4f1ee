// The page: who is here, which day is shown, what the stream tells to whom, and what is drawn when anything changes.
import { Actions } from './actions.js';
import * as api from './api.js';
import { Calendar } from './calendar.js';
import { Circle } from './circle.js';
import { today } from './dates.js';
import { Feed } from './feed.js';
import { Lists } from './lists.js';
import { openLive, watchBadges } from './live.js';
import { People } from './people.js';
import { avatar } from './person.js';
import { Reactions } from './reactions.js';
import { Store } from './store.js';
import { Tabs } from './tabs.js';
import { Toasts } from './toasts.js';
import { TodayList } from './today.js';
import { isUser, Welcome } from './welcome.js';
import { choose, current, explain, t, translate } from './words.js';

const byID = (id) => document.getElementById(id);

const board = {
  uid: null, store: new Store(() => {}), actions: null, stream: null, today: today(), state: null,
  chosen: null, circle: null, reactions: null,
  get zone() { return Intl.DateTimeFormat().resolvedOptions().timeZone; },
  /** The day in the left pane: the one that was chosen, else whatever day it is. */
  get day() { return this.chosen ?? this.today; },

  /** Shows a day in all lists, and the list of `uid` on a phone. */
  show(day, uid) {
    this.chosen = day === this.today ? null : day;
    calendar.goTo(this.day);
    this.draw();
    if (!tabs.isSocial) return;
    if (isNarrow.matches) tabs.show('today');
    if (uid) lists.reveal(uid);
  },

  /** Shows somebody's month, and beside it, where there is room, their list. */
  openMonth(uid) {
    calendar.open(uid);
    tabs.show('month');
    lists.reveal(uid, 'instant');
    byID('month-title').scrollIntoView({ block: 'nearest' });
  },

  arrange(uid, by) { lists.step(uid, by); },

  draw() {
    cancelAnimationFrame(this.frame);
    this.frame = null;
    if (!this.uid) return;
    tabs.arrange(this.circle.isSocial);
    list.render();
    lists.render();
    calendar.render();
    feed.render();
    people.render();
    pill();
  },

  changed() { this.frame ??= requestAnimationFrame(() => this.draw()); },
};
const toasts = new Toasts(byID('toasts'));
const isNarrow = matchMedia('(max-width: 720px)');
board.reactions = new Reactions(board, ({ status, problem }) =>
  toasts.alert(t('refused', { reason: status === 422 ? t('noEmoji') : status ? explain(problem) : t('unreachable') })));
const list = new TodayList(board);
const calendar = new Calendar(board);
const tabs = new Tabs((view) => {
  if (view === 'feed') feed.opened();
  if (view === 'people' && board.circle) people.opened();
  if (view === 'today') lists.reveal(board.uid);
  if (view !== 'month') calendar.open(null);
  board.draw();
}, () => board.openMonth(board.uid));
const people = new People(board, {
  say: (...message) => toasts.show(...message), alert: (...message) => toasts.alert(...message), open: (uid) => board.openMonth(uid),
});
const feed = new Feed(board, (uid) => board.openMonth(uid));
const lists = new Lists(board, {
  open: (uid) => board.openMonth(uid),
  choose: (uid) => (tabs.view === 'month' ? board.openMonth(uid) : lists.reveal(uid)),
  async place(uid, position) {
    if (!await people.ask(api.follow(board.uid, uid, position))) board.circle?.loadSoon();
  },
  items: (uid, item) => people.items(uid, item),
});
const welcome = new Welcome((uid) => {
  enter(uid);
  sessions.postMessage('changed');
});
let session = {};

// What the address names after its #; nothing for what is no text.
function named() {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return '';
  }
}

function enter(uid) {
  const unsaved = board.store.unsaved.length;
  welcome.hide();
  if (uid === board.uid && board.actions) {
    openStream();
    board.circle.loadSoon(0);
    board.actions.writer.retry();
  } else {
    leave();
    if (unsaved) toasts.alert(t('dropped'));
    board.uid = uid;
    board.store = new Store(() => board.changed());
    board.actions = new Actions(uid, board.store, toasts, signedOut, () => board.circle?.profile?.visibility);
    board.circle = new Circle(uid, () => board.changed(), () => board.stream?.refresh());
    openBoard(board.circle);
  }
  if (!session.signIn) history.replaceState(null, '', `#${uid}`);
  byID('board').hidden = false;
  words();
  board.draw();
}

// First whom to watch, so that one connection serves for all; and so that the board shows at once as it will stay.
async function openBoard(circle) {
  document.body.classList.add('arriving');
  await circle.load();
  if (circle.isOver) return;
  board.draw();
  document.body.classList.remove('arriving');
  openStream();
}

function openStream() {
  board.stream?.close();
  board.stream = openLive(board, {
    badges: takeBadges,
    lost: stillWelcome,
    state: (name) => {
      if (name === 'live' && board.state !== 'live') board.actions.writer.retry();
      board.state = name;
      pill();
    },
  });
}

// An event stream does not say why it was refused; the session does.
async function stillWelcome() {
  try {
    const answer = await api.session();
    if (answer.signIn && answer.uid !== board.uid) {
      signedOut();
      return false;
    }
  } catch { /* nobody answers: try again later */ }
  return true;
}

// The server says how many there are; what they are is asked for only where somebody looks.
function takeBadges(numbers) {
  tabs.take(numbers);
  if (numbers.feed) feed.look();
}

watchBadges(board, takeBadges);

function signedOut() {
  board.stream?.close();
  board.stream = null;
  session.signIn = true;
  // Several requests may find out one after another: what is being typed at the door meanwhile stays.
  if (!byID('board').hidden) door();
}

function leave() {
  // While its actions are still there: an edit under way belongs to this board.
  list.clear();
  lists.clear();
  feed.clear();
  toasts.clear();
  board.circle?.end();
  board.reactions.mine.clear();
  board.stream?.close();
  board.actions?.writer.stop();
  Object.assign(board, { stream: null, actions: null, uid: null, chosen: null, circle: null, store: new Store(() => {}) });
  calendar.open(null);
  tabs.take({});
  tabs.arrange(false);
  tabs.show('today');
}

function door() {
  byID('board').hidden = true;
  byID('account-menu').hidePopover();
  byID('user').value ||= board.uid ?? '';
  welcome.show(session.signIn);
  words();
}

function pill() {
  const count = board.store.unsaved.filter((write) => write.isWaiting).length;
  const text = t(board.state ?? 'connecting') + (count ? ` · ${t('waitingCount', { count })}` : '');
  byID('pill').dataset.state = board.state;
  if (byID('pill').textContent !== text) byID('pill').textContent = text;
}

function words() {
  translate();
  const isIn = !byID('board').hidden;
  const other = current() === 'ko' ? 'en' : 'ko';
  Object.assign(byID('language'), { lang: other, textContent: { en: 'English', ko: '한국어' }[other] });
  byID('leave').textContent = t(session.signIn ? 'signOut' : 'change');
  for (const id of ['who', 'whole-name']) byID(id).textContent = board.uid ?? '';
  byID('sign').replaceChildren(...(board.uid ? [avatar(board.uid)] : []));
  byID('account').setAttribute('aria-label', t('account', { name: board.uid }));
  for (const id of ['leave', 'account', 'whole-name', 'pill', 'tabs']) byID(id).hidden = !isIn;
  for (const note of document.querySelectorAll('[data-only=open]')) note.hidden = session.signIn !== false;
  tabs.uid = isIn ? board.uid : null;
  tabs.render();
  welcome.translate();
  board.draw();
}

byID('language').addEventListener('click', () => {
  choose(byID('language').lang);
  words();
});

async function leaveBoard(isSure) {
  if (board.store.unsaved.length && !isSure) {
    return toasts.alert(t('unsavedLeave'), t('leaveAnyway'), () => leaveBoard(true));
  }
  if (session.signIn) {
    try { await api.signOut(); } catch { return toasts.alert(t('refused', { reason: t('unreachable') })); }
    sessions.postMessage('changed');
  } else {
    history.replaceState(null, '', '/');
  }
  byID('user').value = board.uid;
  leave();
  door();
}
byID('leave').addEventListener('click', () => leaveBoard(false));

addEventListener('hashchange', () => {
  const uid = named();
  if (session.signIn !== false || !isUser(uid) || uid === board.uid) return;
  if (!board.store.unsaved.length) return enter(uid);
  history.replaceState(null, '', `#${board.uid}`);
  toasts.alert(t('unsavedLeave'), t('leaveAnyway'), () => enter(uid));
});

// Who signs in or out in one tab does so in all.
const sessions = new BroadcastChannel('todomate.session');
sessions.addEventListener('message', () => { if (session.signIn && board.uid) stillWelcome(); });

// What waits for the server would be lost with the page.
addEventListener('beforeunload', (event) => { if (board.store.unsaved.length) event.preventDefault(); });

let { zone } = board;

// Another day has begun, or the device has come to another time zone.
function turnOver() {
  if (zone === board.zone && board.today === today()) return;
  const followed = calendar.cursor === board.today;
  zone = board.zone;
  board.today = today();
  if (board.chosen === board.today) board.chosen = null;
  if (followed) calendar.goTo(board.today);
  // The zone is in its path: the server tells the day by it.
  board.stream?.refresh();
  feed.look();
  board.changed();
}
// A timer set for midnight would be late after a sleep, and wrong after a journey.
setInterval(turnOver, 1000);
document.addEventListener('visibilitychange', turnOver);

async function start() {
  translate();
  turnOver();
  for (let wait = 500; ; wait = Math.min(wait * 2, 10000)) {
    try {
      session = await api.session();
      break;
    } catch {
      toasts.show(t('unreachable'));
      await new Promise((resume) => { setTimeout(resume, wait); });
    }
  }
  const uid = session.signIn ? session.uid : isUser(named()) ? named() : null;
  if (uid) enter(uid);
  else door();
}

start();
