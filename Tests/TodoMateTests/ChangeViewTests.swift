import Testing
import TodoMate

/// What somebody could read, worked out from the todo's history alone.
private struct Reader {
    let access: Access

    func sees(_ visibility: Visibility) -> Bool {
        switch (access, visibility) {
        case (.own, _), (.followers, .public), (.followers, .followers), (.public, .public): true
        case (.followers, .private), (.public, .followers), (.public, .private), (.none, _): false
        }
    }
}

@Suite("What a viewer sees of a change")
struct ChangeViewTests {
    private static let befores: [Visibility?] = [nil] + Visibility.allCases

    @Test("is decided by what the todo was and is, for each kind of change", arguments: Access.allCases)
    func matrix(_ access: Access) {
        let reader = Reader(access: access)
        var cases = 0
        for kind in ChangeKind.allCases {
            for before in Self.befores {
                for now in Visibility.allCases {
                    let view = ChangeView(kind, before: before, now: now, access: access)
                    let (was, isNow) = (reader.sees(before ?? now), reader.sees(now))
                    let asItIs = ChangeView(kind: kind)
                    let expected: ChangeView? =
                        switch (kind, was, isNow) {
                        case (.relation, _, _), (.settings, _, _): access == .own ? asItIs : nil
                        case (.added, _, true), (.removed, _, true), (.modified, true, true): asItIs
                        case (.modified, false, true): ChangeView(kind: .added)
                        case (.modified, true, false): ChangeView(kind: .removed, isRedacted: true)
                        case (_, _, false): nil
                        }
                    #expect(view == expected, "\(kind) from \(String(describing: before)) to \(now) for \(access)")
                    if !isNow { #expect(view.map(\.isRedacted) ?? true || access == .own) }
                    cases += 1
                }
            }
        }
        #expect(cases == 60)
    }
}
