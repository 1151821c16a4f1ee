import CLibevent
import Foundation

/// A pipe whose one purpose is to end the loop's wait from another thread.
struct WakePipe: Sendable {
    private let reader: Int32
    private let writer: Int32

    /// Nil when no descriptor is left.
    init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        (reader, writer) = (ends[0], ends[1])
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
    }

    /// Wakes the loop. A full pipe is as good as a written one: the loop will wake.
    func signal() {
        var byte: UInt8 = 1
        _ = write(writer, &byte, 1)
    }

    /// Empties the pipe whenever it was written to, for as long as the process lives.
    func watch(on base: OpaquePointer) {
        let event = event_new(
            base,
            reader,
            Int16(EV_READ | EV_PERSIST),
            { descriptor, _, _ in
                var bytes: (UInt64, UInt64) = (0, 0)
                while read(descriptor, &bytes, MemoryLayout.size(ofValue: bytes)) > 0 {}
            },
            nil
        )
        guard let event, event_add(event, nil) == 0 else { fatalError("the loop cannot watch its own wake-up pipe") }
    }
}
