import EventLoop

/// What a worker says of itself at `/metrics`.
struct WorkerFigures {
    var residentKiB = 0.0
    /// Open descriptors that are not connections of clients.
    var ownDescriptors = 0
    var streams = 0
    /// Users whose channels it is subscribed to.
    var users = 0

    /// Asks the worker on this port; nil when it does not answer.
    @LoopActor
    init?(port: Int) async {
        guard let answer = await HTTPCaller.call("GET", "/metrics", port: port), answer.status == 200 else {
            return nil
        }
        var values: [Substring: Double] = [:]
        for line in String(decoding: answer.body, as: UTF8.self).split(separator: "\n") where !line.hasPrefix("#") {
            let parts = line.split(separator: " ")
            if parts.count == 2 { values[parts[0]] = Double(parts[1]) }
        }
        guard let memory = values["process_resident_memory_bytes"], let descriptors = values["process_open_fds"],
            let connections = values["todomate_connections_open"], let streams = values["todomate_streams_open"],
            let users = values["todomate_users_subscribed"]
        else { return nil }
        residentKiB = memory / 1024
        ownDescriptors = Int(descriptors - connections)
        (self.streams, self.users) = (Int(streams), Int(users))
    }
}
