/// A parser that faces the outside, under any bytes at all.
///
/// `check` throws a ``FuzzFailure`` when what the parser made of the bytes breaks one of its promises; refusing them is
/// always fine. The same targets run under libFuzzer, by `scripts/fuzz`, and over the kept corpus, by `scripts/test`.
struct FuzzTarget: Sendable, CustomStringConvertible {
    /// Names the target, and its folder in the corpus.
    let name: String
    let check: @Sendable ([UInt8]) throws -> Void

    var description: String { name }

    /// Every target. A new one is a file beside this one, a line here, and a folder of seeds in the corpus.
    static let all = [
        FuzzTarget(name: "message", check: MessageFuzzing.check),
        FuzzTarget(name: "reply", check: ReplyFuzzing.check),
        FuzzTarget(name: "request", check: RequestFuzzing.check),
        FuzzTarget(name: "target", check: RequestTargetFuzzing.check),
        FuzzTarget(name: "date", check: DateFuzzing.check),
        FuzzTarget(name: "query", check: DayQueryFuzzing.check),
        FuzzTarget(name: "body", check: BodyFuzzing.check),
        FuzzTarget(name: "token", check: TokenFuzzing.check),
        FuzzTarget(name: "link", check: LinkFuzzing.check),
        FuzzTarget(name: "host", check: HostFuzzing.check),
        FuzzTarget(name: "etag", check: ETagFuzzing.check),
        FuzzTarget(name: "eventID", check: EventIDFuzzing.check),
        FuzzTarget(name: "url", check: RedisURLFuzzing.check),
        FuzzTarget(name: "archive", check: ArchiveFuzzing.check),
        FuzzTarget(name: "eventStream", check: EventStreamFuzzing.check),
    ]
}

/// A promise that a parser broke.
struct FuzzFailure: Error, CustomStringConvertible {
    let description: String
}

/// Throws a ``FuzzFailure`` unless the condition holds.
func require(_ condition: Bool, _ failure: @autoclosure () -> String) throws(FuzzFailure) {
    guard condition else { throw FuzzFailure(description: failure()) }
}

/// The value, which a parser promised.
func require<Value>(_ value: Value?, _ failure: @autoclosure () -> String) throws(FuzzFailure) -> Value {
    guard let value else { throw FuzzFailure(description: failure()) }
    return value
}
