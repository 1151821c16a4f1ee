import COath
import Foundation

/// base32 without padding (RFC 4648, section 6).
enum Base32 {
    static let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

    static func encode(_ bytes: [UInt8]) -> String {
        var (text, length): (UnsafeMutablePointer<CChar>?, Int) = (nil, 0)
        let status = bytes.withUnsafeBytes {
            oath_base32_encode($0.bindMemory(to: CChar.self).baseAddress, $0.count, &text, &length)
        }
        defer { free(text) }
        precondition(status == Int32(OATH_OK.rawValue), "there is no memory for a text of \(bytes.count) bytes")
        let characters = UnsafeBufferPointer(start: text, count: length).map { UInt8(bitPattern: $0) }
        return String(decoding: characters.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
    }
}
