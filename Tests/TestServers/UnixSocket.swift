import Foundation

/// Connections to Unix sockets, made without the loop.
enum UnixSocket {
    /// A descriptor of a new connection, to be closed by the caller; nil where nobody listens.
    static func connect(to path: String) -> Int32? {
        let descriptor = SocketAddress.newSocket(AF_UNIX)
        guard descriptor >= 0 else { return nil }
        do {
            try SocketAddress.unix(path).connect(descriptor)
        } catch {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    /// What a Redis there says to a command of words without spaces: the text of it; nil for an error, or where nobody answers.
    ///
    /// It is an [inline command](https://redis.io/docs/latest/develop/reference/protocol-spec/#inline-commands), with `QUIT` behind
    /// it, so that the end of what comes is the end of the answer.
    static func answer(of path: String, to words: [String]) -> String? {
        guard let descriptor = connect(to: path) else { return nil }
        let socket = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var patience = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        guard (try? socket.write(contentsOf: Data((words.joined(separator: " ") + "\r\nQUIT\r\n").utf8))) != nil,
            let answer = try? socket.readToEnd(), let text = String(bytes: answer, encoding: .utf8),
            let end = text.range(of: "\r\n"), text.hasSuffix("+OK\r\n")
        else { return nil }
        switch text.first {
        // A line's end is one character.
        case "$": return String(text[end.upperBound...].dropLast("\r\n+OK\r\n".count))
        case "+": return String(text[..<end.lowerBound].dropFirst())
        default: return nil
        }
    }
}
