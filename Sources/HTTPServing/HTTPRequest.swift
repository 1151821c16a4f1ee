/// The methods that a route can have.
public enum HTTPMethod: String, Sendable, CaseIterable {
    /// Reads.
    case get = "GET"
    /// As `get`, without the body.
    case head = "HEAD"
    /// Creates, or does.
    case post = "POST"
    /// Puts in place.
    case put = "PUT"
    /// Changes a part.
    case patch = "PATCH"
    /// Removes.
    case delete = "DELETE"
    /// Asks what is allowed.
    case options = "OPTIONS"
}

/// A whole request.
public struct HTTPRequest: Sendable {
    /// What is to be done.
    public var method: HTTPMethod
    /// The path as it was sent, without the query: still percent-encoded.
    public var path: String
    /// The query's names and values, percent-decoded, in order.
    public var query: [(name: String, value: String)]
    /// The header fields.
    public var headers: HTTPHeaders
    /// The body; empty when there is none.
    public var body: [UInt8]
    /// The peer's address.
    public var remoteAddress: String
    /// The pattern of the route that answers it, such as `/v1/users/{uid}/todos`; empty until one was found.
    public var route = ""
    /// 1 for HTTP/1.1, 0 for HTTP/1.0.
    var minorVersion = 1

    /// A request of these parts.
    public init(
        method: HTTPMethod,
        path: String,
        query: [(name: String, value: String)] = [],
        headers: HTTPHeaders = [:],
        body: [UInt8] = [],
        remoteAddress: String = ""
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.remoteAddress = remoteAddress
    }

    /// The first value of a query parameter.
    public func query(_ name: String) -> String? { query.first { $0.name == name }?.value }

    /// The value of a cookie (RFC 6265, section 4.2).
    public func cookie(_ name: String) -> String? {
        // Bytes, not characters: an accent after a semicolon would make another character of it.
        for pair in (headers["cookie"] ?? "").utf8.split(separator: UInt8(ascii: ";")) {
            // A cookie without a name, as in "=name=value", must not pass for the one of that name.
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
                .map(\.trimmed)
            if parts.count == 2, parts[0].elementsEqual(name.utf8) { return String(Substring(parts[1])) }
        }
        return nil
    }
}

extension Substring.UTF8View {
    fileprivate var trimmed: Self {
        var text = self
        while text.first == UInt8(ascii: " ") { text.removeFirst() }
        while text.last == UInt8(ascii: " ") { text.removeLast() }
        return text
    }
}

/// Header fields in their order; names compare without regard to case.
public struct HTTPHeaders: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    private(set) var fields: [Field] = []

    struct Field: Sendable, Equatable {
        var name: String
        var value: String
    }

    /// No fields.
    public init() {}

    /// These fields.
    public init(dictionaryLiteral fields: (String, String)...) {
        for (name, value) in fields { add(name, value) }
    }

    /// The value of the first field of this name; setting it replaces all of them.
    public subscript(name: String) -> String? {
        get { fields.first { $0.name.isSameField(as: name) }?.value }
        set {
            // Most are new, and removing none is not free.
            if fields.contains(where: { $0.name.isSameField(as: name) }) {
                fields.removeAll { $0.name.isSameField(as: name) }
            }
            if let newValue { add(name, newValue) }
        }
    }

    /// The values of all fields of this name, in order.
    public func values(of name: String) -> [String] {
        fields.filter { $0.name.isSameField(as: name) }.map(\.value)
    }

    /// Adds a field beside those of the same name; control characters are left out, so that no value makes a line.
    public mutating func add(_ name: String, _ value: String) {
        add(checked: name.withoutControls, value.withoutControls)
    }

    /// Adds a field in which there are no control characters, as ``RequestHead`` has made sure of.
    mutating func add(checked name: String, _ value: String) {
        // Room for most at once, instead of growing three times.
        if fields.isEmpty { fields.reserveCapacity(12) }
        fields.append(Field(name: name, value: value))
    }

    /// Adds fields of whose names there is none yet, as they are.
    mutating func add(new headers: HTTPHeaders) { fields += headers.fields }

    /// How many fields have this name.
    public func count(of name: String) -> Int { fields.count { $0.name.isSameField(as: name) } }

    /// How many fields there are.
    public var count: Int { fields.count }
}

extension String {
    fileprivate var withoutControls: String {
        var text = self
        guard text.withUTF8(\.hasControl) else { return self }
        return String(decoding: utf8.filter { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }, as: UTF8.self)
    }

    /// Header names are ASCII: comparing bytes is enough, and quicker than folding Unicode.
    fileprivate func isSameField(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        var (name, other) = (self, other)
        return name.withUTF8 { name in
            other.withUTF8 { other in
                name.indices.allSatisfy { name[$0].asciiLowercased == other[$0].asciiLowercased }
            }
        }
    }
}

extension UInt8 {
    fileprivate var asciiLowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}
