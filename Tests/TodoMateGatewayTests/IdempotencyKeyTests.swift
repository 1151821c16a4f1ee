import EventLoop
import Foundation
import HTTPServing
import Testing
import TodoMate

@testable import TodoMateGateway

@Suite("The field Idempotency-Key")
@LoopActor
struct IdempotencyKeyTests {
    @Test(
        "holds one string of RFC 9651",
        arguments: [
            (#""a""#, "a"), (#""8e03978e-40d5-43dd-bc93-6894a57f9324""#, "8e03978e-40d5-43dd-bc93-6894a57f9324"),
            (#""""#, ""), (#"" ~""#, " ~"), (#""\"\\""#, #""\"#), (#""a, b;c""#, "a, b;c"),
            ("", nil), ("a", nil), (#"""#, nil), (#""a"#, nil), (#"a""#, nil), (#""a" "#, nil), (#" "a""#, nil),
            (#""a"b"#, nil), (#""a";b"#, nil), (#""a","b""#, nil), (#""\a""#, nil), (#""a\"#, nil), (#""a\""#, nil),
            ("\"a\tb\"", nil), ("\"a\nb\"", nil), ("\"\u{7F}\"", nil), ("\"é\"", nil), ("'a'", nil), ("\"\0\"", nil),
        ] as [(String, String?)]
    )
    func strings(_ text: String, _ inside: String?) {
        #expect(IdempotencyKey.string(text) == inside)
    }

    @Test("makes a request another one by its method, path, query and body alone")
    func fingerprints() {
        func fingerprint(_ change: (inout HTTPRequest) -> Void) -> String {
            var request = HTTPRequest(
                method: .post,
                path: "/v1/a",
                query: [("b", "c")],
                headers: ["If-Match": "\"1\""],
                body: Array("{}".utf8)
            )
            change(&request)
            return IdempotencyKey.fingerprint(of: request)
        }
        let changes: [(inout HTTPRequest) -> Void] = [
            { _ in }, { $0.method = .put }, { $0.path = "/v1/b" }, { $0.path = "/v1/ab" }, { $0.query = [("bc", "")] },
            { $0.query = [] }, { $0.query = [("c", "b")] }, { $0.body = [] }, { $0.body = Array("{} ".utf8) },
            {
                $0.query = [("b", "c\n{}")]; $0.body = []
            },
        ]
        #expect(Set(changes.map(fingerprint)).count == changes.count)
        #expect(fingerprint { $0.headers = [:] } == fingerprint { _ in })
        #expect(fingerprint { _ in }.wholeMatch(of: /[0-9a-f]{32}/) != nil)
    }

    @Test("is taken where the document says so, by every change of what a user has")
    func routes() throws {
        struct Document: Decodable {
            struct Operation: Decodable { var parameters: [[String: Value]]? }
            enum Value: Decodable {
                case text(String), other
                init(from decoder: any Decoder) throws {
                    self = (try? decoder.singleValueContainer().decode(String.self)).map(Value.text) ?? .other
                }
            }
            enum Item: Decodable {
                case operation(Operation), other
                init(from decoder: any Decoder) throws {
                    self = (try? Operation(from: decoder)).map(Item.operation) ?? .other
                }
            }
            var paths: [String: [String: Item]]
        }
        let document = try JSONDecoder().decode(Document.self, from: Data(PackageResources.openapi_json))
        var described: [String: Set<HTTPMethod>] = [:]
        for (path, items) in document.paths {
            for (name, item) in items {
                guard case .operation(let operation) = item, let method = HTTPMethod(rawValue: name.uppercased()),
                    operation.parameters?.contains(where: {
                        if case .text("#/components/parameters/idempotencyKey") = $0["$ref"] { true } else { false }
                    }) == true
                else { continue }
                described[path, default: []].insert(method)
            }
        }
        #expect(described == OperationRule.taking)
        // A route that is new is put somewhere first: what a program may write takes one, but for what has secrets in its answer, and
        // for archives, of which nothing is written twice as it is.
        var written: [String: Set<HTTPMethod>] = [:]
        for (path, items) in document.paths where !path.contains("/invitations") && !path.hasSuffix("/archive") {
            for method in items.keys.compactMap({ HTTPMethod(rawValue: $0.uppercased()) })
            where ScopeRule.allows(.token(.write), method, path) && !ScopeRule.allows(.token(.read), method, path) {
                written[path, default: []].insert(method)
            }
        }
        #expect(written == OperationRule.taking)
    }
}
