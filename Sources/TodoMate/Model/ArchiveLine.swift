import Foundation

/// One line of an archive, as `todomate export` writes and `todomate import` reads it: a JSON object.
///
/// A todo is a line as it is stored, of which import wants `id`, `uid`, `date` and `content`; an account is
///
///     {"profile":{"uid":"alice","fields":{"password":"$argon2id$…"}}}
///
/// and what is between an account and another one is an ``ArchiveLink``:
///
///     {"link":{"uid":"alice","with":"bob","list":"followers","at":1763677130000000}}
package enum ArchiveLine: Sendable, Equatable {
    /// A todo of this user.
    case todo(uid: String)
    /// What the profile of a user holds.
    case profile(uid: String, fields: [String: String])
    /// What one of a user's lists has of another user.
    case link(ArchiveLink)

    /// Longer lines cannot be a todo, even with every character escaped; the bound of the Redis functions.
    package static let longest = 262_144
    /// A revision above this would leave no room for the versions to come; the bound of the Redis functions.
    package static let largestRevision = 1_000_000_000_000

    /// The user that the line is about.
    package var uid: String {
        switch self {
        case .todo(let uid), .profile(let uid, _): uid
        case .link(let link): link.uid
        }
    }

    /// Reads and checks one line, without its line feed.
    ///
    /// - Throws: ``TodoError/invalid(_:)`` with what is wrong.
    package init(_ line: [UInt8]) throws(TodoError) {
        guard line.count <= Self.longest else {
            throw .invalid("the line has \(line.count) bytes, more than the \(Self.longest) that a todo may have")
        }
        // Some programs of Windows put it in front of a file's text; it is no part of JSON (RFC 8259, section 8.1).
        guard !line.starts(with: [0xEF, 0xBB, 0xBF]) else {
            throw .invalid("it begins with a byte order mark: save the file as UTF-8 without one")
        }
        if line.starts(with: #"{"profile""#.utf8) {
            self = try Self.profile(line)
        } else if line.starts(with: #"{"link""#.utf8) {
            let link = try Self.decode(Link.self, line).link
            try link.check()
            self = .link(link)
        } else if let todo = CanonicalMessage(storedTodo: line)?.todo {
            try Self.revision(todo.revision)
            self = .todo(uid: todo.uid)
        } else {
            self = .todo(uid: try Self.anyTodo(line))
        }
    }

    /// A line for what the profile of a user holds.
    package static func text(ofProfile fields: [String: String], of uid: String) -> String {
        let pairs = fields.sorted { $0.key < $1.key }.map {
            #""\#(JSONText.encode($0.key))":"\#(JSONText.encode($0.value))""#
        }
        return #"{"profile":{"uid":"\#(uid)","fields":{\#(pairs.joined(separator: ","))}}}"#
    }

    /// A line for what one of a user's lists has of another user.
    package static func text(of link: ArchiveLink) -> String { #"{"link":\#(link.json)}"# }

    private static func revision(_ number: Int) throws(TodoError) {
        guard (1...largestRevision).contains(number) else {
            throw .invalid("revision must be a whole number from 1 to \(largestRevision)")
        }
    }
}

extension ArchiveLine {
    private struct Profile: Decodable {
        struct Content: Decodable {
            var uid: String
            var fields: [String: String]

            enum CodingKeys: String, CodingKey { case uid, fields }

            init(from decoder: any Decoder) throws {
                try decoder.refuseKeys(except: ["uid", "fields"])
                let values = try decoder.container(keyedBy: CodingKeys.self)
                uid = try values.decode(String.self, forKey: .uid)
                fields = try values.decode([String: String].self, forKey: .fields)
            }
        }
        var profile: Content

        enum CodingKeys: String, CodingKey { case profile }

        init(from decoder: any Decoder) throws {
            try decoder.refuseKeys(except: ["profile"])
            profile = try decoder.container(keyedBy: CodingKeys.self).decode(Content.self, forKey: .profile)
        }
    }

    private struct Link: Decodable {
        var link: ArchiveLink

        enum CodingKeys: String, CodingKey { case link }

        init(from decoder: any Decoder) throws {
            try decoder.refuseKeys(except: ["link"])
            let values = try decoder.container(keyedBy: CodingKeys.self)
            link = try values.decode(ArchiveLink.self, forKey: .link)
            try values.superDecoder(forKey: .link).refuseKeys(except: link.list.fields)
        }
    }

    private static func profile(_ line: [UInt8]) throws(TodoError) -> ArchiveLine {
        let content = try decode(Profile.self, line).profile
        var preferences = Preferences()
        for (name, value) in content.fields {
            guard !Preferences.fields.contains(name) else {
                try preferences.set(name, to: value)
                continue
            }
            guard name != "goals" else {
                _ = try goals(value)
                continue
            }
            guard name != "routines" else {
                _ = try routines(value)
                continue
            }
            guard ["password", "mail", "audience", "visibility", "feedSeen"].contains(name) else {
                throw .invalid("a profile has no field '\(name)'")
            }
            guard value.utf8.count <= 1000, !value.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
                throw .invalid("the profile's \(name) must be one line of at most 1000 bytes")
            }
            guard name != "password" || value.hasPrefix("$argon2id$") else {
                throw .invalid("the profile's password must be a hash that begins with $argon2id$, as an export has it")
            }
            guard !["audience", "visibility"].contains(name) || Visibility(rawValue: value) != nil else {
                throw .invalid("the profile's \(name) must be public, followers or private")
            }
            if name == "mail" { try MailAddressRule.check(value) }
            guard name != "feedSeen" || Int(value).map({ (0..<1 << 53).contains($0) }) == true else {
                throw .invalid("the profile's feedSeen must be a time in whole microseconds since 1970")
            }
        }
        return .profile(uid: try TodoBounds.uid(content.uid), fields: content.fields)
    }

    /// The goals that a profile's field has, a list as JSON; in the order of their ids.
    package static func goals(_ text: String) throws(TodoError) -> [Goal] {
        let goals: [Goal]
        do {
            goals = try JSONDecoder().decode([Goal].self, from: Data(text.utf8))
        } catch {
            throw .invalid("the profile's goals must be a list of goals, as an export has it")
        }
        guard goals.count <= Goal.most else { throw .invalid("a profile has at most \(Goal.most) goals") }
        for goal in goals { try GoalPatch(goal).check() }
        guard Set(goals.map(\.id)).count == goals.count else {
            throw .invalid("a profile has two goals with the same id")
        }
        return goals.sorted { $0.id < $1.id }
    }

    /// The routines that a profile's field has: a list as JSON.
    package static func routines(_ text: String) throws(TodoError) -> [Routine] {
        let routines: [Routine]
        do {
            routines = try JSONDecoder().decode([Routine].self, from: Data(text.utf8))
        } catch {
            throw .invalid("the profile's routines must be a list of routines, as an export has it")
        }
        guard routines.count <= Routine.most, Set(routines.map(\.id)).count == routines.count else {
            throw .invalid("a profile has at most \(Routine.most) routines, each once")
        }
        for routine in routines { _ = try RoutinePatch(routine).applied(to: nil, position: routine.position) }
        return routines
    }

    /// A todo in any spelling: the keys are checked here, their values by ``TodoDTO``.
    private struct AnyTodo: Decodable {
        var todo: Todo

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: AnyKey.self)
            for key in values.allKeys {
                guard let known = TodoDTO.CodingKeys(stringValue: key.stringValue) else {
                    throw TodoError.invalid("there is no field '\(key.stringValue)'")
                }
                guard try !values.decodeNil(forKey: key) else {
                    throw TodoError.invalid("\(key.stringValue) must not be null: leave it out")
                }
                // Messages may spell a moment in other ways; what is stored has only this one.
                if known == .createdAt || known == .updatedAt {
                    let text = try values.decode(String.self, forKey: key)
                    guard Timestamp.seconds(Array(text.utf8)[...]) != nil else {
                        throw TodoError.invalid("\(key.stringValue) must look like 2026-11-20T09:00:00Z")
                    }
                }
                if known == .revision {
                    // A number with a fraction is no Int to the decoder, which then takes the whole line for no JSON.
                    try ArchiveLine.revision(Int(exactly: values.decode(Double.self, forKey: key)) ?? 0)
                }
                if known == .micros {
                    _ = try TodoBounds.micros(Int(exactly: values.decode(Double.self, forKey: key)) ?? 0)
                }
            }
            todo = try TodoDTO(from: decoder).toModel()
        }
    }

    private static func anyTodo(_ line: [UInt8]) throws(TodoError) -> String {
        // To the functions a NUL would be the end.
        guard !line.contains(0) else { throw .invalid("the line has a zero byte") }
        let uid = try decode(AnyTodo.self, line).todo.uid
        // Of two values this decoder takes the first, and the functions the last.
        if let name = RepeatedKey.first(in: line) { throw .invalid("the field '\(name)' is there twice") }
        return uid
    }

    private static func decode<Value: Decodable>(_ type: Value.Type, _ line: [UInt8]) throws(TodoError) -> Value {
        guard String(validating: line, as: UTF8.self) != nil else { throw .invalid("the line is not UTF-8") }
        do {
            return try JSONDecoder().decode(type, from: Data(line))
        } catch let error as TodoError {
            throw error
        } catch let error as DecodingError {
            throw switch MessageRefusal(error) {
            case .notObject: .invalid("the line is JSON, but no object")
            case .notJSON: .invalid("the line is not JSON")
            case let refusal: .invalid(refusal.description)
            }
        } catch {
            throw .invalid("the line is not JSON")
        }
    }
}

/// A todo as it is stored.
package struct StoredTodo: Sendable {
    /// What it says.
    package let todo: Todo
    /// Its JSON in the spelling that the Redis functions write.
    package let json: [UInt8]

    /// Reads what is stored under an id; nil when it is no todo of that user, or not under its own id.
    package init?(_ stored: [UInt8], id: String?, uid: String) {
        let stored = LineSeparators.escaped(in: stored)
        if let todo = CanonicalMessage(storedTodo: stored)?.todo {
            (self.todo, json) = (todo, stored)
        } else if let todo = try? JSONDecoder().decode(TodoDTO.self, from: Data(stored)) {
            // Written by hand: it is stored in another spelling.
            (self.todo, json) = (todo.toModel(), Array(todo.json.utf8))
        } else {
            return nil
        }
        guard todo.uid == uid, id == nil || todo.id == id else { return nil }
    }
}

extension CanonicalMessage {
    /// Reads a todo by itself, in exactly the spelling of messages.
    init?(storedTodo json: [UInt8]) {
        self.init(Array(#"{"id":"1-1","type":"added","todo":"#.utf8) + json + [UInt8(ascii: "}")])
    }
}
