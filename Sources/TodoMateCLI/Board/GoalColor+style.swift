import TerminalUI
import TodoMate

extension GoalColor {
    /// The colour in a terminal: about half way between black and white, as the others of the board.
    var style: TextStyle {
        switch self {
        case .red: .exactColor(red: 0xD6, green: 0x45, blue: 0x45, fallback: .red)
        case .orange: .exactColor(red: 0xC2, green: 0x64, blue: 0x0F, fallback: .brightRed)
        case .yellow: .exactColor(red: 0x9A, green: 0x7D, blue: 0x00, fallback: .yellow)
        case .green: .exactColor(red: 0x3B, green: 0x8F, blue: 0x45, fallback: .green)
        case .teal: .exactColor(red: 0x1A, green: 0x8F, blue: 0x88, fallback: .cyan)
        case .blue: .exactColor(red: 0x2F, green: 0x80, blue: 0xD6, fallback: .blue)
        case .indigo: .exactColor(red: 0x6D, green: 0x70, blue: 0xE2, fallback: .brightBlue)
        case .purple: .exactColor(red: 0x9B, green: 0x62, blue: 0xD2, fallback: .magenta)
        case .pink: .exactColor(red: 0xD0, green: 0x50, blue: 0x9A, fallback: .brightMagenta)
        case .gray: .exactColor(red: 0x7B, green: 0x84, blue: 0x80, fallback: .brightBlack)
        }
    }
}
