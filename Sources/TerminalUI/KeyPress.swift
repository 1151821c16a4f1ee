/// A key as it was pressed at a terminal.
public struct KeyPress: Hashable, Sendable {
    /// What lies on the key.
    public enum Key: Hashable, Sendable {
        /// A letter, digit or sign; other than what follows in the text, it may be one part of a composed character.
        case character(Character)
        case enter, tab, backspace, delete, escape
        case up, down, left, right, home, end, pageUp, pageDown
        /// Text that was pasted, as it came.
        case paste(String)
    }

    /// What was held down besides.
    public struct Modifiers: OptionSet, Hashable, Sendable {
        /// The sum of the bits, as xterm sends it.
        public let rawValue: Int

        /// The modifiers of these bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Shift, where the key itself does not show it.
        public static let shift = Self(rawValue: 1)
        /// Alt, or Escape before the key.
        public static let alt = Self(rawValue: 2)
        /// Ctrl.
        public static let control = Self(rawValue: 4)
    }

    /// What lies on the key.
    public var key: Key
    /// What was held down besides.
    public var modifiers: Modifiers

    /// A key with what was held down.
    public init(_ key: Key, _ modifiers: Modifiers = []) {
        self.key = key
        self.modifiers = modifiers
    }

    /// A key that writes this character.
    public static func character(_ character: Character, _ modifiers: Modifiers = []) -> KeyPress {
        KeyPress(.character(character), modifiers)
    }

    /// How help texts name the key.
    public var label: String {
        let name =
            switch key {
            case .character(" "): "Space"
            case .character(let character): modifiers.contains(.control) ? character.uppercased() : String(character)
            case .enter: "Enter"
            case .tab: "Tab"
            case .backspace: "Backspace"
            case .delete: "Del"
            case .escape: "Esc"
            case .up: "↑"
            case .down: "↓"
            case .left: "←"
            case .right: "→"
            case .home: "Home"
            case .end: "End"
            case .pageUp: "PgUp"
            case .pageDown: "PgDn"
            case .paste: "Paste"
            }
        let held: [(Modifiers, String)] = [(.control, "Ctrl-"), (.alt, "Alt-"), (.shift, "Shift-")]
        return held.filter { modifiers.contains($0.0) }.map(\.1).joined() + name
    }
}
