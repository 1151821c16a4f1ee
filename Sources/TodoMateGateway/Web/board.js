// The page: makes the model and what shows or changes it, and says who is notified of what.
import './shared.js';
import { Calendar } from './calendar.js';
import { Composer } from './composer.js';
import { Earlier } from './earlier.js';
import { Head } from './head.js';
import { listenForKeys } from './keys.js';
import { fetched, opened } from './later.js';
import { Lists } from './lists.js';
import { Model } from './model.js';
import { DayNote } from './note.js';
import { isNote } from './notes.js';
import { follow } from './preferences.js';
import { Reactions } from './reactions.js';
import { Session } from './session.js';
import { Settings } from './settings.js';
import { Tabs } from './tabs.js';
import { Toasts } from './toasts.js';
import { TodayList } from './today.js';
import { Undo } from './undo.js';
import { Welcome } from './welcome.js';
import { arrival, suspension, t, translate } from './words.js';

const model = new Model();
const toasts = new Toasts();
const undo = new Undo(toasts);
const reactions = new Reactions(model, toasts, undo);
const session = new Session(model, toasts, undo);
const welcome = new Welcome(model, (uid) => session.signedIn(uid));
const join = opened(() => import('./join.js'), model,
  ({ Join }) => new Join(model, (uid, invited) => session.signedIn(uid, invited), () => session.start()));
const invitations = opened(() => import('./invitations.js'), model, ({ Invitations }) => new Invitations(model, toasts));
const head = new Head(model, toasts);
const tabs = new Tabs(model);
const list = new TodayList(model, reactions);
const note = new DayNote(model);
const earlier = new Earlier(model);
const composer = new Composer(model, (id) => list.show(id));
const people = opened(() => import('./people.js'), model, ({ People }) => new People(model, toasts, undo, (uid, by) => lists.step(uid, by)));
const lists = new Lists(model, reactions, people);
const calendar = new Calendar(model);
const feed = opened(() => import('./feed.js'), model, ({ Feed }) => new Feed(model, reactions));
const settings = new Settings(model, session, toasts);

// At once, as the focus does. A hidden page has no frames, and its title still counts.
model.on('leave', () => { for (const part of [list, note, earlier, lists, feed.now, toasts, undo, reactions, invitations.now]) part?.clear(); shutSheets(); });
model.on('uid', () => composer.open());
model.on('resumed', (todo, words) => (isNote(todo.id) ? note : list).resume(todo, words));
model.on('givenBack', (todo, typed) => composer.giveBack(todo, typed));
model.on('today language', () => composer.render());
model.on('place', () => {
  for (const part of [head, welcome, session]) part.toggle();
  if (model.place !== 'board') shutSheets();
});
model.on('ticket', async () => {
  welcome.turn();
  if (!model.ticket) join.now?.render();
  else if (await join.open()) join.now.opened();
  if (!model.ticket && model.place === 'welcome') welcome.show();
});
model.on('language', () => { translate(); welcome.translate(); join.now?.render(); session.farewell?.render(); });
model.on('badges view uid place language', () => tabs.render());
model.on('view', () => {
  if (model.view === 'feed') open(feed);
  if (model.view === 'people') {
    open(people);
    open(invitations);
  }
});
async function open(later) {
  const { uid, view } = model;
  const part = await later.open();
  if (!part || uid !== model.uid || view !== model.view) return;
  part.opened();
  part.render();
}
// The server says how many there are; what they are is read only when it is shown.
model.on('badges', () => { if (model.badges.feed || (model.badges.missing ?? 0) !== feed.now?.missing) feed.now?.look(); });
model.on('today zone', () => feed.now?.look());
model.on('profile', () => follow(model.circle.profile ?? {}, model));
// Few people have routines: what works out their days comes when they have.
model.on('profile', async () => {
  const { todos, circle } = model;
  if (todos.routines || !circle.profile?.routines?.length) return todos.routines?.changed();
  const module = await fetched(() => import('./routines.js'), model);
  return module?.routinesOf(model, todos);
});
model.on('zone watched', () => session.live.refresh());
model.on('signedIn', async (id) => (await fetched(() => import('./notice.js'), model))?.tell(id, { model, toasts }));
model.on('announced', async (announcement) => {
  const module = await fetched(() => import('./announcement.js'), model);
  module?.show(announcement, model);
});
model.on('repeated', async (todo) => (await sheet(() => import('./routines.js')))?.routinesOf(model, model.todos).repeat(todo));
model.on('past', once(async (id) => (await sheet(() => import('./past.js')))?.openPast(model, id)));
model.on('suspended', (reason) => welcome.tell(() => suspension(reason)));
model.on('partMissing', (isOld) => {
  if (isOld) toasts.alert(t('pageIsOld'), t('reload'), () => location.reload());
  else toasts.alert(t('refused', { reason: t('noAnswer') }));
});
model.on('afterwards', ({ Drag, leadBack }) => {
  list.learnToDrag(Drag);
  leadBack(model, shutSheets);
});
model.on('reveal', (uid) => lists.reveal(uid));
model.on('month', () => {
  lists.reveal(model.owner ?? model.uid, 'instant');
  calendar.reveal();
});
// With the next frame, in this order; a click on a todo is not to wait for what it shows elsewhere.
model.onFrame('place uid signIn profile language', () => head.render());
model.onFrame('todos connection seenAt language', () => head.renderPill());
model.onFrame('circle', () => tabs.arrange());
model.onFrame('todos circle profile reactions day today language', () => list.render());
model.onFrame('uid day language', () => note.render(), 'todos');
model.onFrame('uid day today language', () => earlier.render(), 'todos');
model.onFrame('uid todos circle reactions day today language', () => lists.render());
model.onFrame('circle day today cursor owner week language', () => calendar.render(), 'todos');
model.onFrame('view todos circle reactions language', () => feed.now?.render());
model.onFrame('view circle language', () => people.now?.render());
model.on('came', async (...news) => (people.now ?? await sheet(() => people.open()))?.relating.came(...news));
model.onFrame('signIn registration inviters view language', () => invitations.now?.render());
model.onFrame('signIn registration place', () => welcome.turn());

// What a sheet shows is somebody's, who may leave before or after it opens.
async function sheet(load) {
  const { uid } = model;
  const module = await fetched(load, model);
  return model.uid === uid && model.place === 'board' ? module : null;
}
// While a sheet is still on its way it is not asked for again: a double click opens one.
function once(open) {
  let underWay = null;
  return (...values) => underWay ??= open(...values).finally(() => { underWay = null; });
}
function shutSheets() {
  for (const open of document.querySelectorAll('dialog:is(.settings, .menu)')) open.close();
  document.querySelector(':popover-open')?.hidePopover();
}
const search = once(async () => {
  const module = await sheet(() => import('./search.js'));
  module?.openSearch(model, (todo) => {
    model.openDay(todo.date, todo.uid);
    if (todo.uid !== model.uid) return;
    if (isNote(todo.id)) note.focus();
    else list.show(todo.id, true);
  });
});
const week = once(async () => (await sheet(() => import('./week.js')))?.openWeek(model));
listenForKeys(model, {
  n: () => composer.field.focus(),
  y: () => note.focus(),
  t: () => model.openDay(model.today, model.uid),
  w: week,
  '/': search,
  '?': once(async () => (await fetched(() => import('./keyList.js'), model))?.openKeyList()),
});
document.getElementById('search').addEventListener('click', search);
document.getElementById('week').addEventListener('click', week);
document.getElementById('goals').addEventListener('click', once(async () => (await sheet(() => import('./goals.js')))?.openGoals(model)));
document.getElementById('routines').addEventListener('click', once(async () => (await sheet(() => import('./routineList.js')))?.openRoutines(model)));
document.getElementById('my-account').addEventListener('click', () => settings.open(sheet));
document.getElementById('deleted').addEventListener('click', () => model.emit('past'));

// A timer set for midnight would be late after a sleep, and wrong after a journey.
setInterval(() => model.turnOver(), 1000);
for (const name of ['visibilitychange', 'focusin']) document.addEventListener(name, () => model.turnOver());
arrival.then(() => {
  translate();
  model.emit('language');
  session.start();
});
