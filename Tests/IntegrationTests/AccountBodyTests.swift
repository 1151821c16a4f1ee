import EventLoop
import TestServers
import Testing
import TodoMate

@Suite("What is asked about accounts, reactions and the feed", .serialized)
@LoopActor
struct AccountBodyTests {
    private nonisolated static let profile = "PATCH /v1/users/alice/profile"
    private nonisolated static let follow = "PUT /v1/users/alice/following/bob"
    private nonisolated static let seen = "PUT /v1/users/alice/feed/seen"
    private nonisolated static let react = "PUT /v1/users/alice/todos/t1/reactions/alice"

    private static let refusals: [(line: String, body: String, advice: String)] = [
        (profile, #"{"audiance":"public"}"#, "'audiance' is no field here: use audience, visibility, name"),
        (profile, #"{"audience":"public","visability":"private"}"#, "'visability' is no field here"),
        (profile, #"{"audience":"all"}"#, "audience must be public, followers or private"),
        (profile, #"{"name":null}"#, "name must be a string"), (profile, #"{"name":" "}"#, "name must be one line"),
        (profile, #"{"face":"fox"}"#, "face must be one emoji"), (profile, #"{"language":"xx"}"#, "en or ko"),
        (profile, #"{"timeZone":"Mars/Olympus"}"#, "timeZone must be the name of a time zone"),
        (profile, #"{"weekStart":"friday"}"#, "weekStart must be monday, saturday or sunday"),
        (profile, "{}", "give at least one of"), (profile, "[]", "JSON object"),
        (follow, #"{"positon":1}"#, "'positon' is no field here: use position"),
        (follow, #"{"position":"first"}"#, "position must be a number"),
        (seen, #"{"seen":1.5}"#, "seen must be a whole number of microseconds"),
        (seen, #"{"seen":"now"}"#, "seen must be a number"), (seen, #"{"seen":1e300}"#, "a whole number"),
        (seen, #"{"seen":1,"scene":2}"#, "'scene' is no field here: use seen"),
        (react, #"{"emoji":"🎉","emojy":"🥳"}"#, "'emojy' is no field here: use emoji"),
        (react, #"{"emoji":7}"#, "emoji must be a string"),
        (
            "POST /v1/session", #"{"user":"alice","pasword":"x"}"#,
            "'pasword' is no field here: use user, password and code"
        ),
    ]

    @Test(
        "is refused when the body is not right, with what to mend, and changes nothing",
        arguments: Backing.allCases
    )
    func refusals(_ backing: Backing) async throws {
        try await withGateways(on: backing) { gateways in
            let gateway = gateways[0]
            for (line, body, advice) in Self.refusals {
                let answer = try await gateway.ask(line, as: "alice", body: body)
                #expect(answer.status == 422 && answer.isProblem && answer.body.contains(advice), "\(answer.body)")
            }
            #expect(try await gateway.latest(of: "alice") == .zero)
            if let redis = gateway.redis { #expect(try await redis.dataKeys() == []) }
        }
    }
}
