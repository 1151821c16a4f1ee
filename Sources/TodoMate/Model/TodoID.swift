import Foundation

/// Makes ids for new todos.
public enum TodoID {
    /// 22 characters that carry the random bits of a UUID (RFC 9562, version 4), in base64url; the first is no dash, which a
    /// command line would take for an option.
    public static func random() -> String {
        while true {
            let text = withUnsafeBytes(of: UUID().uuid) { Data($0) }.base64EncodedData().prefix(22)
            let id = String(decoding: text.map(urlSafe), as: UTF8.self)
            if !id.hasPrefix("-") { return id }
        }
    }

    private static func urlSafe(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "+"): UInt8(ascii: "-")
        case UInt8(ascii: "/"): UInt8(ascii: "_")
        default: byte
        }
    }
}
