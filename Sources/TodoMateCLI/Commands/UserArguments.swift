import CommandArguments

/// What commands about accounts have in common.
enum UserArguments {
    static let account = Positional("user", as: .user, help: "Whose account it is.")
}
