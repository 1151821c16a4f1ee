import HTTPServing
import TestServers
import Testing
import TodoMate

@testable import TodoMateGateway

@Suite("The condition of a write")
struct ETagTests {
    private func expected(_ field: String) throws -> ExpectedRevision? {
        try ETag.expectedRevision(HTTPRequest(method: .patch, path: "/", headers: ["If-Match": field]))
    }

    @Test(
        "names the very write that it was read from",
        arguments: [
            (#""57-1763677123456789""#, ExpectedRevision(57, micros: 1_763_677_123_456_789)),
            (#" "57-1763677123456789" "#, ExpectedRevision(57, micros: 1_763_677_123_456_789)),
            (#"W/"3", "57-1763677123456789""#, ExpectedRevision(57, micros: 1_763_677_123_456_789)),
            (#""57-1763677123456789-r00ff12ab""#, ExpectedRevision(57, micros: 1_763_677_123_456_789)),
            // As older versions gave them, for todos that they wrote: there are no microseconds to those.
            (#""57""#, ExpectedRevision(57, micros: 0)), (#""57-00ff12ab""#, ExpectedRevision(57, micros: 0)),
            (#""57-r00ff12ab""#, ExpectedRevision(57, micros: 0)), (#""0""#, ExpectedRevision(0, micros: 0)),
        ]
    )
    func tags(_ field: String, _ revision: ExpectedRevision) throws {
        #expect(try expected(field) == revision)
    }

    @Test(
        "is refused when it is no ETag of a todo",
        arguments: [
            "57", #""""#, #"""#, #""x""#, #""057""#, #""57-""#, #""57-0123""#, #""-57""#, #""+57""#, #""57-1-2""#,
            #""57-1763677123456789-""#, #""57-1763677123456789-00ff12a""#, #""57-1763677123456789-g0ff12ab""#,
            #""57-1763677123456789-00ff12ab-00ff12ab""#, #""57", "58""#, #""99999999999999999""#, #"W/"57""#,
        ]
    )
    func refusals(_ field: String) {
        #expect(throws: Problem.self) { try expected(field) }
    }

    @Test("takes anything, or asks for nothing")
    func any() throws {
        #expect(try expected("*") == nil)
        #expect(try ETag.expectedRevision(HTTPRequest(method: .patch, path: "/", headers: [:])) == nil)
    }
}
