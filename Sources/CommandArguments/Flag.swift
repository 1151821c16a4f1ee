/// A switch that is on or off, as a stored property of a command.
@propertyWrapper
public struct Flag: Sendable {
    /// Whether it is on.
    public let wrappedValue: Bool

    /// Declares a flag; with an environment variable, `--no-name` switches it off again.
    public init(_ name: String, short: Character? = nil, environment: String? = nil, help: String) {
        wrappedValue = ArgumentReader.values(.flag, name, short, .onOrOff, "", environment, help).last ?? false
    }

    /// Declares a flag that several commands have, such as `.json`, a computed static property.
    public init(_ shared: Flag) { self = shared }
}

extension ValueParser where Value == Bool {
    /// The value of an environment variable for a flag.
    fileprivate static var onOrOff: Self {
        Self { word in
            switch word.lowercased() {
            case "1", "true", "yes", "on": true
            case "0", "false", "no", "off": false
            default: throw InvalidValue(expectation: "1 or 0")
            }
        }
    }
}
