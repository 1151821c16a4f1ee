import Testing

@testable import RedisClient

@Suite("The probe of a connection for subscriptions")
struct EchoProbeTests {
    /// What the probe wants at each of so many beats, when what it publishes is accepted or not.
    private func actions(_ probe: inout EchoProbe, _ beats: Int, accepted: Bool) -> [EchoProbe.Action] {
        (0..<beats).map { _ in
            let action = probe.beat()
            if action == .publish, accepted { probe.published() }
            return action
        }
    }

    @Test("publishes now and then, and is content with the echo")
    func echo() {
        var probe = EchoProbe()
        for _ in 0..<5 {
            let actions = actions(&probe, EchoProbe.beatsAllowed, accepted: true)
            #expect(actions.dropLast().allSatisfy { $0 == .nothing } && actions.last == .publish)
            probe.heard()
        }
    }

    @Test("gives the connection up when the echo does not come, and begins anew")
    func silence() {
        var probe = EchoProbe()
        let actions = actions(&probe, 2 * EchoProbe.beatsAllowed, accepted: true)
        #expect(actions.count { $0 == .publish } == 1)
        #expect(actions.last == .drop && actions.count { $0 == .drop } == 1)
        #expect(probe == EchoProbe())
    }

    @Test("concludes nothing from what was never published")
    func refused() {
        var probe = EchoProbe()
        let actions = actions(&probe, 10 * EchoProbe.beatsAllowed, accepted: false)
        #expect(actions.count { $0 == .publish } == 10 && !actions.contains(.drop))
    }
}
