import Foundation
import Testing

@testable import TodoMateGateway

@Suite("What a second factor consists of")
struct TimeCodeTests {
    /// The secret of RFC 6238, appendix B.
    private static func secret() throws -> TimeCodeSecret {
        try #require(TimeCodeSecret(Array("12345678901234567890".utf8)))
    }

    @Test(
        "is a code as RFC 6238 has it",
        arguments: [
            (59, "94287082"), (1_111_111_109, "07081804"), (1_111_111_111, "14050471"), (1_234_567_890, "89005924"),
            (2_000_000_000, "69279037"), (20_000_000_000, "65353130"),
        ]
    )
    func vectors(_ time: Int, _ code: String) throws {
        let step = TimeCodeSecret.step(at: Date(timeIntervalSince1970: TimeInterval(time)))
        #expect(step == time / 30)
        #expect(try Self.secret().code(of: step, digits: 8) == code)
        #expect(try Self.secret().code(of: step) == String(code.suffix(6)))
    }

    @Test("is found one step around, and no further", arguments: -3...3)
    func window(_ off: Int) throws {
        let (secret, time) = (try Self.secret(), Date(timeIntervalSince1970: 1_763_677_123))
        let step = TimeCodeSecret.step(at: time) + off
        let code = try #require(secret.code(of: step))
        #expect(secret.step(of: code, at: time) == (abs(off) <= 1 ? step : nil))
        #expect(secret.step(of: String(code.dropLast()), at: time) == nil)
        #expect(secret.step(of: code + "0", at: time) == nil)
    }

    @Test("is a secret that apps can read")
    func link() throws {
        let secret = try Self.secret()
        #expect(secret.text == "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")
        #expect(
            secret.link(for: "al.ice@x") == "otpauth://totp/TodoMate:al%2Eice%40x?secret=\(secret.text)"
                + "&issuer=TodoMate&algorithm=SHA1&digits=6&period=30"
        )
        #expect(TimeCodeSecret() != TimeCodeSecret() && TimeCodeSecret([1, 2, 3]) == nil)
        let picture = try #require(QRCode.picture(of: secret.link(for: "alice")))
        #expect(picture.hasPrefix("<svg ") && picture.hasSuffix("</svg>") && !picture.contains("script"))
        #expect(QRCode.picture(of: String(repeating: "x", count: 3000)) == nil, "more than any code holds")
    }

    @Test("is a recovery code, however it is typed")
    func recovery() throws {
        let code = RecoveryCode()
        #expect(code.text.wholeMatch(of: /[a-z2-7]{4}(-[a-z2-7]{4}){3}/) != nil && code != RecoveryCode())
        let typed = [code.text, code.text.uppercased(), code.text.replacing("-", with: " "), " \(code.text)\n"]
        for text in typed + [code.text.replacing("o", with: "0").replacing("l", with: "1")] {
            #expect(RecoveryCode(text) == code, "\(text)")
        }
        for text in ["", "123456", String(code.text.dropLast()), code.text + "a", code.text.replacing("-", with: "_")] {
            #expect(RecoveryCode(text) == nil, "\(text)")
        }
        #expect(RecoveryCode(String(repeating: " ", count: 100) + code.text) == nil)
        #expect(code.digest(for: "alice").count == 22 && code.digest(for: "alice") != code.digest(for: "bob"))
    }
}
