import TerminalUI

extension TextStyle {
    // Exact colours about half way between black and white are readable on light and dark backgrounds alike.

    /// What is done, and what is well.
    static let done = exactColor(red: 0x2A, green: 0x8A, blue: 0x55, fallback: .green)
    /// What is being worked on.
    static let underWay = exactColor(red: 0xA8, green: 0x74, blue: 0x1A, fallback: .yellow)
    /// What was given up.
    static let givenUp = exactColor(red: 0xB8, green: 0x55, blue: 0x8C, fallback: .magenta)
    /// Where one is: this day, this list.
    static let here = exactColor(red: 0x1B, green: 0x86, blue: 0x96, fallback: .cyan)
    /// What is wrong.
    static let trouble = exactColor(red: 0xD0, green: 0x45, blue: 0x3A, fallback: .red)
}
