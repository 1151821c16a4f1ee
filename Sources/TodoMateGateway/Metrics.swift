package import EventLoop
import Foundation
import HTTPServing
package import TodoMate

/// Counts what a worker does, for `/metrics` in Prometheus's text format (version 0.0.4), and logs what is unusual.
@LoopActor
package final class Metrics: TodoRealtimeMonitor {
    private let log: Logger
    private var received = 0
    private var delivered = 0
    private var dropped: [String: Int] = [:]
    private var repairs = 0
    private var repaired = 0
    private var resets = 0
    private var snapshots = 0
    private var connections = 0
    private var isConnected = false
    private var readFailures = 0
    private var lastReadFailure: [String: TodoError] = [:]
    private var endings: [String: Int] = [:]
    private var requests: [Int: Int] = [:]
    private var refusals: [String: Int] = [:]
    private var mails = (sent: 0, putOff: 0, failed: [String: Int]())
    private var latency = Histogram(bounds: Metrics.seconds)
    private var roundTrips = Histogram(bounds: Metrics.seconds)
    private static let seconds = [0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5]
    /// Values that are read at each scrape.
    private var gauges: [(name: String, help: String, value: @LoopActor () -> Int)] = []

    /// How well the store's many servers are kept up with, read at each scrape; nil where it is one server.
    package var cluster: (@LoopActor () -> ClusterFigures?)?

    /// Nothing counted yet.
    package init(_ log: Logger) { self.log = log }

    /// Adds a value that is read at each scrape.
    func gauge(_ name: String, _ help: String, _ value: @escaping @LoopActor () -> Int) {
        gauges.append((name, help, value))
    }

    /// Counts an answered request.
    func answered(_ status: Int) { requests[status, default: 0] += 1 }

    /// Counts a request that was refused.
    func refused(_ kind: Problem.Kind) { refusals[kind.rawValue, default: 0] += 1 }

    /// What an operator sees of it: how many requests, how many of them refused and why, and likewise streams and messages.
    var counts: (requests: Int, refused: [String: Int], streamsEnded: [String: Int], dropped: [String: Int]) {
        (requests.values.reduce(0, +), refusals, endings, dropped)
    }

    /// Whether Redis is connected at the moment, and how many channels of a cluster are not where they should be.
    var connection: (isConnected: Bool, unsettled: Int?) { (isConnected, cluster?()?.unsettled) }

    /// Counts a mail that its server has taken, one that is tried once more, and one that is given up.
    func sentMail() { mails.sent += 1 }
    func putMailOff() { mails.putOff += 1 }
    func failedMail(_ reason: String) { mails.failed[reason, default: 0] += 1 }

    /// Counts a stream that ended.
    func streamEnded(_ ending: EventStream.Ending) { endings[ending.rawValue, default: 0] += 1 }

    /// Counts connections to Redis.
    package func connectionChanged(isConnected: Bool) {
        self.isConnected = isConnected
        if isConnected { connections += 1 }
    }

    /// Measures a command to Redis.
    package func replied(after time: Duration) { roundTrips.add(time / .seconds(1)) }

    // MARK: TodoRealtimeMonitor

    /// Counts, and measures the time since the write by the microseconds of the change's id.
    package func delivered(_ change: TodoChange, observers: Int) {
        received += 1
        delivered += observers
        guard let id = change.id else { return }
        latency.add(max(Date().timeIntervalSince1970 - Double(id.microseconds) / 1_000_000, 0))
    }

    /// Counts by reason, and logs.
    package func refused(_ refusal: MessageRefusal, for uid: String) {
        dropped[refusal.name, default: 0] += 1
        log.warning(
            "message dropped",
            [
                "uid": uid, "reason": refusal.description, "kind": refusal.name,
                "count": String(dropped[refusal.name, default: 0]),
            ]
        )
    }

    /// Counts repairs that found something, and logs them.
    package func caughtUp(_ uid: String, changes: Int?) {
        lastReadFailure[uid] = nil
        guard let changes, changes > 0 else { return }
        repairs += 1
        repaired += changes
        log.info("missed changes replayed from the log", ["uid": uid, "changes": String(changes)])
    }

    /// Counts, and logs each new reason.
    package func readFailed(_ uid: String, _ error: TodoError) {
        readFailures += 1
        guard lastReadFailure.updateValue(error, forKey: uid) != error else { return }
        log.warning("the log of changes cannot be read; retrying", ["uid": uid, "reason": error.description])
    }

    /// Counts and logs.
    package func reset(_ uid: String) {
        resets += 1
        log.warning("history lost or replaced: observers are reset", ["uid": uid])
    }

    /// Counts.
    package func snapshotRead(_ uid: String) { snapshots += 1 }

    /// The text for `/metrics`.
    func text() -> String {
        var text = MetricsText()
        text.counter("todomate_changes_received_total", "Changes received from Redis.", received)
        text.counter(
            "todomate_changes_delivered_total",
            "Changes delivered to observers; a filtered event stream may skip some.",
            delivered
        )
        text.counters("todomate_messages_dropped_total", "Messages that were not valid.", label: "reason", dropped)
        text.counter("todomate_gap_repairs_total", "Times that missed changes were replayed from the log.", repairs)
        text.counter("todomate_changes_repaired_total", "Missed changes replayed from the log.", repaired)
        text.counter("todomate_log_read_failures_total", "Times that a user's log could not be read.", readFailures)
        text.counter("todomate_resets_total", "Resets of a user's observers.", resets)
        text.counter("todomate_snapshots_total", "Snapshots read.", snapshots)
        let reconnects = max(connections - 1, 0)
        text.counter("todomate_redis_reconnects_total", "Reconnects to Redis.", reconnects)
        text.gauge("todomate_redis_connected", "Whether Redis is connected at the moment.", isConnected ? 1 : 0)
        text.histogram("todomate_redis_round_trip_seconds", "Time from a command to its reply.", roundTrips)
        text.counters("todomate_streams_ended_total", "Event streams that ended.", label: "reason", endings)
        let byStatus = Dictionary(uniqueKeysWithValues: requests.map { (String($0.key), $0.value) })
        text.counters("todomate_http_requests_total", "Answered requests.", label: "status", byStatus)
        text.counters("todomate_requests_refused_total", "Refused requests.", label: "reason", refusals)
        text.counter("todomate_mails_sent_total", "Mails that their server has taken.", mails.sent)
        text.counter("todomate_mails_put_off_total", "Times that a mail was to be tried once more.", mails.putOff)
        text.counters("todomate_mails_failed_total", "Mails that were given up.", label: "reason", mails.failed)
        text.histogram("todomate_delivery_seconds", "Time from the write of a change to its delivery.", latency)
        if let figures = cluster?() { Self.write(figures, to: &text) }
        for gauge in gauges { text.gauge(gauge.name, gauge.help, gauge.value()) }
        for (name, help, value) in ProcessFigures.all() { text.gauge(name, help, value) }
        return text.lines
    }

    private static func write(_ figures: ClusterFigures, to text: inout MetricsText) {
        text.counter("todomate_cluster_slots_moved_total", "Slots that went to another node.", figures.slotsMoved)
        text.counter(
            "todomate_cluster_refreshes_total",
            "Times that the nodes were asked who serves what.",
            figures.refreshes
        )
        text.gauge(
            "todomate_subscriptions_unsettled",
            "Channels that are not subscribed where they should be, or are where they should not.",
            figures.unsettled
        )
        text.counter(
            "todomate_resubscriptions_total",
            "Channels subscribed again, at another node or once more at the same.",
            figures.resubscriptions
        )
        text.gauge(
            "todomate_subscriptions_out_of_sync_seconds_total",
            "Time during which any channel was unsettled.",
            figures.secondsOutOfSync
        )
        text.counter(
            "todomate_silent_connections_total",
            "Connections made anew because they delivered nothing.",
            figures.silentConnections
        )
        text.gauge(
            "todomate_probes_refused",
            "1 while connections that deliver nothing cannot be found, as an access list forbids their channels.",
            figures.probesAreRefused ? 1 : 0
        )
    }
}
