/// What a command line can begin with: a command, or the first word of several, such as `user add` and `user remove`.
struct CommandGroup {
    let name: String
    let summary: String
    /// The second words; none for a command alone.
    let members: [(name: String, summary: String)]
    /// Whether the word is a command by itself.
    let isCommand: Bool
}

extension CommandSet {
    /// What command lines can begin with, in the order of the overall help.
    var groups: [CommandGroup] {
        let specs = self.specs
        var seen: Set<String> = []
        let names = specs.map { String($0.name.prefix { $0 != " " }) }.filter { seen.insert($0).inserted }
        return names.map { name in
            CommandGroup(
                name: name,
                summary: specs.first { $0.name == name }?.about.summary ?? "Commands about \(name)s.",
                members: specs.filter { $0.name.hasPrefix(name + " ") }.map {
                    (String($0.name.dropFirst(name.count + 1)), $0.about.summary)
                },
                isCommand: specs.contains { $0.name == name }
            )
        }
    }
}

extension ArgumentSpec {
    /// The long names by which it is given.
    var completionNames: [String] { ["--\(name)"] + (isNegatable ? ["--no-\(name)"] : []) }
}
