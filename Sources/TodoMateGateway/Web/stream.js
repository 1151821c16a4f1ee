// The board's event stream, kept open whatever happens in between.

const SLEPT = 20000;      // a timer this late: the machine slept, and the connection is dead
const STUCK = 12000;      // the browser tries by itself; after this long it is done by hand
const HIDDEN = 5000;      // a hidden tab closes its connection: browsers share six per server
const QUIET = 4500;       // a heartbeat was missed: what shows may not be live
const SILENT = 35000;     // so long the first event may take, such as a long list on a slow line
const LONGEST_SILENCE = 120000;
const LONGEST_WAIT = 15000;
/** So many seconds lie between two heartbeats. */
export const HEARTBEAT = 3;
const EVENTS = ['snapshot', 'added', 'modified', 'removed', 'closed', 'relation', 'settings', 'badges', 'session', 'announcement'];

export class Stream {
  /**
   * `path(since)` is where to connect, resuming from the event id `since`, or from the start for ''.
   * `hooks`: event(type, data, last), state(name), beat() with each heartbeat, lost() once the server refuses or does not answer. It goes on from `since`.
   */
  constructor(path, hooks, since = '') {
    this.path = path;
    this.hooks = hooks;
    this.failures = 0;
    this.silences = 0;
    this.last = since;
    // Until a heartbeat says otherwise, also over another connection.
    this.isInTouch = true;
    // A tab that was opened in the background waits until somebody looks: browsers share six connections per server.
    this.hasRested = document.hidden;
    this.tick = Date.now();
    this.timers = new AbortController();
    const { signal } = this.timers;
    addEventListener('online', () => { if (!this.hasRested) this.connect(); }, { signal });
    addEventListener('offline', () => this.tell(), { signal });
    document.addEventListener('visibilitychange', () => this.visibilityChanged(), { signal });
    this.watch = setInterval(() => this.look(), 1000);
    if (this.hasRested) this.tell();
    else this.connect();
  }

  /** Reconnects when `path` has changed: another user is to be watched, or one no longer. */
  refresh() {
    if (!this.hasRested && this.source && this.path('') !== this.watched) this.connect(true);
  }

  connect(isQuiet = false) {
    clearTimeout(this.wait);
    this.source?.close();
    this.since = this.heardAt = Date.now();
    this.hasHeard = false;
    this.watched = this.path('');
    const source = new EventSource(this.path(this.last));
    this.source = source;
    source.onopen = () => { this.failures = 0; this.heardAt = Date.now(); this.tell(); };
    source.addEventListener('heartbeat', (event) => this.heard(event, () => {
      // The server may be there, and out of touch with what it serves; one of an older version does not say so.
      const isLive = JSON.parse(event.data).live !== false;
      if (isLive !== this.isInTouch) {
        this.isInTouch = isLive;
        this.tell();
      }
      this.hooks.beat?.();
    }));
    source.onerror = () => { if (source === this.source) this.failed(); };
    for (const type of EVENTS) {
      source.addEventListener(type, (event) => this.heard(event, (last) => this.hooks.event(type, JSON.parse(event.data), last)));
    }
    if (!isQuiet) this.tell();
  }

  close() {
    this.timers.abort();
    clearInterval(this.watch);
    clearTimeout(this.wait);
    this.source?.close();
    this.source = null;
  }

  heard(event, deliver) {
    if (event.target !== this.source) return;
    this.heardAt = Date.now();
    this.hasHeard = true;
    const last = event.lastEventId || this.last;
    deliver(last);
    this.last = last;
    if (!this.wasLive) this.tell();
  }

  failed() {
    if (this.source.readyState === EventSource.CLOSED) this.again();
    else Object.assign(this, { since: Date.now(), hasHeard: false });
    this.tell();
  }

  // Exponential, with full jitter, so that a restarted server is not called by all pages at once.
  again() {
    clearTimeout(this.wait);
    const longest = Math.min(LONGEST_WAIT, 500 * 2 ** this.failures++);
    this.wait = setTimeout(async () => {
      const isWelcome = await this.hooks.lost();
      if (isWelcome && !this.hasRested && !this.timers.signal.aborted) this.connect();
    }, 100 + Math.random() * longest);
  }

  look() {
    const now = Date.now();
    const late = now - this.tick > SLEPT;
    this.tick = now;
    // A clock that was put back would make everything seem to have been heard just now, for hours.
    this.since = Math.min(this.since, now);
    this.heardAt = Math.min(this.heardAt, now);
    if (this.hasRested) return;
    const isStuck = this.source.readyState === EventSource.CONNECTING && Date.now() - this.since > STUCK;
    const quiet = Date.now() - this.heardAt;
    // What takes long may be a long answer: it is given more time with each try.
    const patience = Math.min(LONGEST_SILENCE, (this.hasHeard ? QUIET : SILENT) * 2 ** this.silences);
    const isSilent = this.source.readyState === EventSource.OPEN && quiet > patience;
    if (isSilent) this.silences += 1;
    else if (this.hasHeard && quiet < QUIET && Date.now() - this.since > SILENT) this.silences = 0;
    if (late || isStuck || isSilent) this.connect();
    else if (this.wasLive && quiet > QUIET) this.tell();
  }

  visibilityChanged() {
    clearTimeout(this.rest);
    if (document.hidden) {
      this.rest = setTimeout(() => { this.hasRested = true; clearTimeout(this.wait); this.source?.close(); }, HIDDEN);
    } else if (this.hasRested || this.source.readyState === EventSource.CLOSED) {
      this.hasRested = false;
      this.connect();
    } else {
      this.look();
    }
  }

  tell() {
    this.wasLive = this.source?.readyState === EventSource.OPEN && Date.now() - this.heardAt <= QUIET && this.isInTouch;
    this.hooks.state(this.wasLive ? 'live' : !navigator.onLine ? 'offline' : this.wasOpen ? 'reconnecting' : 'connecting');
    this.wasOpen ||= this.wasLive;
  }
}
