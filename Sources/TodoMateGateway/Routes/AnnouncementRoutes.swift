import EventLoop
import Foundation
import HTTPServing
import TodoMate

/// Has operators announce something to all.
@LoopActor
final class AnnouncementRoutes {
    private static let path = "/v1/operator/announcement"
    private static let hours = 24
    private static let mostHours = Announcement.secondsRange.upperBound / 3600

    private let shared: SharedAnnouncement
    private let access: OperatorAccess
    private let log: Logger

    init(_ shared: SharedAnnouncement, _ access: OperatorAccess, _ log: Logger) {
        (self.shared, self.access, self.log) = (shared, access, log)
    }

    func add(to router: HTTPRouter) {
        router.on(.put, Self.path, announce)
        router.on(.delete, Self.path, end)
    }

    private struct Fields: RequestBody {
        enum CodingKeys: CodingKey, CaseIterable { case text, ko, level, hours }

        var text: String
        var ko: String?
        var level: Announcement.Level?
        var hours: Int?

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            text = try fields.decode(String.self, forKey: .text)
            ko = try fields.optional(.ko)
            level = try fields.optional(.level)
            hours = try fields.optionalWhole(.hours)
        }
    }

    private func announce(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        let by = try await access.check(request, toWrite: .settings)
        try QueryNames.check(request, [], "this path takes no query")
        let fields = try Fields.read(request)
        let hours = fields.hours ?? Self.hours
        guard (1...Self.mostHours).contains(hours) else {
            throw Problem(.invalid, "hours must be a whole number from 1 to \(Self.mostHours)")
        }
        let announcement = try Announcement(
            text: fields.text,
            korean: fields.ko,
            level: fields.level ?? .info,
            until: Int(Date().timeIntervalSince1970) + hours * 3600
        )
        try await shared.set(announcement)
        log.info("announced", ["by": by, "announcement": announcement.id, "level": announcement.level.rawValue])
        return RelationRoutes.fresh(announcement.shown.text)
    }

    /// Also where there is none: it is gone in any case.
    private func end(_ request: HTTPRequest, _ path: PathParameters) async throws -> HTTPReply {
        let by = try await access.check(request, toWrite: .settings)
        try QueryNames.check(request, [], "this path takes no query")
        try await shared.set(nil)
        log.info("announcement ended", ["by": by])
        return .response(HTTPResponse(status: 204, headers: ["Cache-Control": "no-store"]))
    }
}
