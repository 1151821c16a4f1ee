package import EventLoop

/// Something that is worked out of a user's todos when it is read, live: read again soon after each change that concerns it.
@LoopActor
package final class LiveReading<Value: Sendable>: TodoChangeObserver {
    private enum Query { case value }

    /// Whose todos it is about.
    package let uid: String
    /// Nil until it was read, and where there is nothing to read any more.
    package private(set) var value: Value?
    /// Called after each reading.
    package var onChange: () -> Void = {}

    private let service: any TodoRealtimeServiceType
    private let isConcerned: (TodoChange) -> Bool
    private let read: @LoopActor () async throws(TodoError) -> Value
    /// Nil while it is not shown.
    private var queries: PacedQueries<Query>?

    /// What reads nothing until ``onAppear()``.
    ///
    /// - Parameters:
    ///   - service: delivers the changes.
    ///   - uid: whose.
    ///   - isConcerned: whether a change may have made it another.
    ///   - read: reads it; what is not found is nil.
    package init(
        service: any TodoRealtimeServiceType,
        uid: String,
        isConcerned: @escaping (TodoChange) -> Bool = { _ in true },
        read: @escaping @LoopActor () async throws(TodoError) -> Value
    ) {
        (self.service, self.uid, self.isConcerned, self.read) = (service, uid, isConcerned, read)
    }

    /// Reads it and follows the changes.
    package func onAppear() {
        guard queries == nil else { return }
        let queries = PacedQueries<Query> { [weak self] _ in await self?.readOnce() }
        self.queries = queries
        service.addObserver(self, for: uid)
        queries.begin(.value)
    }

    /// Stops following; the value stays as it was.
    package func onDisappear() {
        queries?.close()
        queries = nil
        service.removeObserver(self, for: uid)
    }

    private func readOnce() async {
        var failures = 0
        while queries != nil {
            await service.waitUntilFollowing(uid)
            do throws(TodoError) {
                put(try await read())
                return
            } catch .notFound {
                return put(nil)
            } catch {
                await LoopTimer.sleep(for: .reading, afterFailure: failures)
                failures += 1
            }
        }
    }

    private func put(_ value: Value?) {
        guard queries != nil else { return }
        self.value = value
        onChange()
    }

    // MARK: TodoChangeObserver

    /// Reads it again, once for all changes of a moment.
    package func receive(_ change: TodoChange) {
        // What was only published is stored nowhere.
        guard change.id != nil, isConcerned(change) else { return }
        queries?.repeatSoon(.value)
    }

    /// Reads it again: whom the user has blocked is left out of it.
    package func accountChanged(_ change: TodoChange) { queries?.repeatSoon(.value) }

    /// Reads it again; the old value stays until then.
    package func todosReset(for uid: String) { queries?.begin(.value) }
}
