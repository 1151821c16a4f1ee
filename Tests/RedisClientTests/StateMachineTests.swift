import Testing

@testable import RedisClient

@Suite("The connection's state machine")
struct ConnectionStateMachineTests {
    /// A machine whose connection is ready.
    private func ready() -> ConnectionStateMachine {
        var machine = ConnectionStateMachine()
        _ = machine.start()
        _ = machine.opened()
        _ = machine.greeted()
        return machine
    }

    @Test("connects, greets, and only then is ready")
    func opens() {
        var machine = ConnectionStateMachine()
        #expect(machine.start() == .open(attempt: 0))
        do {
            let isReady = machine.isReady
            #expect(!isReady)
        }
        #expect(machine.opened() == .greet)
        do {
            let isReady = machine.isReady
            #expect(!isReady)
        }
        #expect(machine.greeted() == .announceReady)
        do {
            let isReady = machine.isReady
            #expect(isReady)
        }
    }

    @Test("backs off further with each failure in a row, whichever step it was")
    func backsOff() {
        var machine = ConnectionStateMachine()
        _ = machine.start()
        #expect(machine.lost() == .retry(afterFailure: 0, wasReady: false))
        #expect(machine.retryIsDue() == .open(attempt: 1))
        _ = machine.opened()
        #expect(machine.lost() == .retry(afterFailure: 1, wasReady: false))
        #expect(machine.retryIsDue() == .open(attempt: 2))
        _ = machine.opened()
        _ = machine.greeted()
        // Ready, but never proven to stay: the failures still count.
        #expect(machine.lost() == .retry(afterFailure: 2, wasReady: true))
    }

    @Test("takes no commands while it leaves, and gives up at the next beat what is not answered by then")
    func leaves() {
        var machine = ready()
        machine.leave()
        let isReady = machine.isReady
        #expect(!isReady)
        #expect(machine.heartbeat(received: true) == .giveUp)
        #expect(machine.lost() == .retry(afterFailure: 0, wasReady: true))
        machine.leave()
        #expect(machine.retryIsDue() == .open(attempt: 1))
    }

    @Test("forgets earlier failures once the connection has stayed up")
    func forgets() {
        var machine = ConnectionStateMachine()
        _ = machine.start()
        _ = machine.lost()
        _ = machine.retryIsDue()
        _ = machine.opened()
        _ = machine.greeted()
        #expect(machine.heartbeat(received: true) == .nothing)
        #expect(machine.lost() == .retry(afterFailure: 0, wasReady: true))
    }

    @Test("asks a silent peer for a sign of life, then gives it up")
    func heartbeat() {
        var machine = ready()
        #expect(machine.heartbeat(received: false) == .ping)
        #expect(machine.heartbeat(received: true) == .nothing)
        #expect(machine.heartbeat(received: false) == .ping)
        for _ in 1..<ConnectionStateMachine.silentBeatsAllowed {
            #expect(machine.heartbeat(received: false) == .nothing)
        }
        #expect(machine.heartbeat(received: false) == .giveUp)
    }

    @Test("does nothing more once closed, and closes once")
    func closes() {
        var machine = ready()
        #expect(machine.close() == .tearDown)
        #expect(machine.close() == .nothing)
        #expect(machine.start() == .nothing)
        #expect(machine.opened() == .nothing)
        #expect(machine.lost() == .nothing)
        #expect(machine.retryIsDue() == .nothing)
        #expect(machine.heartbeat(received: false) == .nothing)
    }

    @Test("ignores events that belong to another state")
    func ignores() {
        var machine = ConnectionStateMachine()
        #expect(machine.opened() == .nothing)
        #expect(machine.greeted() == .nothing)
        #expect(machine.retryIsDue() == .nothing)
        #expect(machine.lost() == .nothing)
        #expect(machine.start() == .open(attempt: 0))
        #expect(machine.start() == .nothing)
    }
}

@Suite("The subscription's state machine")
struct SubscriptionStateMachineTests {
    /// A subscription that Redis has confirmed.
    private func active() -> SubscriptionStateMachine {
        var machine = SubscriptionStateMachine()
        _ = machine.confirmed()
        return machine
    }

    @Test("is active from Redis's confirmation to the request to end it")
    func lifetime() {
        var machine = SubscriptionStateMachine()
        #expect(!machine.isActive)
        #expect(machine.confirmed() == .announceOpen)
        #expect(machine.isActive)
        #expect(machine.close(isConnected: true) == .sendUnsubscribe)
        #expect(!machine.isActive)
        #expect(machine.confirmed() == .forget)
    }

    @Test("that is wanted again before its end was confirmed opens again, after that confirmation")
    func reopens() {
        var machine = active()
        _ = machine.close(isConnected: true)
        #expect(machine.open(isConnected: true) == .sendSubscribe)
        #expect(machine.confirmed() == .nothing)
        #expect(!machine.isActive)
        #expect(machine.confirmed() == .announceOpen)
    }

    @Test("that is given up before it was confirmed ends after both confirmations")
    func givesUp() {
        var machine = SubscriptionStateMachine()
        #expect(machine.close(isConnected: true) == .sendUnsubscribe)
        #expect(machine.confirmed() == .nothing)
        #expect(machine.confirmed() == .forget)
    }

    @Test("is asked for again after a reconnect, and announced again")
    func reconnects() {
        var machine = active()
        #expect(machine.disconnected() == .nothing)
        #expect(!machine.isActive)
        #expect(machine.reconnected() == .sendSubscribe)
        #expect(machine.confirmed() == .announceOpen)
    }

    @Test("is forgotten at once when there is no connection to end it on")
    func forgets() {
        var machine = active()
        #expect(machine.close(isConnected: false) == .forget)
        var closing = active()
        _ = closing.close(isConnected: true)
        #expect(closing.disconnected() == .forget)
    }
}

@Suite("The handshake")
struct HandshakeTests {
    @Test(
        "sends only what the URL asks for",
        arguments: [
            ("redis://h", 3), ("redis://h/3", 4), ("redis://:p@h", 4), ("redis://u:p@h/3", 5),
            ("redis+cluster://h", 2), ("redis+sentinel://h/m", 3),
        ]
    )
    func commands(_ url: String, _ count: Int) throws {
        #expect(Handshake(try RedisURL(url)).commands.count == count)
    }

    @Test("tells Redis the name that the program gives itself")
    func name() throws {
        var url = try RedisURL("redis://h")
        url.clientName = "archive"
        #expect(Handshake(url).commands.first == RedisCommand("CLIENT", "SETNAME", "archive"))
    }

    @Test(
        "tells what will pass from what will not",
        arguments: [
            ("LOADING Redis is loading the dataset in memory", true), ("BUSY Redis is busy", true),
            ("NOAUTH Authentication required.", false), ("WRONGPASS invalid username-password pair", false),
        ]
    )
    func answers(_ message: String, _ passes: Bool) throws {
        var handshake = Handshake(try RedisURL("redis://:p@h"))
        let progress = handshake.receive(.error(RedisServerError(message: message)))
        let isTransient = if case .notReady = progress { true } else { false }
        let isRefused = if case .refused = progress { true } else { false }
        #expect((isTransient, isRefused) == (passes, !passes))
    }

    @Test("goes on when a courtesy is refused")
    func courtesy() throws {
        var handshake = Handshake(try RedisURL("redis://h"))
        let refusal = RedisValue.error(RedisServerError(message: "NOPERM no"))
        #expect(handshake.receive(refusal) == .more)
        #expect(handshake.receive(refusal) == .more)
        #expect(handshake.receive(.status("PONG")) == .finished)
    }

    @Test(
        "tells a server that is named as one of its own from one that belongs to others",
        arguments: ["cluster", "sentinel"]
    )
    func mode(_ mode: String) throws {
        var handshake = Handshake(try RedisURL("redis://h:7000"))
        #expect(handshake.receive(.status("OK")) == .more)
        let words = ["server", "redis", "mode", mode].map { RedisValue.bytes(Array($0.utf8)) }
        let progress = handshake.receive(.array(words))
        guard case .refused(let advice) = progress else { throw Unexpected(progress: progress) }
        #expect(advice.contains("redis+\(mode)://h:7000"))
    }

    @Test("waits for a primary behind sentinels", arguments: [("master", true), ("slave", false), ("sentinel", false)])
    func role(_ role: String, _ isPrimary: Bool) throws {
        var handshake = Handshake(try RedisURL("redis+sentinel://h/m"))
        #expect(handshake.receive(.status("OK")) == .more)
        let progress = handshake.receive(.array([.bytes(Array(role.utf8)), .integer(0), .array([])]))
        #expect((progress == .more) == isPrimary)
    }

    @Test("says of a server that sentinels name which it is, and of a sentinel what it wants")
    func names() throws {
        let url = try RedisURL("redis+sentinel://h/m?sentinel-password=x")
        let server = RedisEndpoint(host: "10.0.0.1", port: 6379)
        var handshake = Handshake(url, server: server)
        _ = handshake.receive(.status("OK"))
        let progress = handshake.receive(.array([.bytes(Array("slave".utf8))]))
        #expect(progress == .notReady("10.0.0.1:6379 is not the primary: its role is slave"))
        var sentinel = Handshake(url.sentinel(RedisEndpoint(host: "h", port: 26379)))
        guard case .refused(let advice) = sentinel.receive(.error(.init(message: "WRONGPASS no"))) else {
            throw Unexpected(progress: .more)
        }
        #expect(advice.contains("sentinel-password"))
    }

    private struct Unexpected: Error { var progress: Handshake.Progress }
}
