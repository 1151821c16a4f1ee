import Foundation

/// Makes ids for new todos.
public enum TodoID {
    /// 22 characters that carry the 122 random bits of a UUID (RFC 9562, version 4), in base64url.
    public static func random() -> String {
        let text = withUnsafeBytes(of: UUID().uuid) { Data($0) }.base64EncodedData().prefix(22)
        return String(decoding: text.map(urlSafe), as: UTF8.self)
    }

    private static func urlSafe(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "+"): UInt8(ascii: "-")
        case UInt8(ascii: "/"): UInt8(ascii: "_")
        default: byte
        }
    }
}
