import EventLoop
import Foundation

@testable import TodoMate

/// Changes of bob, whose todos alice looks at, and of alice.
@LoopActor
enum SharedHistory {
    static func todo(
        _ name: String,
        _ visibility: Visibility,
        at version: Int?,
        _ kind: ChangeKind = .added,
        micros: Int? = nil
    ) -> TodoChange {
        TodoChange(
            id: version.map { ChangeID(version: $0, microseconds: micros ?? $0) },
            kind: kind,
            todo: Todo(
                id: name,
                uid: "bob",
                date: .earliest,
                content: name,
                position: 1,
                revision: version ?? 0,
                createdAt: .distantPast,
                updatedAt: .distantPast,
                visibility: visibility
            )
        )
    }

    /// What bob's side says from now on.
    static func owner(
        toward other: String = "alice",
        follower: FollowState = .none,
        blocked: Bool = false,
        at version: Int,
        micros: Int? = nil
    ) -> TodoChange {
        let relation = Relation(uid: "bob", with: other, following: .none, follower: follower, blocked: blocked)
        let id = ChangeID(version: version, microseconds: micros ?? version)
        do {
            return try TodoChange(message: AccountChange.relation(relation).message(id), uid: "bob")
        } catch {
            preconditionFailure("\(error)")
        }
    }

    /// What alice's side says from now on.
    static func viewer(
        _ following: FollowState,
        toward other: String = "bob",
        blocked: Bool = false
    ) -> AccountChange {
        .relation(Relation(uid: "alice", with: other, following: following, follower: .none, blocked: blocked))
    }
}
