// Who is here: how they come in, by signing in or by the address, how they leave, and whether the server still knows them.
import { Actions } from './actions.js';
import * as api from './api.js';
import { Circle } from './circle.js';
import { afterwards, forgetNews, hasKept, hasLeft, isNews, noteLeft } from './device.js';
import { Drafts } from './drafts.js';
import { Keeping } from './keeping.js';
import { Journal } from './journal.js';
import { fetched } from './later.js';
import { Live } from './live.js';
import { forget, isUser } from './names.js';
import { follow } from './preferences.js';
import { Store } from './store.js';
import { takeTicket } from './ticket.js';
import { t } from './words.js';

const SOON = 4000;

export class Session {
  constructor(model, toasts, undo) {
    Object.assign(this, { model, toasts, undo, keeping: new Keeping(model, toasts) });
    this.live = new Live(model, () => this.check());
    // Who signs in or out in one tab does so in all.
    this.tabs = new BroadcastChannel('todomate.session');
    this.tabs.addEventListener('message', async ({ data }) => {
      if (!model.signIn || !(model.uid || this.farewell)) return;
      const { farewell } = this;
      // Whoever has signed out leaves nothing behind, in no tab.
      const isGone = data === 'gone' || !await this.check(data !== 'left') && data === 'left';
      if (!isGone) return;
      if (farewell) this.erase(farewell.uid);
      else this.quit();
      model.openWelcome();
    });
    // The browser keeps the page once nothing more urgent is under way.
    model.on('connection', () => { if (model.connection === 'live') this.live.part?.install(() => model.emit('partMissing', true)); });
    document.getElementById('leave').addEventListener('click', () => this.leave());
    addEventListener('hashchange', () => this.readdressed());
    addEventListener('beforeunload', (event) => { if (this.mayLose) event.preventDefault(); });
  }

  /** Whether something waits for the server that outlasts a reload, but not the tab: a routine, or what the device does not keep. */
  get mayLose() {
    const { todos, actions } = this.model;
    const isAsking = actions?.drafts.get('routines')?.some(({ line }) => line);
    return Boolean(isAsking || todos.unsaved.length && !actions?.writer.isLasting);
  }

  async start() {
    const ticket = takeTicket();
    for (let wait = 500; ; wait = Math.min(wait * 2, 10000)) {
      try {
        if (hasLeft()) await this.finishLeaving();
        const door = await (hasKept() && !ticket ? Promise.race([api.session(), late()]) : api.session());
        this.model.setDoor(door);
        if (door.announcement) this.model.emit('announced', door.announcement);
        const who = door.signIn ? door.uid : addressed();
        if (door.leaving) return await this.bid(who);
        if (door.signIn && ticket) return await this.present(ticket, who);
        if (!who) this.keeping.forgetSeen();
        return who ? this.arrive(who, door) : this.welcome(door);
      } catch (error) {
        if (!(error instanceof api.Refusal)) throw error;
        if (!ticket && await this.enterKept()) return undefined;
        this.toasts.show(t('unreachable'));
        await new Promise((resume) => { setTimeout(resume, wait); });
      }
    }
  }

  welcome({ suspended }) {
    this.model.openWelcome();
    if (suspended) this.model.emit('suspended', suspended.reason);
  }

  /** Shows what a link is good for; `who` is signed in here, if anyone. */
  async present(ticket, who) {
    const module = await fetched(() => import('./presenting.js'), this.model);
    return module ? module.present(this, ticket, who) : who ? this.enter(who) : this.model.openWelcome();
  }

  async signedIn(uid, invited) {
    noteLeft(false);
    this.tabs.postMessage('changed');
    // Whoever has deleted the account may keep it, and nothing else.
    const door = await api.session().catch(() => ({}));
    if (door.uid === uid && door.leaving) return this.bid(uid);
    this.arrive(uid, door);
    if (!invited) return undefined;
    const { name, following } = invited;
    if (following === 'none') this.toasts.alert(t('cannotFollow', { name }));
    else this.toasts.show(t(following === 'following' ? 'followsNow' : 'askedNow', { name }));
    return undefined;
  }

  /** The account is to be deleted: shows what can still be done. What waits to be sent stays until that is decided. */
  async bid(uid) {
    this.end();
    this.model.openFarewell();
    this.keeping.forgetSeen();
    const module = await fetched(() => import('./farewell.js'), this.model);
    if (!module) return this.model.openWelcome();
    const { Farewell } = module;
    if (this.model.place === 'farewell') this.farewell = new Farewell(uid, this);
    return undefined;
  }

  /** Takes away what only somebody sees whose account is to be deleted. */
  toggle() {
    if (this.model.place === 'farewell') return;
    this.farewell?.close();
    this.farewell = null;
  }

  /** Opens what was seen here last, as there is no network; answers whether there is anything. */
  async enterKept() {
    const user = await this.keeping.user(addressed());
    if (!user || this.model.place) return false;
    this.model.setDoor(user.door);
    this.enter(user.uid, user.seen.at);
    return true;
  }

  /** Whoever is known to the server comes in, and is told what they missed of their account. */
  arrive(uid, { newest = { id: '', made: '' } }) {
    this.enter(uid);
    if (this.model.signIn && isNews(uid, newest)) this.model.emit('signedIn', newest.id);
  }

  enter(uid, seenAt = null) {
    const { model, toasts } = this;
    if (uid === model.uid) {
      this.live.open();
      model.circle.loadSoon(0);
      model.actions.writer.retry();
      model.enter();
    } else {
      const wasUnsaved = model.todos.unsaved.length > 0;
      this.quit();
      if (wasUnsaved) toasts.alert(t('dropped'));
      const todos = new Store(() => model.emit('todos'));
      const circle = new Circle(uid, (...event) => model.emit(...event), toasts);
      const painted = new Promise((resume) => { this.painted = resume; });
      const shelf = (hasKept() ? Promise.resolve() : painted).then(() => this.keeping.shelf(uid));
      const journal = new Journal(uid);
      if (model.signIn) journal.forgetOthers();
      const actions = new Actions(uid, todos, {
        toasts, undo: this.undo, drafts: new Drafts(uid), journal, shelf,
        signedOut: () => this.signedOut(), isLive: () => model.connection === 'live', circle,
        resume: (todo, words) => model.emit('resumed', todo, words), giveBack: (todo, typed) => model.emit('givenBack', todo, typed),
      });
      model.enter({ uid, todos, circle, actions, seenAt });
      actions.restore();
      this.open(uid, circle, todos, shelf);
    }
    // What Back leads to stays the same: `wayBack.js`.
    if (!model.signIn) history.replaceState(history.state, '', `#${uid}`);
  }

  // My list by itself, as it comes compressed; then the users to watch, so that one connection serves all, and the board does not
  // change once it shows. In this order: the stream tells all that has become of them since the list.
  async open(uid, circle, todos, shelf) {
    const { model } = this;
    document.body.classList.add('arriving');
    const list = model.seenAt ? null : await api.list(uid).catch(() => null);
    const seen = list || !hasKept() ? null : await shelf.then((kept) => kept?.seen()).catch(() => null);
    if (circle.isOver) return;
    if (seen) {
      model.setSeenAt(seen.at);
      model.setConnection('offline');
      circle.restore(seen);
      todos.snapshot({ id: seen.owners[uid].asOf, todos: seen.lists[uid] ?? [] });
      model.setBadges(seen.badges);
      circle.load();
    } else {
      await circle.load();
      if (circle.isOver) return;
      if (list?.id) todos.snapshot(list);
    }
    model.actions.writer.retry();
    model.flush();
    document.body.classList.remove('arriving');
    // One more frame, so that the list is painted before anything else is asked for.
    requestAnimationFrame(() => setTimeout(this.painted));
    const part = await Promise.race([afterwards(), late().catch(() => null)]);
    const lasting = part && await Promise.race([shelf, late()]).catch(() => null);
    if (circle.isOver) return;
    if (part) model.emit('afterwards', part);
    Object.assign(this.live, { part, shelf: lasting });
    this.live.open(list?.id ?? seen?.cursor);
  }

  /** Whether the session is still theirs, or `unless` where nobody says: an event stream does not say why it was refused. */
  async check(unless = true) {
    try {
      const door = await api.session();
      const { signIn, uid, leaving } = door;
      if (uid && leaving) {
        if (!this.farewell) this.bid(uid);
        return false;
      }
      if (uid && this.farewell) {
        this.enter(uid);
        return false;
      }
      if (!signIn || uid === this.model.uid) return true;
      this.signedOut(door);
    } catch (error) {
      if (!(error instanceof api.Refusal)) throw error;
      // Nobody answers: try again later.
      return unless;
    }
    return false;
  }

  signedOut(door = {}) {
    this.live.close();
    this.keeping.forgetSeen(door.uid);
    this.model.setSignIn(true);
    // Where it shows already, it stays, with what is being typed there.
    this.welcome(door);
  }

  /** Asks for something that replaces the session: the stream closes before, and opens with the new one. */
  async exchange(ask) {
    this.live.close();
    try {
      return await ask();
    } finally {
      this.live.open();
      this.tabs.postMessage('changed');
    }
  }

  /** Ends all that is theirs here. */
  end() {
    const { circle, actions } = this.model;
    this.model.leave();
    forget();
    follow({}, this.model);
    circle?.end();
    actions?.writer.stop();
    this.live.close();
  }

  /** Ends it; what the device keeps of them is gone once that is over. */
  async quit() {
    const { actions, uid, signIn } = this.model;
    this.end();
    // Whatever is still under way puts nothing down there any more.
    actions?.drafts.forget();
    actions?.journal.forget();
    if (uid && signIn) await this.erase(uid);
  }

  /** Nothing of somebody stays here. */
  async erase(uid) {
    new Drafts(uid).forget();
    new Journal(uid).forget();
    forgetNews();
    await this.keeping.forget(uid);
  }

  async leave(isSure) {
    const { model, toasts } = this;
    if ((model.todos.unsaved.length || model.actions.parked.shown.size) && !isSure) {
      return toasts.alert(t('unsavedLeave'), t('leaveAnyway'), () => this.leave(true));
    }
    if (model.signIn) {
      let answer;
      try {
        answer = await api.signOut();
      } catch (error) {
        if (!(error instanceof api.Refusal)) throw error;
        return toasts.alert(t('leaveOffline'), t('leaveNow'), () => this.leaveOffline());
      }
      this.tabs.postMessage('left');
      // Whoever let them in wants to know, and has a page for it: another site, from which they may not come back.
      if (answer) return await this.quit().finally(() => location.assign(answer.location));
    } else {
      history.replaceState(null, '', '/');
    }
    document.getElementById('user').value = model.uid;
    if (!model.signIn) this.keeping.forget(model.uid);
    this.quit();
    return model.openWelcome();
  }

  /** Nothing stays here, and the server hears of it as soon as it answers, by this page or the next one. */
  leaveOffline() {
    noteLeft(true);
    this.tabs.postMessage('gone');
    this.quit();
    this.model.openWelcome();
    return this.start();
  }

  async finishLeaving() {
    try {
      await api.signOut();
    } catch (error) {
      if (!(error instanceof api.Refusal) || error.isPassing) throw error;
    }
    noteLeft(false);
  }

  // The address names another board, or has a link's secret.
  readdressed() {
    const { model, toasts } = this;
    // While the page loads, `start` has what the address says.
    if (model.signIn === undefined) return undefined;
    const ticket = takeTicket();
    if (ticket && model.signIn) return this.present(ticket, model.place === 'board' ? model.uid : null).catch(() => toasts.show(t('unreachable')));
    const uid = addressed();
    if (model.signIn !== false || !uid || uid === model.uid) return undefined;
    if (!model.todos.unsaved.length) return this.enter(uid);
    history.replaceState(null, '', `#${model.uid}`);
    return toasts.alert(t('unsavedLeave'), t('leaveAnyway'), () => this.enter(uid));
  }
}

// Gives up waiting for a network that says nothing.
const late = () => new Promise((_, refuse) => { setTimeout(() => refuse(new api.Refusal(0, {})), SOON); });

// The user that the address names after its #, if any.
function addressed() {
  try {
    const uid = decodeURIComponent(location.hash.slice(1));
    return isUser(uid) ? uid : null;
  } catch {
    return null;
  }
}
