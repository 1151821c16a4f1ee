/// How long nothing may come of a stream until its connection counts as dead.
///
/// What takes long may be a long answer, or a slow line: after each silence the next one may last twice as long, until a stream has
/// lasted. Streams resume, so that being wrong costs a request.
struct StreamPatience: Sendable, Equatable {
    /// So long the first event may take, such as a long list on a slow line.
    static let first = Duration.seconds(25)
    static let longest = Duration.seconds(120)

    /// How often the server says that it is there, in whole seconds as it takes them.
    let heartbeat: Duration
    private var silences = 0

    init(heartbeat: Duration) { self.heartbeat = .seconds(min(max(heartbeat.components.seconds, 2), 60)) }

    /// - Parameter hasHeard: whether something has come on this connection.
    func time(hasHeard: Bool) -> Duration {
        // One heartbeat may be late by half of its time and a little more.
        min(Self.longest, (hasHeard ? heartbeat * 5 / 3 : Self.first) * (1 << min(silences, 8)))
    }

    /// Whether a connection that lives would have brought something in so long a silence, such as that of a suspended app.
    ///
    /// Nobody waits here, so that no earlier silence makes it longer.
    func isStale(after silence: Duration, hasHeard: Bool) -> Bool {
        silence > (hasHeard ? heartbeat * 5 / 4 : Self.first)
    }

    /// Nothing has come for as long as that.
    mutating func silent() { silences += 1 }

    /// A heartbeat has come on a connection of this age.
    mutating func heard(at age: Duration) {
        if age > Self.first { silences = 0 }
    }
}
