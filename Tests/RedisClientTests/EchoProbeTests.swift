import Testing

@testable import RedisClient

@Suite("The probe of a connection for subscriptions")
struct EchoProbeTests {
    /// What comes of a message that is published.
    enum Course: CaseIterable {
        case echoAfterAnswer, echoBeforeAnswer, neverAccepted, echoWithoutAnswer, noEcho
    }

    /// What the probe wants at each of so many beats, when what it publishes takes this course.
    private func actions(_ probe: inout EchoProbe, _ beats: Int, _ course: Course) -> [EchoProbe.Action] {
        (0..<beats).map { _ in
            let action = probe.beat()
            guard action == .publish else { return action }
            let number = probe.begin()
            if course == .echoBeforeAnswer || course == .echoWithoutAnswer { probe.heard() }
            if ![.neverAccepted, .echoWithoutAnswer].contains(course) { probe.published(number) }
            if course == .echoAfterAnswer { probe.heard() }
            return action
        }
    }

    @Test(
        "publishes now and then, and gives the connection up only when an echo is missing",
        arguments: Course.allCases
    )
    func courses(_ course: Course) {
        var probe = EchoProbe()
        let actions = actions(&probe, 10 * EchoProbe.beatsAllowed, course)
        let counts = (publish: actions.count { $0 == .publish }, drop: actions.count { $0 == .drop })
        #expect(counts == (course == .noEcho ? (5, 5) : (10, 0)))
        // One at a time, and never in the same breath.
        #expect(actions.prefix(EchoProbe.beatsAllowed - 1).allSatisfy { $0 == .nothing })
    }

    @Test("takes no late answer for one to the message that is under way")
    func late() {
        var probe = EchoProbe()
        let first = probe.begin()
        let second = probe.begin()
        probe.published(first)
        #expect((0..<EchoProbe.beatsAllowed).allSatisfy { _ in probe.beat() != .drop })
        #expect(first != second)
    }
}
