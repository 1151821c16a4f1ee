import Foundation
import Testing

@testable import TodoMateGateway

@Suite("Tokens that were verified before")
struct VerifiedTokensTests {
    private let now = Date(timeIntervalSince1970: 1_795_000_000)

    private func entry(_ uid: String) -> VerifiedTokens.Entry {
        VerifiedTokens.Entry(
            token: SessionToken(uid: uid, expiry: now, id: "Zm9vYmFyYmF6cXV4cXV1eA", generation: 7),
            start: 0
        )
    }

    @Test("are kept up to a number and a size, while they are asked for", arguments: [(8, 1 << 20), (1 << 20, 80)])
    func bounds(most: Int, mostBytes: Int) {
        let tokens = VerifiedTokens(most: most, mostBytes: mostBytes)
        _ = tokens.entry(of: "token-used") { entry("used") }
        for number in 100..<1000 {
            _ = tokens.entry(of: "token--\(number)") { entry("\(number)") }
            #expect(tokens.entry(of: "token-used") { nil }?.token.uid == "used", "it is asked for all the time")
            #expect(tokens.entry(of: "token--\(number)") { nil }?.token.uid == "\(number)")
            #expect(tokens.size.count <= 16 && tokens.size.bytes <= 160)
        }
        #expect(tokens.entry(of: "token--100") { nil } == nil, "nobody asked for it")
    }

    @Test("count once, however often they come")
    func once() {
        let tokens = VerifiedTokens(most: 8, mostBytes: 80)
        for _ in 0..<100 { _ = tokens.entry(of: "token-used") { entry("used") } }
        #expect(tokens.size == (1, 10))
    }

    @Test("end as others do, and none comes in with a wrong signature or at a wrong time")
    func signatures() throws {
        let signer = try #require(TokenSigner(secret: String(repeating: "s", count: 32)))
        let other = try #require(TokenSigner(secret: String(repeating: "o", count: 32)))
        let token = SessionToken(uid: "Kim", expiry: now + 60, id: "Zm9vYmFyYmF6cXV4cXV1eA", generation: 7)
        let (good, forged) = (signer.sign(token, now: now), other.sign(token, now: now))
        for text in [forged, good + "A", String(good.dropLast()), "", String(repeating: "a", count: 5000)] {
            #expect(signer.verify(text, now: now) == nil)
        }
        #expect(signer.verify(good, now: now + 60) == nil && signer.verify(good, now: now - 60) == nil)
        #expect(signer.verified.size.count == 0)
        for _ in 0..<2 { #expect(signer.verify(good, now: now) == token) }
        #expect(signer.verified.size == (1, good.utf8.count))
        #expect(signer.verify(good, now: now + 60) == nil, "its time is looked at each time")
        #expect(signer.verify(forged, now: now) == nil)
    }

    @Test("are known by their bytes, not by what Unicode takes for the same")
    func equivalence() throws {
        let signer = try #require(TokenSigner(secret: String(repeating: "s", count: 32)))
        // One of these has a K somewhere.
        let texts = (0..<100).map {
            signer.sign(
                SessionToken(uid: "user\($0)", expiry: now + 60, id: "Zm9vYmFyYmF6cXV4cXV1eA", generation: 7),
                now: now
            )
        }
        let good = try #require(texts.first { $0.contains("K") })
        let lookalike = good.replacing("K", with: "\u{212A}")
        #expect(signer.verify(good, now: now) != nil && good == lookalike)
        #expect(signer.verify(lookalike, now: now) == nil)
    }
}
