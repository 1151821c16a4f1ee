import CSodium
import CZlib

/// Which libraries the gateway runs on.
package enum GatewayLibraries {
    /// libsodium's version, such as `1.0.18`.
    package static var sodium: String { String(cString: sodium_version_string()) }
    /// zlib's version, such as `1.2.13`.
    package static var zlib: String { String(cString: zlibVersion()) }
}
