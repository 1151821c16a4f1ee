import CLibevent

/// Which libevent runs the loop.
public enum LibeventVersion {
    /// Such as `2.1.12-stable`.
    public static var text: String { String(cString: event_get_version()) }
}
