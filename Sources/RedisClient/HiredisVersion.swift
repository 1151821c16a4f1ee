import CHiredis

/// Which hiredis this build is made with.
package enum HiredisVersion {
    /// Such as `1.2.0`.
    package static var text: String { "\(HIREDIS_MAJOR).\(HIREDIS_MINOR).\(HIREDIS_PATCH)" }
}
