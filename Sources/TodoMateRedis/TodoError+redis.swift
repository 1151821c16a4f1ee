import RedisClient
import TodoMate

extension TodoError {
    /// The domain's view of what Redis or the library answered.
    init(_ error: RedisError) {
        guard case .server(let reply) = error else {
            self = .unavailable(error.description)
            return
        }
        self =
            switch reply.code {
            case "TODOMATE_INVALID", "TODOMATE_USAGE": .invalid(reply.detail)
            case "TODOMATE_EXISTS": .exists(reply.detail)
            case "TODOMATE_NOT_FOUND": .notFound(reply.detail)
            case "TODOMATE_FULL": .full(reply.detail)
            case "TODOMATE_LEAVING": .leaving(reply.detail)
            case "TODOMATE_REUSED": .reused(reply.detail)
            case "TODOMATE_GONE": .gone(reply.detail)
            case "TODOMATE_LIBRARY": .unavailable(reply.detail)
            case "TODOMATE_CONFLICT": .conflict(Self.advice(reply.detail), current: Self.current(reply.detail))
            case let code where code.hasPrefix("TODOMATE_"): .broken(reply.detail)
            case "OOM": .unavailable(Self.isFull)
            case "READONLY": .unavailable("this Redis is a read-only replica: name the primary with --redis")
            case "NOREPLICAS":
                .unavailable(
                    "Redis has too few replicas in step and wrote nothing (min-replicas-to-write): try again; "
                        + "INFO replication at the primary shows which are missing"
                )
            case "NOPERM": .unavailable("the Redis user may not do this: \(reply.detail)")
            case "WRONGTYPE": .broken("a key is of another type than TodoMate gave it: 'todomate doctor' says which")
            default: .unavailable(error.description)
            }
    }

    private static let isFull =
        "Redis is out of memory and wrote nothing: removing and hiding still work; its operator can raise maxmemory"

    /// A conflict's text continues with the current todo as JSON.
    private static let currentMark = "; current: "

    private static func advice(_ detail: String) -> String {
        detail.firstRange(of: currentMark).map { String(detail[..<$0.lowerBound]) } ?? detail
    }

    private static func current(_ detail: String) -> Todo? {
        detail.firstRange(of: currentMark).flatMap { try? TodoRecord(json: Array(detail[$0.upperBound...].utf8)).todo }
    }
}
