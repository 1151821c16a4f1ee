import CommandArguments
import Foundation

/// Where a server is, such as `https://todo.example.org`: a scheme, a host and perhaps a port.
struct ServerAddress: Sendable, Equatable, CustomStringConvertible {
    /// Without anything behind the port.
    let url: URL
    let description: String

    /// Nil for a text that is no such address.
    init?(_ text: String) {
        guard let match = text.wholeMatch(of: #/(https?://[^/?#\s@\\]+?)/?/#), let url = URL(string: String(match.1)),
            let host = url.host(), !host.isEmpty
        else { return nil }
        (self.url, description) = (url, String(match.1))
    }

    /// Whether what is sent there can be read on the way: without TLS, to another machine.
    var isExposed: Bool {
        guard url.scheme == "http", let host = url.host() else { return false }
        return !["localhost", "127.0.0.1", "::1", "[::1]"].contains(host.lowercased())
    }

    /// What to do where that is not meant, of a command with the flag `--insecure`.
    var exposure: String {
        "\(self) sends what is secret so that others can read it: write https://, or --insecure where you trust the network"
    }
}

extension ValueParser where Value == ServerAddress {
    /// The address of a server.
    static let serverAddress = Self { text in
        guard let address = ServerAddress(text) else {
            throw InvalidValue(expectation: "an address such as https://todo.example.org")
        }
        return address
    }
}
