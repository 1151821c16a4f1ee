/// A client's name, for the list of sessions: `Firefox on Linux`, `curl`.
///
/// Read from `User-Agent` (RFC 9110, section 10.1.5), which may say anything: only known words and one short token of it are
/// taken over.
enum DeviceName {
    /// The first that is found counts: most browsers claim to be others as well.
    private static let programs = [
        ("Edg/", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("FxiOS/", "Firefox"), ("CriOS/", "Chrome"),
        ("Chrome/", "Chrome"), ("Safari/", "Safari"),
    ]
    private static let systems = [
        ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"), ("Mac OS X", "Mac"),
        ("CrOS", "ChromeOS"), ("Linux", "Linux"),
    ]
    private static let longestToken = 24

    /// Nil where nothing is to be recognised.
    static func of(_ userAgent: String?) -> String? {
        guard let userAgent, userAgent.utf8.count <= 1024 else { return nil }
        let system = systems.first { userAgent.contains($0.0) }?.1
        if let program = programs.first(where: { userAgent.contains($0.0) })?.1 {
            return system.map { "\(program) on \($0)" } ?? program
        }
        let token = userAgent.utf8.prefix { byte in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
        }
        return token.isEmpty ? nil : String(Substring(token.prefix(longestToken)))
    }
}
