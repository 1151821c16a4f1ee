/// Sorts the words of a command line by the declarations of one command.
struct ArgumentParser {
    private let spec: CommandSpec
    private let environment: [String: String]
    private var values: [String: [any Sendable]] = [:]
    private var positionalWords: [String] = []

    private init(_ spec: CommandSpec, environment: [String: String]) {
        self.spec = spec
        self.environment = environment
    }

    /// Whether help is requested, even if the line has errors.
    static func asksForHelp(_ line: some Sequence<String>) -> Bool {
        line.prefix { $0 != "--" }.contains { $0 == "-h" || $0 == "--help" }
    }

    /// The values of the words after the command's name, and of the environment where they are silent, by their labels.
    ///
    /// - Throws: A `CommandError` that names the first thing that is wrong.
    static func parse(
        _ line: some Sequence<String>,
        for spec: CommandSpec,
        environment: [String: String]
    ) throws -> [String: [any Sendable]] {
        var parser = ArgumentParser(spec, environment: environment)
        try parser.sort(line)
        try parser.assignPositionals()
        try parser.fillFromEnvironment()
        return parser.values
    }

    private mutating func sort(_ line: some Sequence<String>) throws {
        var rest = Array(line)[...]
        while let word = rest.popFirst() {
            if word == "--" {
                positionalWords += rest
                return
            } else if word.hasPrefix("--") {
                try takeLong(word, rest: &rest)
            } else if word.hasPrefix("-"), word.count > 1, Int(word) == nil {
                try takeShort(word, rest: &rest)
            } else {
                positionalWords.append(word)
            }
        }
    }

    private mutating func takeLong(_ word: String, rest: inout ArraySlice<String>) throws {
        let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts.first.map(String.init) ?? ""
        let attached = parts.count > 1 ? String(parts[1]) : nil
        let negated = spec.options.first { $0.isNegatable && "no-\($0.name)" == name }
        guard let option = negated ?? spec.options.first(where: { $0.name == name }) else {
            throw unknown("--\(name)")
        }
        if option.kind == .flag {
            guard attached == nil else { throw CommandError.usage("flag '--\(name)' takes no value") }
            try take(negated == nil ? "1" : "0", for: option)
        } else {
            try take(attached ?? nextValue(for: option, rest: &rest), for: option)
        }
    }

    /// Takes `-w 4`, `-w4`, `-w=4`, and flags run together as in `-jq`.
    private mutating func takeShort(_ word: String, rest: inout ArraySlice<String>) throws {
        var letters = word.dropFirst()
        while let letter = letters.popFirst() {
            guard let option = spec.options.first(where: { $0.short == letter }) else {
                throw unknown(word.count == 2 ? word : "-\(letter)")
            }
            if option.kind == .flag {
                try take("1", for: option)
            } else if letters.isEmpty {
                try take(nextValue(for: option, rest: &rest), for: option)
            } else {
                return try take(String(letters.first == "=" ? letters.dropFirst() : letters), for: option)
            }
        }
    }

    private func nextValue(for option: ArgumentSpec, rest: inout ArraySlice<String>) throws -> String {
        // A word that is itself an option here was not meant as a value; `--opt=--word` says that it was.
        guard let next = rest.first, next != "--", !isKnownOption(next) else {
            throw CommandError.usage("option '\(option.label)' needs a <\(option.valueName)>")
        }
        rest = rest.dropFirst()
        return next
    }

    private func isKnownOption(_ word: String) -> Bool {
        let name = word.prefix { $0 != "=" }
        return spec.options.contains { option in
            name == "--\(option.name)" || (option.isNegatable && name == "--no-\(option.name)")
                || option.short.map { name == "-\($0)" } ?? false
        }
    }

    private mutating func take(_ word: String, for option: ArgumentSpec) throws {
        guard option.kind == .flag || values[option.label] == nil else {
            throw CommandError.usage("option '\(option.label)' is given twice")
        }
        values[option.label] = [try value(word, of: option, named: option.label)]
    }

    private func unknown(_ word: String) -> CommandError {
        let isShort = !word.hasPrefix("--")
        let known = spec.options.map { "--\($0.name)" } + ["--help"]
        // One letter is close to every other letter, so a short name only suggests the long one that it begins.
        let close = isShort ? known.first { $0.dropFirst(2).first == word.last } : word.nearest(in: known)
        if let close { return .usage("unknown option '\(word)', did you mean '\(close)'?") }
        let hint = spec.positionals.isEmpty ? "" : " (put '--' before an argument that begins with a dash)"
        return .usage("unknown option '\(word)'\(hint)")
    }
}

extension ArgumentParser {
    /// Assigns the words to the positionals in order; an optional one takes a word only if enough are left.
    private mutating func assignPositionals() throws {
        var rest = positionalWords[...]
        let needed = spec.positionals.map { isGivenByEnvironment($0) ? 0 : $0.count.lowerBound }
        for (index, positional) in spec.positionals.enumerated() {
            let reserved = needed[(index + 1)...].reduce(0, +)
            let available = max(min(rest.count, needed[index]), rest.count - reserved)
            let taken = rest.prefix(min(available, positional.count.upperBound))
            rest = rest.dropFirst(taken.count)
            if taken.count < needed[index] { throw CommandError.usage("missing \(positional.label)") }
            guard !taken.isEmpty else { continue }
            values[positional.label] = try taken.map { try value($0, of: positional, named: positional.label) }
        }
        if let surplus = rest.first { throw CommandError.usage("unexpected argument '\(surplus)'") }
    }

    private mutating func fillFromEnvironment() throws {
        for argument in spec.positionals + spec.options where values[argument.label] == nil {
            guard let name = argument.environment, let word = environmentWord(argument) else { continue }
            values[argument.label] = [try value(word, of: argument, named: name)]
        }
    }

    private func isGivenByEnvironment(_ argument: ArgumentSpec) -> Bool { environmentWord(argument) != nil }

    /// What the environment says; set to nothing counts as not set, as docker-compose passes on what is missing.
    private func environmentWord(_ argument: ArgumentSpec) -> String? {
        argument.environment.flatMap { environment[$0] }.flatMap { $0.isEmpty ? nil : $0 }
    }

    private func value(_ word: String, of argument: ArgumentSpec, named name: String) throws -> any Sendable {
        guard !word.isEmpty || argument.allowsEmpty else { throw CommandError.usage("'\(name)' must not be empty") }
        do {
            return try argument.parse(word)
        } catch let error as InvalidValue {
            throw CommandError.usage("'\(name)' must be \(error.expectation), not '\(word)'")
        } catch let error as CommandError {
            throw error
        } catch {
            throw CommandError.usage("'\(name)': \(error)")
        }
    }
}
