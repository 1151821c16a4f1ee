import EventLoop
import Foundation
import Testing

@Suite("Workers that run for long", .serialized)
@LoopActor
struct SoakTests {
    /// `scripts/soak` sets the time, and then it is the whole of it; without it, a few seconds of a small one.
    @Test("subscribe to what is observed and to nothing else, and use no more than at first")
    func soak() async throws {
        let environment = ProcessInfo.processInfo.environment
        let minutes = environment["TODOMATE_SOAK_MINUTES"].flatMap { Double($0) }
        var plan = SoakRun.Plan(time: .seconds((minutes ?? 0.1) * 60))
        if minutes == nil { (plan.streams, plan.users, plan.samples) = (60, 40, 6) }
        let report = try await SoakRun(plan, seed: 20_261_120).run()
        print(report)
        #expect(report.verdict.isEmpty, "\(report)")
        #expect(report.changes > 0 && report.connects > 0)
    }

    @Test("are measured by a line of least squares")
    func slope() throws {
        let points: [(x: Double, y: Double)] = stride(from: 0.0, to: 5.0, by: 1.0).map { x in (x: x, y: 3.0 * x + 7.0) }
        let line = try #require(Slope(points))
        #expect(abs(line.perUnit - 3) < 1e-9 && line.uncertainty < 1e-9)
        let noisy = try #require(Slope([(0, 0), (1, 2), (2, 1), (3, 3)]))
        #expect(abs(noisy.perUnit - 0.8) < 1e-9 && abs(noisy.uncertainty - 0.424_264_068_7) < 1e-9)
        #expect(Slope([(1, 1), (1, 2), (1, 3)]) == nil && Slope([(0, 0), (1, 1)]) == nil)
    }
}
