import COath
import Foundation

/// What codes by time are made of (RFC 6238): SHA-1, six digits and steps of 30 seconds, as every authenticator app has them.
struct TimeCodeSecret: Sendable, Equatable {
    /// As long as what SHA-1 makes of it (RFC 4226, section 4).
    static let byteCount = 20
    static let digits = 6
    private static let stepSeconds = 30
    /// So many steps may a clock be off, either way.
    private static let tolerance = 1

    private static let isReady: Bool = oath_init() == Int32(OATH_OK.rawValue)

    let bytes: [UInt8]

    /// One that nobody has.
    init() { bytes = Sodium.random(Self.byteCount) }

    /// Nil for one of another length.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// The step that a time is in.
    static func step(at time: Date) -> Int { Int(time.timeIntervalSince1970) / stepSeconds }

    /// The code of a step; nil where the library refuses.
    func code(of step: Int, digits: Int = Self.digits) -> String? {
        precondition(Self.isReady, "liboath cannot be started on this machine")
        var text = [CChar](repeating: 0, count: digits + 1)
        let status = bytes.withUnsafeBytes { secret in
            oath_totp_generate(
                secret.bindMemory(to: CChar.self).baseAddress,
                secret.count,
                time_t(step * Self.stepSeconds),
                UInt32(Self.stepSeconds),
                0,
                UInt32(digits),
                &text
            )
        }
        guard status == Int32(OATH_OK.rawValue) else { return nil }
        return String(decoding: text.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The step that a code is of, among those around a time; the latest of several, nil for none.
    func step(of code: String, at time: Date) -> Int? {
        let (now, given) = (Self.step(at: time), Array(code.utf8))
        // All of them, however early one is right.
        let right = (now - Self.tolerance...now + Self.tolerance).filter { step in
            self.code(of: step).map { Sodium.isEqual(Array($0.utf8), given) } ?? false
        }
        return right.last
    }

    /// The secret as people type it into an app: base32 (RFC 4648, section 6), 32 characters.
    var text: String { Base32.encode(bytes) }

    /// What an app reads: `otpauth://totp/TodoMate:alice?secret=…`.
    ///
    /// See https://github.com/google/google-authenticator/wiki/Key-Uri-Format, which all apps follow.
    func link(for uid: String) -> String {
        let name = uid.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? uid
        return "otpauth://totp/TodoMate:\(name)?secret=\(text)&issuer=TodoMate&algorithm=SHA1&digits=\(Self.digits)"
            + "&period=\(Self.stepSeconds)"
    }
}
