import EventLoop
import RedisClient
import TodoMate

// Whether writes are taken at all.
extension TodoFunctions {
    /// Which Redis, or which primary of a cluster, refuses writes, and why; nil for none that can be reached. Writes nothing.
    func writeRefusal() async -> (node: RedisURL, error: RedisServerError)? {
        guard let nodes = try? await client.primaries() else { return nil }
        for node in nodes {
            do throws(RedisError) {
                try await checkWritable(at: node)
            } catch .server(let error) {
                return (node.url, error)
            } catch {
                // It does not answer, which others find out.
                continue
            }
        }
        return nil
    }

    private func checkWritable(at node: RedisNode) async throws(RedisError) {
        let command = RedisCommand("FCALL", "todomate_writable", "0")
        do throws(RedisError) {
            _ = try await node.send(command)
        } catch {
            guard error.isMissingFunction else { throw error }
            try await installation.install(at: node).get()
            _ = try await node.send(command)
        }
    }
}
