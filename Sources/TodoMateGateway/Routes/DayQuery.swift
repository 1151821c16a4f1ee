import HTTPServing
import TodoMate

/// The days of a query: `?date=2026-11-20`, `?month=2026-11`, or `?from=…&to=…`.
enum DayQuery {
    /// Nil for all days.
    ///
    /// - Parameter more: names that the path takes besides.
    static func days(_ request: HTTPRequest, and more: [String] = []) throws(Problem) -> ClosedRange<CalendarDate>? {
        guard !request.query.isEmpty else { return nil }
        try QueryNames.check(
            request,
            ["date", "month", "from", "to", "since", "viewer"] + more,
            "use date, month, or from and to"
        )
        switch (request.query("date"), request.query("month"), request.query("from"), request.query("to")) {
        case (nil, nil, nil, nil): return nil
        case (let text?, nil, nil, nil):
            let date = try day(text, "date")
            return date...date
        case (nil, let text?, nil, nil):
            guard let month = CalendarMonth(text) else { throw Problem(.invalid, "month must look like 2026-11") }
            return month.days
        case (nil, nil, let from?, let to?):
            let (first, last) = (try day(from, "from"), try day(to, "to"))
            guard first <= last else { throw Problem(.invalid, "from must not be later than to") }
            return first...last
        default: throw Problem(.invalid, "give date, or month, or both from and to")
        }
    }

    static func day(_ text: String, _ name: String) throws(Problem) -> CalendarDate {
        guard let date = CalendarDate(text) else {
            throw Problem(.invalid, "\(name) must be a real day between 1900-01-01 and 2999-12-31, written 2026-11-20")
        }
        return date
    }
}

/// Refuses names in a query that mean nothing: a misspelt one must not look like success.
enum QueryNames {
    static func check(_ request: HTTPRequest, _ known: [String], _ advice: String) throws(Problem) {
        guard let other = request.query.first(where: { !known.contains($0.name) }) else { return }
        throw Problem(.invalid, "'\(other.name.prefix(40))' is not known here: \(advice)")
    }
}
