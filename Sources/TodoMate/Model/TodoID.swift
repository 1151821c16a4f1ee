import Foundation

/// Makes ids for new todos.
public enum TodoID {
    /// 22 characters that carry the 122 random bits of a UUID (RFC 9562, version 4), in base64url.
    public static func random() -> String {
        let bytes = withUnsafeBytes(of: UUID().uuid) { Data($0) }
        return bytes.base64EncodedString().prefix(22).map { $0 == "+" ? "-" : $0 == "/" ? "_" : String($0) }.joined()
    }
}
