/// Which content codings a client takes: the field `Accept-Encoding` (RFC 9110, section 12.5.3).
public enum AcceptedCoding {
    /// Whether a coding is named in the field, or all are by `*`, and not with a weight of 0, which means never.
    public static func takes(_ coding: String, _ field: String?) -> Bool {
        guard let field else { return false }
        var byStar = false
        for entry in field.split(separator: ",") {
            let parts = entry.split(separator: ";").map { $0.trimmingASCIISpace.lowercased() }
            guard let name = parts.first else { continue }
            // 0, 0. and 0.0 to 0.000.
            let isRefused = parts.dropFirst().contains { $0.wholeMatch(of: #/q=0(\.0{0,3})?/#) != nil }
            if name == coding || name == "x-" + coding { return !isRefused }
            if name == "*" { byStar = !isRefused }
        }
        return byStar
    }
}

extension Substring {
    fileprivate var trimmingASCIISpace: Substring {
        var text = drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}
