import Foundation
import Testing
import TodoMate

@testable import TodoMateGateway

@Suite("Session tokens")
struct SessionTokenTests {
    private let signer = TokenSigner(secret: String(repeating: "s", count: 32))!
    private let now = Date(timeIntervalSince1970: 1_795_000_000)

    private func token(_ header: String, _ payload: String, signedBy signer: TokenSigner? = nil) -> String {
        let signed = "\(Base64URL.encode(header.utf8)).\(Base64URL.encode(payload.utf8))"
        let key = Array(String(repeating: signer == nil ? "s" : "x", count: 32).utf8)
        return "\(signed).\(Base64URL.encode(Sodium.authenticate(Array(signed.utf8), key: key)))"
    }

    @Test("say who somebody is, until they end")
    func roundTrip() {
        let token = SessionToken(uid: "alice", expiry: now + 60, id: "Zm9vYmFyYmF6cXV4cXV1eA", generation: 7)
        let text = signer.sign(token, now: now)
        #expect(signer.verify(text, now: now) == token)
        #expect(signer.verify(text, now: now + 59) == token)
        #expect(signer.verify(text, now: now + 60) == nil)
    }

    private static let session = #""sub":"alice","exp":1795000060,"jti":"Zm9vYmFyYmF6cXV4cXV1eA","gen":7"#
    private static let header = #"{"alg":"HS256","typ":"JWT"}"#

    @Test("say what they are for", arguments: TokenScope.allCases.map { SessionScope.token($0) } + [.account])
    func scopes(_ scope: SessionScope) {
        let token = SessionToken(
            uid: "alice",
            expiry: now + 60,
            id: "Zm9vYmFyYmF6cXV4cXV1eA",
            generation: 7,
            scope: scope
        )
        #expect(signer.verify(signer.sign(token, now: now), now: now) == token)
        // Spelled otherwise, as the decoder reads it.
        let payload = "{ \(Self.session), \"v\": 2, \"scp\": \"\(scope.word)\" }"
        #expect(signer.verify(self.token(Self.header, payload), now: now)?.scope == scope)
    }

    @Test("of older versions may write, and no more")
    func older() {
        #expect(signer.verify(token(Self.header, "{\(Self.session)}"), now: now)?.scope == .token(.write))
        let spelled = #"{"sub":"alice","iat":1795000000,"exp":1795000060,"jti":"Zm9vYmFyYmF6cXV4cXV1eA","gen":7}"#
        #expect(signer.verify(token(Self.header, spelled), now: now)?.scope == .token(.write))
    }

    @Test(
        "with a scope that is none, or of another version, are refused",
        arguments: [
            #""v":2"#, #""scp":"write""#, #""v":2,"scp":"Write""#, #""v":2,"scp":"""#, #""v":2,"scp":"write account""#,
            #""v":1,"scp":"write""#, #""v":3,"scp":"feed""#, #""v":"2","scp":"feed""#, #""v":2,"scp":["feed"]"#,
            #""v":2,"scp":7"#, #""v":2.5,"scp":"feed""#, #""v":-2,"scp":"feed""#,
        ]
    )
    func noScope(_ claims: String) {
        #expect(signer.verify(token(Self.header, "{\(Self.session),\(claims)}"), now: now) == nil)
    }

    @Test("with another scope written into them have a wrong signature")
    func changedScope() throws {
        let feed = SessionToken(
            uid: "alice",
            expiry: now + 60,
            id: "Zm9vYmFyYmF6cXV4cXV1eA",
            generation: 7,
            scope: .token(.feed)
        )
        let parts = signer.sign(feed, now: now).split(separator: ".").map(String.init)
        let payload = String(decoding: try #require(Base64URL.decode(parts[1])), as: UTF8.self)
        for word in ["account", "write", "read", "feeD"] {
            let changed = payload.replacing(#""scp":"feed""#, with: "\"scp\":\"\(word)\"")
            #expect(changed != payload)
            let forged = "\(parts[0]).\(Base64URL.encode(changed.utf8)).\(parts[2])"
            #expect(signer.verify(forged, now: now) == nil, "\(word)")
        }
    }

    @Test("are signed as the examples of RFC 4231 are")
    func knownAnswer() {
        let code = Sodium.authenticate(Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8))
        let hex = code.map { String(format: "%02x", $0) }.joined()
        #expect(hex == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    }

    @Test("want a secret of 32 bytes")
    func secret() {
        #expect(TokenSigner(secret: String(repeating: "s", count: 31)) == nil)
        #expect(TokenSigner(secret: String(repeating: "한", count: 11)) != nil)
    }

    @Test("of a secret that is being changed are good until it is gone")
    func rotation() throws {
        let (old, new) = (String(repeating: "o", count: 32), String(repeating: "n", count: 32))
        let before = try #require(TokenSigner(secret: old))
        let both = try #require(TokenSigner(secret: new, formerSecrets: [old]))
        let after = try #require(TokenSigner(secret: new))
        let token = SessionToken(uid: "alice", expiry: now + 60, id: "Zm9vYmFyYmF6cXV4cXV1eA", generation: 7)
        let (first, second) = (before.sign(token, now: now), both.sign(token, now: now))
        #expect(both.verify(first, now: now) == token && both.verify(second, now: now) == token)
        #expect(after.verify(first, now: now) == nil && after.verify(second, now: now) == token)
        #expect(before.verify(second, now: now) == nil, "the new secret signs")
        #expect(TokenSigner(secret: new, formerSecrets: ["short"]) == nil)
    }

    @Test("are spelled in base64url, of which only the one spelling of some bytes is taken")
    func spelling() {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        for count in 0..<67 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: ($0 + 7) * 151) }
            #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
        }
        // Two characters are a byte and four bits, which have to be zero; three are two bytes and two bits.
        for byte in UInt8.min ... .max {
            for other in alphabet {
                let isRight = alphabet.firstIndex(of: byte) != nil
                let bits = alphabet.firstIndex(of: other) ?? 0
                #expect((Base64URL.decode([byte, other][...]) != nil) == (isRight && bits % 16 == 0))
                #expect((Base64URL.decode([byte, byte, other][...]) != nil) == (isRight && bits % 4 == 0))
                #expect((Base64URL.decode([other, byte, other, other][...]) != nil) == isRight)
            }
        }
        // Wherever it stands, among whole groups of four and behind them.
        for count in [4, 6, 7, 8, 10, 11] {
            for place in 0..<count {
                for byte in UInt8.min ... .max {
                    var text = [UInt8](repeating: UInt8(ascii: "A"), count: count)
                    text[place] = byte
                    guard !alphabet.contains(byte) else { continue }
                    #expect(Base64URL.decode(text[...]) == nil)
                }
            }
        }
        #expect(Base64URL.decode("A") == nil && Base64URL.decode("AAAAA") == nil && Base64URL.decode("AA==") == nil)
    }

    @Test("of any other making are refused")
    func forgeries() {
        let session = #""jti":"Zm9vYmFyYmF6cXV4cXV1eA","gen":7"#
        let good = "{\"sub\":\"alice\",\"exp\":1795000060,\(session)}"
        let header = #"{"alg":"HS256","typ":"JWT"}"#
        #expect(signer.verify(token(header, good), now: now) != nil)
        let other = TokenSigner(secret: String(repeating: "x", count: 32))!
        let unsigned = "\(Base64URL.encode(#"{"alg":"none"}"#.utf8)).\(Base64URL.encode(good.utf8))."
        let valid = token(header, good)
        for forged in [
            token(header, good, signedBy: other), unsigned, unsigned + "x", token(#"{"alg":"none"}"#, good),
            token(#"{"alg":"HS512"}"#, good), token(#"{"alg":"hs256"}"#, good), token("{}", good),
            token(header, "{\"sub\":\"alice\",\(session)}"), token(header, "{\"exp\":1795000060,\(session)}"),
            token(header, "{\"sub\":\"alice\",\"exp\":1795000060,\"nbf\":1795000030,\(session)}"),
            token(header, "{\"sub\":\"alice\",\"exp\":1795000060,\"iat\":1795000030,\(session)}"),
            token(header, "{\"sub\":\"alice\",\"exp\":\"1795000060\",\(session)}"),
            token(header, "{\"sub\":7,\"exp\":1795000060,\(session)}"),
            // As older versions made them: they name no session.
            token(header, #"{"sub":"alice","iat":1794999999,"exp":1795000060}"#),
            token(header, #"{"sub":"alice","exp":1795000060,"jti":"Zm9vYmFyYmF6cXV4cXV1eA"}"#),
            token(header, #"{"sub":"alice","exp":1795000060,"gen":7}"#),
            token(#"{"alg":"HS256","crit":["exp"],"exp":1}"#, good), token(#"{"alg":"HS256","crit":[]}"#, good),
            token(#"{"alg":"HS256","typ":"JWT","crit":null}"#, good),
            "", ".", "..", "...", valid + ".", valid + "=", String(valid.dropLast()), "a" + valid, valid.uppercased(),
            String(repeating: "a", count: 5000),
        ] {
            #expect(signer.verify(forged, now: now) == nil, "\(forged.prefix(120))")
        }
    }

    @Test("changed in one place are refused", arguments: 0..<20 as Range<Int>)
    func mutations(round: Int) {
        let valid = Array(
            signer.sign(
                SessionToken(uid: "alice", expiry: now + 60, id: "Zm9vYmFyYmF6cXV4cXV1eA", generation: 7),
                now: now
            ).utf8
        )
        for place in valid.indices where place % 20 == round {
            var changed = valid
            changed[place] = changed[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            #expect(signer.verify(String(decoding: changed, as: UTF8.self), now: now) == nil)
        }
    }
}
