import CommandArguments

/// What the commands that look one person up have in common.
struct PersonQuery: Sendable {
    @Positional(.person) var user: String
    @Flag(.json) var asJSON: Bool
    let places = StoreOptions()
}
