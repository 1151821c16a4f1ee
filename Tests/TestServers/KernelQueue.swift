import Foundation

/// What the kernel keeps of a server's connections on this machine, as `/proc/net/tcp` tells it.
public enum KernelQueue {
    /// So many bytes each of a port's connections has for its peer, which has not taken them; connections that the server has
    /// closed and the kernel goes on with included, or the one alone whose peer has a port. Nil where there is no such table.
    public static func bytes(port: Int, to peer: Int? = nil) -> [Int]? {
        guard let table = FileHandle(forReadingAtPath: "/proc/net/tcp") else { return nil }
        var text: [UInt8] = []
        // It has no size that it could be read by.
        while let part = try? table.read(upToCount: 65_536), !part.isEmpty { text += part }
        return text.split(separator: UInt8(ascii: "\n")).dropFirst().compactMap { line in
            // Number, local address, remote address, state, bytes to send and to read.
            let words = line.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
            let isListening = words[3] == "0A"
            let ports = words[1...2].map { $0.split(separator: ":").last.flatMap { Int($0, radix: 16) } }
            guard !isListening, ports[0] == port, peer == nil || ports[1] == peer else { return nil }
            return words[4].split(separator: ":").first.flatMap { Int($0, radix: 16) }
        }
    }
}
