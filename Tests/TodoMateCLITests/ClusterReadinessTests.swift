import Testing
import TodoMateRedis

@testable import TodoMateCLI

@Suite("Whether a worker of a cluster is ready")
struct ClusterReadinessTests {
    private static let start = ContinuousClock.now

    private func condition(
        answering: Int = 3,
        refusing: Int = 0,
        missing: Int = 0,
        silent: [String] = []
    ) -> ClusterCondition {
        var condition = ClusterCondition()
        (condition.answering, condition.refusing, condition.slotsMissing) = (answering, refusing, missing)
        (condition.silent, condition.slotsSilent) = (silent, silent.count * 5461)
        return condition
    }

    @Test("is yes where all is there, without a word")
    func whole() {
        var readiness = ClusterReadiness()
        let objection = readiness.objection(condition(), trouble: nil)
        #expect(objection == nil && readiness.limitation == nil)
    }

    @Test("is no where nothing can be served")
    func nothing() {
        var readiness = ClusterReadiness()
        let gone = readiness.objection(condition(answering: 0, silent: ["a: refused"]), trouble: nil)
        #expect(gone == "no node of the cluster answers: a: refused")
        let down = readiness.objection(condition(answering: 2, refusing: 2, missing: 5461), trouble: nil)
        #expect(down?.contains("refuse") == true)
    }

    @Test("is yes, with what is missing, where a part is gone for everybody, however long")
    func part() {
        var readiness = ClusterReadiness()
        for seconds in [0, 20, 40, 600] {
            let part = condition(answering: 2, missing: 5461, silent: ["c: refused"])
            let objection = readiness.objection(part, trouble: "lost", at: Self.start + .seconds(seconds))
            #expect(objection == nil)
            #expect(readiness.limitation?.hasPrefix("5461 of 16384 slots") == true)
        }
    }

    @Test("is no where a further node is gone for this worker alone, beside one that is gone for everybody")
    func ownBesidePart() {
        var readiness = ClusterReadiness()
        let both = condition(answering: 1, missing: 5461, silent: ["c: refused", "b: no route to host"])
        for seconds in [0, 29] {
            let objection = readiness.objection(both, trouble: nil, at: Self.start + .seconds(seconds))
            #expect(objection == nil)
            #expect(readiness.limitation?.hasPrefix("5461 of 16384 slots") == true)
            #expect(readiness.limitation?.contains("b: no route to host") == true)
        }
        let objection = readiness.objection(both, trouble: nil, at: Self.start + .seconds(30))
        #expect(objection?.contains("b: no route to host") == true)
    }

    @Test("is yes, with the nodes' names, where some lack functions that it may not load; is no where all do")
    func withoutFunctions() {
        var readiness = ClusterReadiness()
        var part = condition(answering: 2, missing: 5461, silent: ["c: refused"])
        part.withoutFunctions = ["a"]
        let objection = readiness.objection(part, loading: "may not", trouble: nil)
        #expect(objection == nil)
        let missing = "the function library is missing at a: run 'todomate library load'; and 5461 of 16384 slots"
        #expect(readiness.limitation?.hasPrefix(missing) == true)
        // It was loaded on the way.
        let loaded = readiness.objection(part, trouble: nil)
        #expect(loaded == nil && readiness.limitation?.hasPrefix("5461 of 16384 slots") == true)
        part.withoutFunctions = ["a", "b"]
        let all = readiness.objection(part, loading: "may not", trouble: nil)
        #expect(all == "may not")
    }

    @Test("is no where a node is gone for this worker alone, once the others had time to notice")
    func own() {
        var readiness = ClusterReadiness()
        let alone = condition(answering: 2, silent: ["c: no route to host"])
        for seconds in [0, 15, 29] {
            let objection = readiness.objection(alone, trouble: nil, at: Self.start + .seconds(seconds))
            #expect(objection == nil && readiness.limitation?.contains("c: no route to host") == true)
        }
        let objection = readiness.objection(alone, trouble: nil, at: Self.start + .seconds(30))
        #expect(objection?.contains("c: no route to host") == true)
        // It begins anew once all was well.
        let well = readiness.objection(condition(), trouble: nil, at: Self.start + .seconds(31))
        let again = readiness.objection(condition(), trouble: "lost", at: Self.start + .seconds(61))
        let later = readiness.objection(condition(), trouble: "lost", at: Self.start + .seconds(91))
        #expect(well == nil && again == nil && later == "lost")
    }
}
