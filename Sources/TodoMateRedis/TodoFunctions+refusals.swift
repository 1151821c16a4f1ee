import EventLoop
import RedisClient
import TodoMate

// Whether writes are taken at all.
extension TodoFunctions {
    /// Which Redis, or which primary of a cluster, refuses writes, and why; nil for none that can be reached. One that is no primary
    /// goes before one that is full. Writes nothing.
    func writeRefusal() async -> (node: RedisURL, error: RedisServerError)? {
        guard let nodes = try? await client.primaries() else { return nil }
        var first: (node: RedisURL, error: RedisServerError)?
        for node in nodes {
            do throws(RedisError) {
                try await checkWritable(at: node)
            } catch .server(let error) where error.code == "READONLY" {
                // Another node may have taken its place.
                client.directory?.refresh()
                return (node.url, error)
            } catch .server(let error) {
                first = first ?? (node.url, error)
            } catch {
                // It does not answer, which others find out.
                continue
            }
        }
        return first
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
