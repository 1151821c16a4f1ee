import TodoMate

extension TodoFunctions {
    /// The functions that log by which device they are called, as `devices.lua` lists them.
    static let signed: Set = [
        "todomate_add", "todomate_update", "todomate_remove", "todomate_import", "todomate_settings", "todomate_react",
        "todomate_set_goal", "todomate_spread_goal", "todomate_remove_goal", "todomate_set_routines",
        "todomate_skip_day", "todomate_split_routine", "todomate_set_note",
    ]

    /// How a function is called by the device by which the current task writes.
    ///
    /// - Parameter inner: the function that this one runs, if it runs another.
    /// - Returns: the function to call, and its first words.
    func signing(_ name: String, of inner: String? = nil) -> (name: String, words: [String]) {
        guard let device = WritingDevice.current ?? device, Self.signed.contains(inner ?? name) else {
            return (name, [])
        }
        return ("todomate_by", [device.description, Self.short(name)])
    }
}
