import CHiredis

/// Which hiredis this build is made with.
public enum HiredisVersion {
    /// Such as `1.2.0`.
    public static var text: String { "\(HIREDIS_MAJOR).\(HIREDIS_MINOR).\(HIREDIS_PATCH)" }
}
