/// A JSON object as text, its fields in the order of the literal; texts are escaped, and what is nil is left out.
///
///     JSONObject(["uid": uid, "position": 3, "todo": RawJSON(todo.json)]).text
package struct JSONObject: JSONValue {
    /// The object as JSON.
    package let text: String

    /// An object of these fields.
    package init(_ fields: KeyValuePairs<StaticString, (any JSONValue)?>) {
        var text = "{"
        for case (let name, let value?) in fields {
            text += text.utf8.count == 1 ? "\"\(name)\":" : ",\"\(name)\":"
            value.write(to: &text)
        }
        self.text = text + "}"
    }

    package func write(to text: inout String) { text += self.text }
}

/// What a field of a ``JSONObject`` may hold.
package protocol JSONValue {
    /// Appends the value as JSON.
    func write(to text: inout String)
}

/// JSON that is written already.
package struct RawJSON: JSONValue {
    private let json: String

    package init(_ json: String) { self.json = json }

    package func write(to text: inout String) { text += json }
}

extension String: JSONValue {
    package func write(to text: inout String) { text += "\"\(JSONText.encode(self))\"" }
}

extension Int: JSONValue {
    package func write(to text: inout String) { text += String(self) }
}

extension Double: JSONValue {
    package func write(to text: inout String) { text += JSONText.encode(self) }
}

extension Bool: JSONValue {
    package func write(to text: inout String) { text += self ? "true" : "false" }
}

extension Array: JSONValue where Element: JSONValue {
    package func write(to text: inout String) {
        text += "["
        for (index, element) in enumerated() {
            if index > 0 { text += "," }
            element.write(to: &text)
        }
        text += "]"
    }
}
