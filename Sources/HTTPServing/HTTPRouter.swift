public import EventLoop

/// Finds the handler of a request by its method and path.
///
/// A pattern is a path whose segments may be parameters, as in `/v1/users/{uid}/todos/{id}`. Segments are compared and
/// handed over percent-decoded; one that decodes to something with a slash, a backslash or a control character, or that is
/// `.` or `..`, matches nothing, so that no spelling of a path reaches another route.
@LoopActor
public final class HTTPRouter {
    /// Answers requests; an error that it throws is the answer if it is an `HTTPResponseError`.
    public typealias Handler = @LoopActor (HTTPRequest, PathParameters) async throws -> HTTPReply

    private struct Route {
        let pattern: String
        let segments: [Segment]
        var answers: [Answer]

        func answer(to method: HTTPMethod) -> Answer? { answers.first { $0.method == method } }

        func matches(_ path: [String]) -> Bool {
            path.count == segments.count && path.indices.allSatisfy { segments[$0].matches(path[$0]) }
        }

        func parameters(in path: [String]) -> PathParameters {
            PathParameters(
                values: path.indices.compactMap { index in
                    if case .parameter(let name) = segments[index] { (name, path[index]) } else { nil }
                },
                route: pattern
            )
        }
    }

    /// Not a pair, a dictionary's entry or an optional closure: a closure taken out of those is wrapped in another one each time.
    private struct Answer {
        let method: HTTPMethod
        let handler: Handler
    }

    private enum Segment: Equatable {
        case literal(String)
        case parameter(String)

        func matches(_ segment: String) -> Bool {
            switch self {
            case .literal(let text): segment == text
            case .parameter: !segment.isEmpty
            }
        }
    }

    enum Match {
        case handler(Handler, PathParameters)
        /// The path is known, but not with this method.
        case otherMethods([HTTPMethod])
        case none
    }

    private var routes: [Route] = []

    /// A router without routes.
    public init() {}

    /// Lets `handler` answer requests of a method and a path pattern.
    public func on(_ method: HTTPMethod, _ pattern: String, _ handler: @escaping Handler) {
        let segments = pattern.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { segment in
            segment.hasPrefix("{")
                ? Segment.parameter(String(segment.dropFirst().dropLast())) : .literal(String(segment))
        }
        let answer = Answer(method: method, handler: handler)
        if let index = routes.firstIndex(where: { $0.segments == segments }) {
            routes[index].answers.append(answer)
        } else {
            routes.append(Route(pattern: pattern, segments: segments, answers: [answer]))
        }
    }

    /// The methods that each pattern has a handler for.
    public var methods: [String: Set<HTTPMethod>] {
        let pairs = routes.map { route in
            let segments = route.segments.map { segment in
                switch segment {
                case .literal(let text): text
                case .parameter(let name): "{\(name)}"
                }
            }
            return ("/" + segments.joined(separator: "/"), Set(route.answers.map(\.method)))
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    func match(_ method: HTTPMethod, _ path: String) -> Match {
        // The server as a whole (RFC 9110, section 9.3.7).
        if method == .options, path == "*" { return .otherMethods(HTTPMethod.allCases) }
        guard let segments = PathSegments.decode(path) else { return .none }
        for route in routes where route.matches(segments) {
            // A HEAD is a GET whose body the server leaves out.
            let answer = route.answer(to: method) ?? (method == .head ? route.answer(to: .get) : nil)
            if let answer { return .handler(answer.handler, route.parameters(in: segments)) }
            var methods = Set(route.answers.map(\.method)).union([.options])
            if methods.contains(.get) { methods.insert(.head) }
            return .otherMethods(methods.sorted { $0.rawValue < $1.rawValue })
        }
        return .none
    }
}

/// The values of a pattern's parameters.
public struct PathParameters: Sendable {
    let values: [(name: String, value: String)]
    /// The pattern.
    let route: String

    /// The value of the parameter of this name; empty when the pattern has no such parameter.
    public subscript(name: String) -> String { values.first { $0.name == name }?.value ?? "" }
}

/// The segments of a path.
enum PathSegments {
    /// The decoded segments after the leading slash; nil when the path is none that any route may match.
    static func decode(_ path: String) -> [String]? {
        var path = path
        // Bytes, which are much faster than characters.
        return path.withUTF8 { bytes in
            let slash = UInt8(ascii: "/")
            guard bytes.first == slash else { return nil }
            var segments: [String] = []
            // Room for most at once, instead of growing three times.
            segments.reserveCapacity(6)
            var rest = bytes.dropFirst()
            while true {
                let end = rest.firstIndex(of: slash) ?? rest.endIndex
                guard let segment = segment(rest[..<end]), segment != ".", segment != ".." else { return nil }
                segments.append(segment)
                guard end < rest.endIndex else { return segments }
                rest = rest[(end + 1)...]
            }
        }
    }

    private static func segment(_ raw: Slice<UnsafeBufferPointer<UInt8>>) -> String? {
        let text = String(decoding: raw, as: UTF8.self)
        let isPlain = raw.allSatisfy {
            (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "%") && $0 != UInt8(ascii: "\\")
        }
        return isPlain ? text : decode(encoded: text)
    }

    private static func decode(encoded raw: String) -> String? {
        guard let segment = PercentEncoding.decode(raw),
            !segment.unicodeScalars.contains(where: {
                $0 == "/" || $0 == "\\" || $0.value < 0x20 || (0x7F...0x9F).contains($0.value)
            })
        else { return nil }
        return segment
    }
}
