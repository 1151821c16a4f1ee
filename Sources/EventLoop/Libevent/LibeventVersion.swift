import CLibevent

/// Which libevent runs the loop.
package enum LibeventVersion {
    /// Such as `2.1.12-stable`.
    package static var text: String { String(cString: event_get_version()) }
}
