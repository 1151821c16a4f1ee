package import TodoMate

extension AccountSummary {
    /// As people and programs read it, without what there is not.
    package var shown: JSONObject {
        JSONObject([
            "uid": uid, "name": name, "todos": todos, "bytes": bytes, "bytesMost": bytesMost, "signIns": signIns,
            "tokens": tokens, "made": made.map(Time.text), "used": used.map(Time.text),
            "suspended": suspension.map { Time.text($0.at) }, "reason": suspension?.reason,
            "leaving": leaving.map(Time.text), "factor": hasFactor ? true : nil, "role": role?.rawValue,
            "limits": limitsShown,
        ])
    }

    private var limitsShown: JSONObject? {
        guard limits != AccountLimits() else { return nil }
        return JSONObject([
            "bytes": limits[.bytes], "todos": limits[.todos], "tokens": limits[.tokens], "writes": limits[.writes],
            "invitations": limits[.invitations],
        ])
    }
}
