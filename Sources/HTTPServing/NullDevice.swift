import EventLoop
import Foundation

/// A descriptor that leads nowhere.
@LoopActor
enum NullDevice {
    private static let descriptor = open("/dev/null", O_RDWR | O_CLOEXEC)

    static func takePlace(of other: Int32) -> Bool { descriptor >= 0 && dup2(descriptor, other) >= 0 }
}
