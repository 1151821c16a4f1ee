package import EventLoop
import Foundation
import RedisClient
package import TodoMate

/// The announcement, as JSON in the field `current` of the hash `todomate:announcement`, which vanishes with it.
@LoopActor
package final class RedisAnnouncementStore: AnnouncementStoreType {
    private let functions: TodoFunctions

    init(_ functions: TodoFunctions) { self.functions = functions }

    package func announcement() async throws(TodoError) -> Announcement? {
        let command = RedisCommand("HGET", TodoKeys.announcement, "current")
        guard let json = try await functions.plain(command, isRepeatable: true).bytes else { return nil }
        do {
            return try JSONDecoder().decode(Announcement.self, from: Data(json))
        } catch {
            throw .invalid(
                "\(TodoKeys.announcement) holds no announcement: take it away with 'todomate announce --end'"
            )
        }
    }

    package func announce(_ announcement: Announcement) async throws(TodoError) {
        try announcement.check()
        let seconds = max(1, announcement.until - Int(Date().timeIntervalSince1970))
        var command = RedisCommand("HSET", TodoKeys.announcement, "current")
        command.append(announcement.shownForStorage)
        _ = try await functions.plain(command, isRepeatable: true)
        // Only so that nothing is left behind: each reader looks at the time.
        _ = try await functions.plain(
            RedisCommand("EXPIRE", TodoKeys.announcement, String(seconds)),
            isRepeatable: true
        )
    }

    @discardableResult
    package func endAnnouncement() async throws(TodoError) -> Bool {
        try await functions.plain(RedisCommand("DEL", TodoKeys.announcement), isRepeatable: true).integer == 1
    }
}

extension Announcement {
    fileprivate var shownForStorage: String {
        JSONObject(["id": id, "text": text, "ko": korean, "level": level.rawValue, "until": until]).text
    }
}
