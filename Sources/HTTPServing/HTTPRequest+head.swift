extension HTTPRequest {
    /// A request that ``RequestFramer`` found whole and well-formed.
    ///
    /// - Throws: ``HTTPFault`` when the query is broken.
    init(_ head: RequestHead, body: [UInt8], from address: String) throws(HTTPFault) {
        let target = head.target
        let mark = target.utf8.firstIndex(of: UInt8(ascii: "?"))
        let rest = mark.map { target[target.utf8.index(after: $0)...] } ?? ""
        guard let query = PercentEncoding.query(rest) else { throw .malformed("the query") }
        // What comes with any other method belongs to the request, and means nothing (RFC 9110, section 9.3.1).
        let hasBody = [.post, .put, .patch].contains(head.method)
        self.init(
            method: head.method,
            path: mark.map { String(target[..<$0]) } ?? target,
            query: query,
            headers: head.headers,
            body: hasBody ? body : [],
            remoteAddress: address
        )
        minorVersion = head.minorVersion
    }

    /// Whether one of the client's options for the connection is this one (RFC 9110, section 7.6.1).
    func wishes(_ option: String) -> Bool {
        headers.values(of: "connection").contains { list in
            list.split(separator: ",").contains { $0.trimmingPrefix(" ").prefix { $0 != " " }.lowercased() == option }
        }
    }
}
