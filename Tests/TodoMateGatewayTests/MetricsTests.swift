import Foundation
import Testing

@testable import TodoMateGateway

@Suite("Metrics")
struct MetricsTests {
    @Test("are written in Prometheus's text format")
    func format() {
        var histogram = Histogram(bounds: [0.1, 1])
        for value in [0.05, 0.1, 0.5, 3] { histogram.add(value) }
        var text = MetricsText()
        text.counter("a_total", "A.", 3)
        text.counters("b_total", "B.", label: "reason", ["x": 1, "w": 2])
        text.histogram("c_seconds", "C.", histogram)
        #expect(
            text.lines == """
                # HELP a_total A.
                # TYPE a_total counter
                a_total 3
                # HELP b_total B.
                # TYPE b_total counter
                b_total{reason="w"} 2
                b_total{reason="x"} 1
                # HELP c_seconds C.
                # TYPE c_seconds histogram
                c_seconds_bucket{le="0.1"} 2
                c_seconds_bucket{le="1.0"} 3
                c_seconds_bucket{le="+Inf"} 4
                c_seconds_sum 3.65
                c_seconds_count 4

                """
        )
    }
}

@Suite("Gzip")
struct GzipTests {
    @Test("makes what gunzip takes", arguments: [0, 1, 1000, 100_000], [Gzip.Effort.little, .most])
    func roundTrip(_ count: Int, _ effort: Gzip.Effort) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7 / 3) }
        let compressed = try #require(Gzip.compress(bytes, effort))
        let gunzip = Process()
        gunzip.executableURL = URL(fileURLWithPath: "/bin/gzip")
        gunzip.arguments = ["-dc"]
        let (input, output) = (Pipe(), Pipe())
        (gunzip.standardInput, gunzip.standardOutput) = (input, output)
        try gunzip.run()
        input.fileHandleForWriting.write(Data(compressed))
        try input.fileHandleForWriting.close()
        #expect(try output.fileHandleForReading.readToEnd().map(Array.init) ?? [] == bytes)
    }
}
