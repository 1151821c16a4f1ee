import TerminalUI
import TodoMate

extension PublicPerson {
    /// How somebody is called and pictured, fit for a terminal: `🦊 Alice Kim`; empty where nothing is known.
    var called: String { [face, name].compactMap { $0?.sanitized() }.joined(separator: " ") }

    /// Who it is, fit for a terminal: `🦊 Alice Kim (alice)`, or `alice` where nothing else is known.
    var label: String {
        guard let name else { return [face?.sanitized(), uid].compactMap(\.self).joined(separator: " ") }
        return [face?.sanitized(), "\(name.sanitized()) (\(uid))"].compactMap(\.self).joined(separator: " ")
    }

    /// The label in at most so many columns. What gives way is the name, then the face: anyone may be called like anyone, and the
    /// uid alone says who it is.
    func label(within width: Int) -> String {
        if label.displayWidth <= width { return label }
        let end = name == nil ? uid : " (\(uid))"
        for start in [face.map { $0.sanitized() + " " } ?? "", ""] {
            let room = width - start.displayWidth - end.displayWidth
            if let name, room > 1 { return start + name.sanitized().truncated(toWidth: room) + end }
            if name == nil, room >= 0 { return start + end }
        }
        return uid.truncated(toWidth: width)
    }
}
