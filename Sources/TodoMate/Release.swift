/// Which TodoMate this is.
public enum Release {
    /// The version of program and HTTP interface, by <https://semver.org>; `openapi.json` repeats it, which a test checks.
    public static let version = "1.0.0"
}
