/// Which TodoMate this is.
package enum Release {
    /// The version of program and HTTP interface, by <https://semver.org>; `openapi.json` repeats it, which a test checks.
    package static let version = "1.0.0"
}
