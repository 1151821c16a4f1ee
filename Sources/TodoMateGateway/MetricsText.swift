import Foundation

/// Writes Prometheus's text format.
struct MetricsText {
    private(set) var lines = ""

    mutating func counter(_ name: String, _ help: String, _ value: Int) { sample(name, help, "counter", "\(value)") }

    mutating func gauge(_ name: String, _ help: String, _ value: Int) { sample(name, help, "gauge", "\(value)") }

    mutating func gauge(_ name: String, _ help: String, _ value: Double) {
        sample(name, help, name.hasSuffix("_total") ? "counter" : "gauge", "\(value)")
    }

    /// One counter a label value; none yet shows as nothing but its description.
    mutating func counters(_ name: String, _ help: String, label: String, _ values: [String: Int]) {
        head(name, help, "counter")
        for (value, count) in values.sorted(by: { $0.key < $1.key }) {
            lines += "\(name){\(label)=\"\(value)\"} \(count)\n"
        }
    }

    mutating func histogram(_ name: String, _ help: String, _ histogram: Histogram) {
        head(name, help, "histogram")
        var below = 0
        for (bound, count) in zip(histogram.bounds, histogram.counts) {
            below += count
            lines += "\(name)_bucket{le=\"\(bound)\"} \(below)\n"
        }
        lines += "\(name)_bucket{le=\"+Inf\"} \(histogram.count)\n\(name)_sum \(histogram.sum)\n"
        lines += "\(name)_count \(histogram.count)\n"
    }

    private mutating func sample(_ name: String, _ help: String, _ type: String, _ value: String) {
        head(name, help, type)
        lines += "\(name) \(value)\n"
    }

    private mutating func head(_ name: String, _ help: String, _ type: String) {
        lines += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    }
}

/// Counts values by how large they are.
struct Histogram {
    let bounds: [Double]
    private(set) var counts: [Int]
    private(set) var count = 0
    private(set) var sum = 0.0

    init(bounds: [Double]) {
        self.bounds = bounds
        counts = Array(repeating: 0, count: bounds.count)
    }

    mutating func add(_ value: Double) {
        count += 1
        sum += value
        if let index = bounds.firstIndex(where: { value <= $0 }) { counts[index] += 1 }
    }
}

/// What the system knows of this process, under the names that Prometheus's own clients use.
enum ProcessFigures {
    static func all() -> [(name: String, help: String, value: Double)] {
        var usage = rusage()
        #if os(Linux)
            getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        #else
            getrusage(RUSAGE_SELF, &usage)
        #endif
        let cpu =
            Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
            + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1_000_000
        var figures = [("process_cpu_seconds_total", "Processor time used.", cpu)]
        if let memory { figures.append(("process_resident_memory_bytes", "Memory in use.", Double(memory))) }
        if let descriptors = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
            figures.append(("process_open_fds", "Open file descriptors.", Double(descriptors.count)))
        }
        return figures
    }

    /// The bytes of memory in use; nil where the system does not say.
    static var memory: Int? {
        guard let statm = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
        let pages = statm.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        return pages.map { $0 * sysconf(Int32(_SC_PAGESIZE)) }
    }
}
