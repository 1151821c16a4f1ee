import EventLoop
import Foundation
import RedisClient

/// How long Redis takes to answer, and whether its clock is right.
@LoopActor
enum SpeedCheck {
    private nonisolated static let rounds = 50

    static func run(_ context: DoctorCheck.Context) async throws -> [Finding] {
        try await EachNode.findings(context, findings)
    }

    private static func findings(_ node: RedisNode) async throws(RedisError) -> [Finding] {
        var times: [Duration] = []
        var skews: [Double] = []
        for _ in 0..<rounds {
            let (began, before) = (ContinuousClock.now, Date())
            let reply = try await node.pipelined([RedisCommand("TIME")])[0]
            times.append(ContinuousClock.now - began)
            let parts = (reply.array ?? []).compactMap { $0.string.flatMap(Double.init) }
            // Redis read its clock somewhere between the two moments.
            let middle = (before.timeIntervalSince1970 + Date().timeIntervalSince1970) / 2
            if parts.count == 2 { skews.append(parts[0] + parts[1] / 1e6 - middle) }
        }
        times.sort()
        skews.sort()
        return [latency(times[times.count / 2], times[times.count - 1])]
            + (skews.isEmpty ? [] : [clock(skews[skews.count / 2])])
    }

    /// Judges a median and a longest time.
    nonisolated static func latency(_ median: Duration, _ longest: Duration) -> Finding {
        let message = "\(milliseconds(median)) ms to an answer, \(milliseconds(longest)) at most of \(rounds)"
        let advice = "run Redis nearer, or look into SLOWLOG GET and LATENCY DOCTOR"
        return switch median {
        case ..<Duration.milliseconds(10): .ok("latency", message)
        case ..<Duration.milliseconds(100): .warning("latency", message, advice)
        default: .error("latency", message, advice)
        }
    }

    /// Judges by how many seconds Redis's clock is ahead of this machine's.
    nonisolated static func clock(_ skew: Double) -> Finding {
        let seconds = String(format: "%.1f s %@ this machine's", abs(skew), skew < 0 ? "behind" : "ahead of")
        let advice = "let both keep time by NTP (timedatectl set-ntp true)"
        return switch abs(skew) {
        case ..<1: .ok("clock", "Redis and this machine agree on the time")
        case ..<60: .warning("clock", "Redis's clock is \(seconds)", advice)
        default: .error("clock", "Redis's clock is \(seconds): todos get wrong times", advice)
        }
    }

    private nonisolated static func milliseconds(_ time: Duration) -> String {
        String(format: "%.2f", time / .milliseconds(1))
    }
}
