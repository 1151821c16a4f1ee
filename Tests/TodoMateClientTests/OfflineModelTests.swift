import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate

@testable import TodoMateClient

@Suite("Devices that are offline now and then", .serialized)
@LoopActor
struct OfflineModelTests {
    /// What may go wrong in a run.
    struct Troubles: OptionSet, Sendable {
        let rawValue: Int
        static let lostAnswers = Troubles(rawValue: 1)
        static let kills = Troubles(rawValue: 2)
        static let clock = Troubles(rawValue: 4)
        static let restores = Troubles(rawValue: 8)
        static let others = Troubles(rawValue: 16)
        static let forgetting = Troubles(rawValue: 32)
        static let all: Troubles = [.lostAnswers, .kills, .clock, .restores, .others]
    }

    @Test(
        "end equal to the server, with nothing typed lost and nothing done twice",
        arguments: [
            Troubles.all, .lostAnswers, .kills, [.clock, .others], .restores, [.lostAnswers, .others, .forgetting],
            [.lostAnswers, .kills, .clock, .others, .forgetting],
        ],
        ModelSeeds.all(usually: 0..<12)
    )
    func converges(_ troubles: Troubles, _ seed: Int) async throws {
        try await withFolder { folder in
            var run = try ModelRun(seed: seed, troubles, ["a", "b"], in: folder)
            for _ in 0..<250 { try run.step() }
            try run.settle()
            run.check()
        }
    }

    @Test("alone end with exactly what was typed last", arguments: ModelSeeds.all(usually: 0..<24))
    func alone(_ seed: Int) async throws {
        try await withFolder { folder in
            let troubles: Troubles = [.lostAnswers, .kills, .clock]
            var run = try ModelRun(seed: seed, troubles, ["a"], in: folder)
            for _ in 0..<250 { try run.step() }
            try run.settle()
            run.check()
            run.checkAlone()
        }
    }
}

/// One run of a model: two devices, a page in a browser, and one server.
@LoopActor
struct ModelRun {
    private var random: SeededRandom
    private let troubles: OfflineModelTests.Troubles
    private let seed: Int
    private var server = ModelServer()
    private var backup = ModelServer()
    private let devices: [ModelDevice]
    private var count = 0
    /// Requests that left a device which was killed since: they may still arrive.
    private var stray: [Outbox.Request] = []

    init(seed: Int, _ troubles: OfflineModelTests.Troubles, _ names: [String], in folder: String) throws {
        (self.seed, self.troubles) = (seed, troubles)
        random = SeededRandom(seed: UInt64(seed + troubles.rawValue * 1000))
        devices = try names.map { try ModelDevice($0, in: folder) }
    }

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    private mutating func text() -> String {
        count += 1
        return "text \(count)"
    }

    mutating func step() throws {
        let device = devices[Int.random(in: 0..<devices.count, using: &random)]
        do {
            if troubles.contains(.kills), chance(5) { device.commitsLeft = Int.random(in: 0..<4, using: &random) }
            try step(device)
        } catch is ModelDevice.Killed {
            try revive(device)
        }
    }

    private mutating func revive(_ device: ModelDevice) throws {
        device.commitsLeft = nil
        stray += device.onTheirWay
        try device.start()
    }

    private mutating func step(_ device: ModelDevice) throws {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<30: try type(device)
        case 30..<55: try device.send()
        case 55..<75: try deliver(device)
        case 75..<90: try device.follow(server, most: Int.random(in: 1...4, using: &random))
        case 90..<92 where troubles.contains(.kills): try revive(device)
        case 92..<94 where troubles.contains(.clock):
            server.jump(by: Int.random(in: -500_000...500_000, using: &random))
        case 94..<95 where troubles.contains(.restores): server.restore(backup)
        case 95..<96: backup = server
        case 97 where troubles.contains(.forgetting): try forgetKeys()
        case 96..<98 where troubles.contains(.others): writeElsewhere()
        case 99 where !device.refused.isEmpty: try decide(device)
        case 98 where !stray.isEmpty: _ = server.take(stray.removeFirst())
        default: break
        }
    }

    private mutating func type(_ device: ModelDevice) throws {
        let key = "k\(count)-\(UInt64.random(in: 0 ... .max, using: &random))"
        if chance(20) { return try doAgain(device, key) }
        let shown = device.shown.values.sorted { $0.id < $1.id }
        guard !shown.isEmpty, !chance(30) else {
            let text = text()
            // Apps may choose ids, alike on two devices.
            let taken = devices.count > 1 && chance(10) ? server.todos.keys.sorted().last : nil
            guard let taken, device.shown[taken] == nil else { return try device.add("t\(count)", text, key) }
            return try device.add(taken, text, key)
        }
        let todo = shown[Int.random(in: 0..<shown.count, using: &random)]
        switch Int.random(in: 0..<10, using: &random) {
        case 0: try device.remove(todo, key)
        case 1..<6: try device.edit(todo, TodoPatch(content: text()), key)
        case 6..<8: try device.edit(todo, TodoPatch(detail: text(), status: .complete), key)
        case 8: try device.edit(todo, TodoPatch(status: todo.status == .todo ? .inProgress : .todo), key)
        default: try device.edit(todo, TodoPatch(date: todo.date.adding(days: 1)), key)
        }
    }

    /// Does something with a routine's days.
    private mutating func doAgain(_ device: ModelDevice, _ key: String) throws {
        guard let todo = device.unmade.first, !chance(20) else { return try device.takeBack(key) }
        if chance(30) { return try device.skip(todo, isBack: false, key) }
        try device.edit(todo, chance(50) ? TodoPatch(status: .complete) : TodoPatch(detail: text()), key)
    }

    /// The person tries again what was refused, or gives it up.
    private mutating func decide(_ device: ModelDevice) throws {
        let refused = device.refused[Int.random(in: 0..<device.refused.count, using: &random)]
        guard chance(70) else { return try device.discard(refused) }
        count += 1
        try device.retry(refused, "again \(count)")
    }

    private mutating func deliver(_ device: ModelDevice) throws {
        guard !device.onTheirWay.isEmpty else { return }
        let index = Int.random(in: 0..<device.onTheirWay.count, using: &random)
        let request = device.takeRequest(index)
        if troubles.contains(.lostAnswers), chance(20) {
            // Lost on the way there, or on the way back.
            if chance(50) { _ = server.take(request) }
            return try device.answer(request, .passing("lost"))
        }
        try device.answer(request, server.take(request))
    }

    /// A day passes: nothing is on its way any more, and the server forgets what was done.
    private mutating func forgetKeys() throws {
        stray = []
        for device in devices {
            while !device.onTheirWay.isEmpty { try device.answer(device.takeRequest(0), .passing("nothing came")) }
        }
        server.forgetKeys()
    }

    private mutating func writeElsewhere() {
        let todos = server.todos.keys.sorted()
        guard !todos.isEmpty else { return }
        let todo = todos[Int.random(in: 0..<todos.count, using: &random)]
        let intent: OutboxEntry.Intent = chance(20) ? .remove : .edit(TodoPatch(content: text()))
        _ = server.take(Outbox.Request(number: 0, todo: todo, key: "page \(count) \(todo)", intent: intent))
    }

    /// Everything arrives from now on.
    mutating func settle() throws {
        for device in devices { device.commitsLeft = nil }
        for request in stray { _ = server.take(request) }
        for _ in 0..<2000 {
            var isQuiet = true
            for device in devices {
                if try device.send() { isQuiet = false }
                while !device.onTheirWay.isEmpty {
                    let request = device.takeRequest(0)
                    try device.answer(request, server.take(request))
                    isQuiet = false
                }
                let before = device.share?.id
                try device.follow(server, most: .max)
                if device.share?.id != before { isQuiet = false }
            }
            if isQuiet { return }
        }
        Issue.record("seed \(seed): it does not come to rest")
    }

    /// Where nobody else writes, the last word stands, whatever came in between.
    func checkAlone() {
        for (id, texts) in devices[0].typed {
            let (todo, isDetail) = (id.replacing(" detail", with: ""), id.hasSuffix(" detail"))
            let stored = server.todos[todo].map { isDetail ? $0.detail : $0.content }
            #expect(texts == [stored ?? ""], "seed \(seed): \(id)")
        }
        #expect(devices[0].refused == [], "seed \(seed)")
    }

    func check() {
        for device in devices {
            #expect(device.shown == server.todos, "seed \(seed): what \(device.name) shows")
            let unmade = ModelServer.days.filter { server.todos[$0] == nil && server.settings.unmade($0) != nil }
            #expect(device.unmade.map(\.id) == unmade, "seed \(seed): what \(device.name) leaves to do")
            let open = device.outbox.entries.filter { !$0.isRefused }
            #expect(open == [], "seed \(seed): what \(device.name) still has")
            let kept = device.refused.flatMap(\.texts)
            for text in device.typed.values.joined() {
                #expect(
                    server.texts.contains(text) || kept.contains(text) || device.reached.contains(text),
                    "seed \(seed): '\(text)', typed on \(device.name), is nowhere"
                )
            }
        }
        // Once it is forgotten that an edit was done, it is done on top of what others wrote since, which is told.
        let isForgetful = troubles.contains(.forgetting)
        for (key, times) in server.times where !isForgetful || server.adds.contains(key) {
            #expect(times == 1, "seed \(seed): \(key)")
        }
    }
}
