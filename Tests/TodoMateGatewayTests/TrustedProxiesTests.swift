import HTTPServing
import Testing

@testable import TodoMateGateway

@Suite("Trusted proxies")
struct TrustedProxiesTests {
    private func client(_ peer: String, _ forwarded: [String], trusting ranges: [String]) throws -> String {
        var headers: HTTPHeaders = [:]
        for value in forwarded { headers.add("X-Forwarded-For", value) }
        let request = HTTPRequest(method: .get, path: "/", headers: headers, remoteAddress: peer)
        return TrustedProxies(try ranges.map { try #require(AddressRange($0)) }).client(of: request)
    }

    /// Who calls, what they say, and who that makes the client.
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var peer: String
        var forwarded: [String]
        var client: String
        var trusted = ["10.0.0.0/8", "fd00::/8"]
    }

    private static let cases = [
        Case(testDescription: "no proxy", peer: "192.0.2.1", forwarded: [], client: "192.0.2.1"),
        Case(testDescription: "a proxy", peer: "10.1.2.3", forwarded: ["192.0.2.1"], client: "192.0.2.1"),
        Case(testDescription: "a proxy that says nothing", peer: "10.1.2.3", forwarded: [], client: "10.1.2.3"),
        Case(testDescription: "a client that lies", peer: "192.0.2.1", forwarded: ["203.0.113.9"], client: "192.0.2.1"),
        Case(
            testDescription: "a client that lies to a proxy",
            peer: "10.1.2.3",
            forwarded: ["203.0.113.9, 192.0.2.1"],
            client: "192.0.2.1"
        ),
        Case(
            testDescription: "a client that pretends to be a proxy",
            peer: "10.1.2.3",
            forwarded: ["203.0.113.9, 10.9.9.9, 192.0.2.1"],
            client: "192.0.2.1"
        ),
        Case(
            testDescription: "two proxies",
            peer: "10.1.2.3",
            forwarded: ["203.0.113.9,192.0.2.1 ,\t10.4.5.6"],
            client: "192.0.2.1"
        ),
        Case(
            testDescription: "fields one after the other",
            peer: "10.1.2.3",
            forwarded: ["203.0.113.9", "192.0.2.1", "10.4.5.6"],
            client: "192.0.2.1"
        ),
        Case(
            testDescription: "a client inside the trusted network",
            peer: "10.1.2.3",
            forwarded: ["10.7.7.7"],
            client: "10.7.7.7"
        ),
        Case(
            testDescription: "no address",
            peer: "10.1.2.3",
            forwarded: ["203.0.113.9, unknown"],
            client: "10.1.2.3"
        ),
        Case(
            testDescription: "an invention before a trusted hop",
            peer: "10.1.2.3",
            forwarded: ["192.0.2.1:99, 10.4.5.6"],
            client: "10.4.5.6"
        ),
        Case(
            testDescription: "nothing between commas",
            peer: "10.1.2.3",
            forwarded: ["192.0.2.1, ,"],
            client: "10.1.2.3"
        ),
        Case(
            testDescription: "IPv6",
            peer: "fd00::1",
            forwarded: ["2001:db8::9, 2001:db8::1, fd00::2"],
            client: "2001:db8::1"
        ),
        Case(
            testDescription: "IPv4 within IPv6",
            peer: "::ffff:10.0.0.1",
            forwarded: ["192.0.2.1"],
            client: "192.0.2.1"
        ),
        Case(
            testDescription: "nobody is trusted",
            peer: "10.1.2.3",
            forwarded: ["192.0.2.1"],
            client: "10.1.2.3",
            trusted: []
        ),
        Case(
            testDescription: "another proxy than the one that is",
            peer: "10.1.2.3",
            forwarded: ["192.0.2.1"],
            client: "10.1.2.3",
            trusted: ["10.1.2.4"]
        ),
    ]

    @Test("say who the client is, and nobody else does", arguments: cases)
    func client(_ example: Case) throws {
        #expect(try client(example.peer, example.forwarded, trusting: example.trusted) == example.client)
    }

    @Test(
        "are networks by their first bits",
        arguments: [
            ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.0", false),
            ("172.16.0.0/12", "172.31.9.9", true),
            ("172.16.0.0/12", "172.32.0.0", false), ("192.0.2.4/30", "192.0.2.7", true),
            ("192.0.2.4/30", "192.0.2.8", false), ("192.0.2.1", "192.0.2.1", true),
            ("192.0.2.1/32", "192.0.2.2", false),
            ("0.0.0.0/1", "127.0.0.1", true), ("2001:db8::/33", "2001:db8:7fff::1", true),
            ("2001:db8::/33", "2001:db8:8000::1", false), ("::1", "::1", true), ("::/1", "7fff::", true),
            ("fd00::/8", "10.0.0.1", false), ("::ffff:0:0/96", "10.0.0.1", true),
        ]
    )
    func contains(_ range: String, _ address: String, _ expected: Bool) throws {
        let (range, address) = (try #require(AddressRange(range)), try #require(IPAddress(address)))
        #expect(range.contains(address) == expected)
    }

    @Test(
        "that are no networks are refused",
        arguments: [
            "", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/0", "::/0", "::/129", "10.0.0.1/8", "10.0.0/8",
            "10.0.0.0/+8",
            "10.0.0.0/8/8", "10.0.0.0/ 8", "caddy", "::1%lo", "010.0.0.0/8", "10.0.0.0\u{0}/8", "fd00::1/8",
            "10.0.0.0/-1",
        ]
    )
    func refused(_ text: String) { #expect(AddressRange(text) == nil) }
}
