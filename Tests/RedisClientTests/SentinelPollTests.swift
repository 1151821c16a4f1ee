import TestServers
import Testing

@testable import RedisClient

private let sentinels = (1...3).map { RedisEndpoint(host: "s\($0)", port: 26379) }
private let (first, second) = (RedisEndpoint(host: "a", port: 6379), RedisEndpoint(host: "b", port: 6379))

@Suite("A round of questions to sentinels")
struct SentinelPollTests {
    private let silence = RedisLink.LinkError(reason: "Connection refused")

    @Test("is over with a majority, so that one that hangs does no harm")
    func majority() {
        var poll = SentinelPoll(sentinels)
        poll.receive(.success(.init(primary: first, epoch: 1)), from: sentinels[0])
        #expect(!poll.isOver)
        poll.receive(.success(.init(primary: first, epoch: 1)), from: sentinels[2])
        #expect(poll.isOver && poll.failure == nil)
    }

    @Test("waits for all while they differ")
    func disagreement() {
        var poll = SentinelPoll(sentinels)
        poll.receive(.success(.init(primary: first, epoch: 1)), from: sentinels[0])
        poll.receive(.success(.init(primary: second, epoch: 2)), from: sentinels[2])
        #expect(!poll.isOver)
        poll.receive(.failure(silence), from: sentinels[1])
        #expect(poll.isOver && poll.answers.count == 2)
    }

    @Test("waits for the one that had news")
    func awaited() {
        var poll = SentinelPoll(sentinels, awaiting: [sentinels[1]])
        poll.receive(.success(.init(primary: first, epoch: 1)), from: sentinels[0])
        poll.receive(.success(.init(primary: first, epoch: 1)), from: sentinels[2])
        #expect(!poll.isOver)
        poll.receive(.success(.init(primary: second, epoch: 2)), from: sentinels[1])
        #expect(poll.isOver && poll.answers.last?.primary == second)
        var other = SentinelPoll(sentinels, awaiting: [sentinels[1]])
        other.receive(.failure(silence), from: sentinels[1])
        other.receive(.success(.init(primary: first, epoch: 1)), from: sentinels[0])
        #expect(!other.isOver)
        other.receive(.success(.init(primary: first, epoch: 1)), from: sentinels[2])
        #expect(other.isOver)
    }

    @Test("is over when all have answered or failed, and one answer is better than none")
    func minority() {
        var poll = SentinelPoll(sentinels)
        poll.receive(.failure(silence), from: sentinels[0])
        poll.receive(.success(.init(primary: first, epoch: 1)), from: sentinels[1])
        #expect(!poll.isOver)
        poll.receive(.failure(silence), from: sentinels[2])
        #expect(poll.isOver && poll.failure == nil)
    }

    @Test("says of each why nobody names the primary, and whether waiting may help")
    func failure() {
        var poll = SentinelPoll(Array(sentinels[0...1]))
        poll.receive(.failure(.init(reason: "wrong password", isRefusal: true)), from: sentinels[1])
        poll.receive(.failure(silence), from: sentinels[0])
        let failure = poll.failure
        #expect(failure?.isRefusal == true)
        #expect(failure?.reason.contains("s1:26379: Connection refused; s2:26379: wrong password") == true)
        var unreachable = SentinelPoll([sentinels[0]])
        unreachable.receive(.failure(silence), from: sentinels[0])
        #expect(unreachable.failure?.isRefusal == false)
    }
}

@Suite("Who is the primary by what sentinels say")
struct PrimaryRecordTests {
    private let start = ContinuousClock.now
    private let old = SentinelAnswer(primary: first, epoch: 3)
    private let new = SentinelAnswer(primary: second, epoch: 4)

    /// What three sentinels have said before.
    private func record(_ known: SentinelAnswer?) -> PrimaryRecord {
        var record = PrimaryRecord(of: 3)
        if let known { record.adopt(known) }
        return record
    }

    @Test("is at first whom most name, and to be asked about whom a newer configuration names")
    func atFirst() {
        typealias Finding = PrimaryRecord.Finding
        let cases: [([SentinelAnswer], SentinelAnswer?, Finding)] = [
            ([], nil, .same), ([old], old, .other), ([old, old, new], old, .doubtful(new)),
            ([new, new, old], new, .other),
            // One each: the newer one.
            ([old, new], new, .other), ([new, old], new, .other),
        ]
        for (answers, known, finding) in cases {
            var record = self.record(nil)
            let found = record.hear(answers, at: start)
            #expect(record.known == known && found == finding, "\(answers)")
        }
    }

    @Test("is whom the newest configuration names once most know it, and to be asked about before")
    func newest() {
        for (answers, isOther) in [([new, new], true), ([new, new, old], true), ([new, old], false), ([new], false)] {
            var record = self.record(old)
            let finding = record.hear(answers, at: start)
            #expect(
                finding == (isOther ? .other : .doubtful(new)) && record.known == (isOther ? new : old),
                "\(answers)"
            )
        }
        // The same server in a newer configuration is no other.
        var record = self.record(new)
        let finding = record.hear([.init(primary: second, epoch: 5), .init(primary: second, epoch: 6)], at: start)
        #expect(finding == .same && record.known?.epoch == 5)
        // One that was asked for the servers' own word.
        var verified = self.record(old)
        #expect(verified.adopt(new) == .other && verified.known == new)
    }

    @Test("is whom most name, though they have heard of different failovers")
    func twoInARow() {
        let later = SentinelAnswer(primary: second, epoch: 6)
        let back = SentinelAnswer(primary: first, epoch: 5)
        let cases: [([SentinelAnswer], PrimaryRecord.Finding, SentinelAnswer)] = [
            ([new, later], .other, new), ([later, new, old], .other, new), ([later, later, new], .other, later),
            // To and back again, as one of three says so far.
            ([new, back, old], .doubtful(new), old), ([new, new, back], .other, new), ([back, back, new], .same, back),
            ([back, later], .doubtful(later), old), ([later], .doubtful(later), old),
        ]
        for (answers, finding, known) in cases {
            for answers in [answers, answers.reversed()] {
                var record = self.record(old)
                #expect(record.hear(answers, at: start) == finding && record.known == known, "\(answers)")
            }
        }
    }

    @Test("is found after a failover though one has made up a great epoch for the one before")
    func invented() {
        let invented = SentinelAnswer(primary: first, epoch: 1000)
        for others in [[old, old], [old], []] {
            var record = self.record(old)
            #expect(record.hear([invented] + others, at: start) == .same && record.known == old)
            #expect(record.hear([invented, new, new], at: start) == .other && record.known == new)
        }
        // The one that makes it up is to be asked about, not followed.
        var record = self.record(new)
        #expect(record.hear([invented, new, new], at: start) == .doubtful(invented) && record.known == new)
        // Known from the start, as there was nobody else to ask, it gives way to what the others say for a while, if the servers
        // say so too as long as it stands by it.
        func heard(_ answers: [SentinelAnswer], for seconds: [Int]) -> [PrimaryRecord.Finding] {
            record = self.record(invented)
            return seconds.map { record.hear(answers, at: start + .seconds($0)) }
        }
        #expect(
            heard([invented, new, new], for: [0, 4, 5, 9, 10]) == [.same, .same, .doubtful(new), .same, .doubtful(new)]
        )
        #expect(record.known == invented)
        #expect(heard([new, new], for: [0, 4, 5]) == [.same, .same, .other] && record.known == new)
        #expect(heard([invented, old, old], for: [0, 5]) == [.same, .same] && record.known == old)
    }

    @Test("is not whom one names who was away, however often")
    func stale() {
        var record = self.record(new)
        for second in 0..<60 {
            let finding = record.hear([old], at: start + .seconds(second))
            #expect(finding == .same)
        }
    }

    @Test("is another one once a majority has said so for a while, as after sentinels were set up anew")
    func anew() {
        let (known, other) = (
            SentinelAnswer(primary: RedisEndpoint(host: "a", port: 6379), epoch: 4),
            SentinelAnswer(primary: second, epoch: 0)
        )
        var record = self.record(known)
        func hear(_ answers: [SentinelAnswer], after time: Duration) -> Bool {
            record.hear(answers, at: start + time) == .other
        }
        #expect(!hear([other, other], after: .zero))
        #expect(!hear([other, other], after: .seconds(4)))
        // One who still knows better: what is said by the others has to last once more.
        #expect(!hear([other, known], after: .seconds(4.5)))
        #expect(!hear([other, other], after: .seconds(6)))
        #expect(!hear([other, other], after: .seconds(10)))
        #expect(hear([other, other], after: .seconds(11)))
        #expect(record.known == other)
    }

    @Test("stays when some know the same server by another name")
    func alias() {
        let (name, address) = (
            SentinelAnswer(primary: RedisEndpoint(host: "a", port: 6379), epoch: 1),
            SentinelAnswer(primary: second, epoch: 1)
        )
        var record = self.record(nil)
        _ = record.hear([name, name, address], at: start)
        #expect(record.known == name)
        let finding = record.hear([address, name], at: start + .seconds(20))
        #expect(finding == .same && record.known == name)
    }
}

@Suite("What servers say of their part in replication")
struct ReplicationFactsTests {
    private static func facts(_ role: String, _ history: String, _ former: String) -> ReplicationFacts? {
        ReplicationFacts(
            info: "# Replication\r\nrole:\(role)\r\nmaster_replid:\(history)\r\nmaster_replid2:\(former)\r\n"
        )
    }

    @Test("tells a successor from a stranger, a replica, and a server that does not answer")
    func succession() {
        let none = String(repeating: "0", count: 40)
        let successors: [(String, ReplicationFacts?)] = [
            ("descends", Self.facts("master", "b", "a")), ("stranger", Self.facts("master", "c", none)),
            ("later", Self.facts("master", "c", "b")), ("replica", Self.facts("slave", "a", none)), ("silent", nil),
        ]
        let predecessors: [(String, ReplicationFacts?)] = [
            ("primary", Self.facts("master", "a", none)), ("replica", Self.facts("slave", "b", none)), ("silent", nil),
        ]
        for (name, successor) in successors {
            for (state, predecessor) in predecessors {
                let isPrimary = name != "replica" && name != "silent"
                let isSo = isPrimary && (state != "primary" || name == "descends")
                #expect(ReplicationFacts.has(successor, replaced: predecessor) == isSo, "\(name) after \(state)")
            }
        }
    }

    @Test("is read from the section of INFO, and from nothing else")
    func reading() {
        #expect(Self.facts("master", "a", "b") == ReplicationFacts(isPrimary: true, history: "a", former: "b"))
        for text in ["", "role:master", "role:master\nmaster_replid:a", "role\nmaster_replid\nmaster_replid2"] {
            #expect(ReplicationFacts(info: text) == nil, "\(text)")
        }
    }
}

@Suite("Which sentinel is listened to")
struct SentinelRotationTests {
    @Test("is the next when one is lost, at once, and after a wait when none stayed")
    func rotation() {
        var rotation = SentinelRotation(of: 3)
        #expect([rotation.lost(), rotation.lost(), rotation.lost()] == [nil, nil, 0])
        #expect(rotation.index == 0)
        #expect([rotation.lost(), rotation.lost(), rotation.lost()] == [nil, nil, 1])
        _ = rotation.lost()
        #expect(rotation.index == 1)
        rotation.stayed()
        #expect([rotation.lost(), rotation.lost(), rotation.lost()] == [nil, nil, 0])
        var single = SentinelRotation(of: 1)
        #expect([single.lost(), single.lost()] == [0, 1])
    }
}

@Suite("What sentinels say")
struct SentinelAnswerTests {
    private func text(_ words: [String]) -> RedisValue { .array(words.map { .bytes(Array($0.utf8)) }) }

    @Test("of another primary is for those who follow it")
    func events() {
        let promoted = "slave 127.0.0.1:7001 127.0.0.1 7001 @ todos 127.0.0.1 7000"
        #expect(SentinelEvent.switchMaster.isAbout("todos", message: "todos 127.0.0.1 7000 127.0.0.1 7001"))
        #expect(!SentinelEvent.switchMaster.isAbout("todos", message: "others 127.0.0.1 7000 127.0.0.1 7001"))
        #expect(SentinelEvent.promotedSlave.isAbout("todos", message: promoted))
        #expect(!SentinelEvent.promotedSlave.isAbout("slave", message: promoted))
        #expect(!SentinelEvent.promotedSlave.isAbout("todos", message: "slave"))
    }

    @Test("is an address and the epoch of its configuration, or nothing")
    func answers() {
        #expect(SentinelAnswer(address: text(["h", "1"]), epoch: 2)?.primary == RedisEndpoint(host: "h", port: 1))
        for address in [.null, text(["h"]), text(["h", "0"]), text(["", "1"]), text(["h", "x"]), .integer(1)] {
            #expect(SentinelAnswer(address: address, epoch: 2) == nil)
        }
        #expect(SentinelAnswer.epoch(in: text(["config-epoch", "x", "config-epoch", "7"])) == nil)
        #expect(SentinelAnswer.epoch(in: text(["name", "config-epoch", "config-epoch", "7"])) == 7)
        #expect(SentinelAnswer.epoch(in: text(["name"])) == nil)
        #expect(SentinelAnswer.epoch(in: .null) == nil)
    }

    @Test("comes over TLS where the primary does, for a user of its own")
    func places() throws {
        let url = try RedisURL("rediss+sentinel://:p@s1/m/3?sentinel-user=u&sentinel-password=q&cacert=/ca.pem")
        let sentinel = url.sentinel(sentinels[0])
        #expect(sentinel.usesTLS && sentinel.authoritiesPath == "/ca.pem" && sentinel.isSentinel)
        #expect((sentinel.user, sentinel.password, sentinel.database) == ("u", "q", 0))
        let server = url.server(first)
        #expect(server.usesTLS && server.password == "p" && server.database == 3 && !server.isSentinel)
    }
}
