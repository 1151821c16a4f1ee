import EventLoop
import RedisClient
import TodoMate

// What is found by looking through keys.
extension TodoFunctions {
    /// The users who have a key of a kind, sorted; goes through all keys, a part at a time.
    func users(having part: TodoKeys.Part) async throws(TodoError) -> [String] {
        var users: Set<String> = []
        try await eachPage(ofKeys: TodoKeys.every(part)) { keys in
            users.formUnion(keys.compactMap { TodoKeys.uid(of: $0, part) })
        }
        return users.sorted()
    }

    /// The same of the nodes of a cluster that answer.
    ///
    /// - Returns: the users, the slots of whose users all were found, and how many nodes did not answer.
    func usersInReach(having part: TodoKeys.Part) async throws(TodoError) -> (
        users: Set<String>, slots: Set<Int>, nodesAway: Int
    ) {
        var scan = client.scan(TodoKeys.every(part), skipsSilentNodes: true)
        var users: Set<String> = []
        do throws(RedisError) {
            while let keys = try await scan.next() { users.formUnion(keys.compactMap { TodoKeys.uid(of: $0, part) }) }
        } catch {
            throw TodoError(error)
        }
        return (users, scan.slotsReached, scan.silentNodes.count)
    }

    /// Goes through all keys of a pattern, a part at a time; some may come twice.
    ///
    /// - Parameter missing: takes the nodes that do not answer, which are left out; nil where nothing may be left out.
    func eachPage(
        ofKeys pattern: String,
        missing: MissingNodes? = nil,
        _ body: @LoopActor ([String]) async throws(TodoError) -> Void
    ) async throws(TodoError) {
        var scan = client.scan(pattern, skipsSilentNodes: missing != nil)
        while true {
            let keys: [String]?
            do throws(RedisError) {
                keys = try await scan.next()
            } catch {
                throw TodoError(error)
            }
            for node in scan.silentNodes { missing?.add(node.description) }
            guard let keys else { return }
            try await body(keys)
        }
    }
}
