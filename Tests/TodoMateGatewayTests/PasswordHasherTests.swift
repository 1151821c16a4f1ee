import Foundation
import Synchronization
import TestServers
import Testing

@testable import TodoMateGateway

@Suite("Passwords")
struct PasswordHasherTests {
    private func verify(_ hasher: PasswordHasher, _ password: String, _ hash: String?, of key: String = "a") async
        -> Bool?
    {
        await hasher.withPlace(for: key) { place in await place.verify(password, against: hash) }
    }

    @Test("are recognised by their hash, which is never the same twice")
    func hashing() async throws {
        let hasher = PasswordHasher()
        let hashes = [
            try #require(await hasher.hash("correct horse")), try #require(await hasher.hash("correct horse")),
        ]
        #expect(hashes[0] != hashes[1])
        #expect(hashes[0].hasPrefix("$argon2id$"))
        #expect(await verify(hasher, "correct horse", hashes[0]) == true)
        #expect(await verify(hasher, "correct horsE", hashes[0]) == false)
        #expect(await verify(hasher, "", hashes[0]) == false)
        #expect(await verify(hasher, "correct horse", nil) == false)
        #expect(await verify(hasher, "correct horse", "no hash") == false)
    }

    #if os(Linux)
        @Test("are checked at a lower priority, so that the loop gets its processor back at once")
        func priority() async {
            let found = Mutex<Int32?>(nil)
            let hasher = PasswordHasher(parallel: 1, most: 2, mostOfOne: 2) { _, _ in
                found.withLock { $0 = getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) }
                return true
            }
            let own = getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0)
            #expect(await verify(hasher, "p", "") == true)
            #expect(found.withLock { $0 } == max(10, own))
            #expect(getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) == own, "of that thread alone")
        }
    #endif

    /// Hashing that does not end before it is told to, and the order in which it began.
    private final class Gate: Sendable {
        private let began = Mutex<[String]>([])
        private let semaphore = DispatchSemaphore(value: 0)

        var order: [String] { began.withLock { $0 } }

        func open() { semaphore.signal() }

        func check(_ password: String) -> Bool {
            began.withLock { $0.append(password) }
            semaphore.wait()
            return true
        }
    }

    @Test("of one address do not keep another's waiting behind all of them")
    func fair() async throws {
        let gate = Gate()
        let hasher = PasswordHasher(parallel: 1, most: 20, mostOfOne: 8) { password, _ in gate.check(password) }
        await withTaskGroup(of: Bool?.self) { group in
            for number in 0..<8 {
                group.addTask { await verify(hasher, "a\(number)", "", of: "a") }
            }
            try? await eventually("the first runs, all have their places") {
                gate.order.count == 1 && hasher.places == 8
            }
            group.addTask { await verify(hasher, "b", "", of: "b") }
            try? await eventually("the other has one, too") { hasher.places == 9 }
            try? await eventually("all work waits") { hasher.waiting == 8 }
            for number in 2...9 {
                gate.open()
                try? await eventually("the next runs") { gate.order.count == number }
            }
            gate.open()
            for await isRight in group { #expect(isRight == true) }
        }
        #expect(gate.order.count == 9)
        // One of the first address runs, and one more may have had its turn before the other came.
        #expect((1...2).contains(gate.order.firstIndex(of: "b") ?? 9), "\(gate.order)")
        #expect(hasher.places == 0, "places are given back")
    }

    @Test("are turned away at once when too many wait for their turn, and when too many are one address's")
    func bounded() async throws {
        let gate = Gate()
        let hasher = PasswordHasher(parallel: 1, most: 3, mostOfOne: 2) { password, _ in gate.check(password) }
        await withTaskGroup(of: Bool?.self) { group in
            for key in ["a", "a"] { group.addTask { await verify(hasher, "x", "", of: key) } }
            try? await eventually("both have places") { hasher.places == 2 }
            #expect(await verify(hasher, "x", "", of: "a") == nil, "two places an address")
            group.addTask { await verify(hasher, "x", "", of: "b") }
            try? await eventually("all places are taken") { hasher.places == 3 }
            #expect(await verify(hasher, "x", "", of: "c") == nil, "three places in all")
            for _ in 0..<3 { gate.open() }
            for await isRight in group { #expect(isRight == true) }
        }
        gate.open()
        #expect(await verify(hasher, "x", "", of: "c") == true, "and it goes on afterwards")
    }
}
