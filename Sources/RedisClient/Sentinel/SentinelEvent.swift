/// What sentinels publish when another server is, or becomes, the primary.
enum SentinelEvent: String, CaseIterable {
    /// All replicas follow another primary, or this sentinel has learned of it.
    case switchMaster = "+switch-master"
    /// A replica took over; its sentinel says so before it tells the others.
    case promotedSlave = "+promoted-slave"

    /// Whether a message of this kind is about a primary.
    ///
    /// - Parameters:
    ///   - message: `<name> <old ip> <old port> <new ip> <new port>`, or `slave <name> <ip> <port> @ <name> <ip> <port>`.
    ///   - primary: the name by which sentinels know it.
    func isAbout(_ primary: String, message: String) -> Bool {
        let words = message.split(separator: " ")
        let name: Substring? =
            switch self {
            case .switchMaster: words.first
            case .promotedSlave: words.count > 5 ? words[5] : nil
            }
        return name.map(String.init) == primary
    }
}
