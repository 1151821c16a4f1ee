import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate

@Suite("Every store of announcements", .serialized)
@LoopActor
struct AnnouncementContractTests {
    private func make(_ text: String, in seconds: Int = 3600) throws -> Announcement {
        try Announcement(text: text, korean: "한글", level: .warning, until: Int(Date().timeIntervalSince1970) + seconds)
    }

    @Test("has one, the last that was made, and none once it is taken away", arguments: StoresKind.servers)
    func keeps(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            let store = stores.announcements
            #expect(try await store.announcement() == nil)
            #expect(try await store.endAnnouncement() == false)
            for text in ["first", "second \"quoted\" \\ <b>", "셋째"] {
                let made = try make(text)
                try await store.announce(made)
                #expect(try await store.announcement() == made)
            }
            #expect(try await store.endAnnouncement())
            #expect(try await store.announcement() == nil)
        }
    }

    @Test("is followed by who looks, and is over by itself", arguments: [StoresKind.inMemory, .redis])
    func feed(_ kind: StoresKind) async throws {
        try await kind.with { stores in
            let clock = Clock()
            let feed = AnnouncementFeed(stores.announcements, now: { clock.now })
            feed.onChange = { clock.told.append($0?.text) }
            try await stores.announcements.announce(try make("first"))
            feed.look()
            feed.look()
            try await eventually("it is known") { feed.current?.text == "first" }
            try await stores.announcements.announce(try make("second"))
            feed.look()
            try await eventually("the next one is known") { feed.current?.text == "second" }
            clock.now += 3700
            #expect(feed.current == nil)
            feed.look()
            try await eventually("that it is over is told") { clock.told == ["first", "second", nil] }
        }
    }

    @LoopActor
    private final class Clock {
        var now = Date()
        var told: [String?] = []
    }

    @Test(
        "takes no text that is none",
        arguments: [
            "", " ", "a\nb", "a\u{7}b", "a\u{202E}b", "a\u{2066}b", "a\u{2028}b", String(repeating: "x", count: 281),
        ]
    )
    func texts(_ text: String) {
        #expect(throws: TodoError.self) { try make(text) }
        #expect(throws: TodoError.self) {
            try Announcement(text: "x", korean: text, until: Int(Date().timeIntervalSince1970) + 3600)
        }
    }

    @Test("takes no time that is over, or too far", arguments: [-1, 0, 59, 2_592_001])
    func times(_ seconds: Int) { #expect(throws: TodoError.self) { try make("x", in: seconds) } }
}
