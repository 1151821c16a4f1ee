import CommandArguments

/// Who a command is about where neither its line nor `TODOMATE_USER` says so: whoever has signed in at the server where it works.
enum SignedInUser {
    /// The environment with that user in `TODOMATE_USER`, where it is known.
    ///
    /// - Parameter line: the words after the program's name.
    static func environment(_ environment: [String: String], for line: [String]) -> [String: String] {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        let words = line.prefix { $0 != "--" }
        guard value("TODOMATE_USER") == nil, value("TODOMATE_TOKEN_FILE") == nil,
            // Whoever signs in says who they are.
            words.first != LoginCommand.about.name, !names("redis", words), !names("token-file", words),
            // A file that cannot be read is told of by the command.
            let login = try? KeptLogin.read(environment)
        else { return environment }
        let server: String?
        if names("server", words) {
            server = named(words)
        } else {
            guard value("TODOMATE_REDIS") == nil else { return environment }
            server = value("TODOMATE_SERVER") ?? (value(DataDirectory.variable) == nil ? login.server : nil)
        }
        guard server.flatMap({ ServerAddress($0) })?.description == login.server else { return environment }
        return environment.merging(["TODOMATE_USER": login.user]) { _, new in new }
    }

    private static func names(_ option: String, _ words: ArraySlice<String>) -> Bool {
        words.contains { $0 == "--\(option)" || $0.hasPrefix("--\(option)=") }
    }

    /// What `--server` names.
    private static func named(_ words: ArraySlice<String>) -> String? {
        guard let index = words.firstIndex(where: { $0 == "--server" || $0.hasPrefix("--server=") }) else { return nil }
        let word = words[index]
        return word == "--server" ? words[(index + 1)...].first : String(word.dropFirst("--server=".count))
    }
}
