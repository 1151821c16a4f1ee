/// The commands that open a connection, and what their answers mean.
///
/// See the AUTH, SELECT and CLIENT SETNAME command pages of Redis.
struct Handshake {
    enum Progress: Equatable {
        /// Another answer is due.
        case more
        /// Redis is ready for us.
        case finished
        /// Redis is up, but busy starting or stopping: trying again will help.
        case notReady(String)
        /// Only a change of the settings can help.
        case refused(String)
    }

    let commands: [RedisCommand]
    /// The answers to these may be errors: they are courtesies.
    private let optional: Set<Int>
    private var answered = 0

    init(_ url: RedisURL) {
        var commands: [RedisCommand] = []
        if let password = url.password {
            var auth = RedisCommand("AUTH")
            if let user = url.user { auth.append(user) }
            auth.append(password)
            commands.append(auth)
        }
        if url.database != 0 { commands.append(RedisCommand("SELECT", String(url.database))) }
        optional = [commands.count]
        commands.append(RedisCommand("CLIENT", "SETNAME", url.clientName))
        // Its answer distinguishes LOADING, MASTERDOWN and a missing password from a server that is ready.
        commands.append(RedisCommand("PING"))
        self.commands = commands
    }

    mutating func receive(_ error: RedisServerError?) -> Progress {
        let index = answered
        answered += 1
        if let error, !optional.contains(index) {
            switch error.code {
            case "LOADING", "BUSY", "MASTERDOWN", "TRYAGAIN", "CLUSTERDOWN": return .notReady(error.message)
            case "NOAUTH":
                return .refused("it wants a password: put it into the URL, as in redis://:password@host:6379")
            case "WRONGPASS": return .refused("the user or password is wrong (\(error.message))")
            default: return .refused(error.message)
            }
        }
        return answered == commands.count ? .finished : .more
    }
}
