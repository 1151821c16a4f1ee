/// One of the colours that every colour terminal has.
public enum NamedColor: Int, Sendable, CaseIterable {
    /// The eight colours, in the order of their codes.
    case black = 30, red, green, yellow, blue, magenta, cyan, white
    /// Their bright forms; `brightBlack` is grey.
    case brightBlack = 90, brightRed, brightGreen, brightYellow, brightBlue, brightMagenta, brightCyan, brightWhite
}

/// A look that text can have in a terminal.
public enum TextStyle: Sendable, Equatable {
    /// A heavier weight.
    case bold
    /// A fainter colour.
    case dim
    /// A line under the text.
    case underline
    /// A line through the text.
    case strikethrough
    /// Text and background change places, as for a selection.
    case reverse
    /// One of the sixteen colours of the terminal's theme.
    case color(NamedColor)
    /// An exact colour, and the theme's colour to take where exact ones are not shown.
    case exactColor(red: UInt8, green: UInt8, blue: UInt8, fallback: NamedColor)

    /// The parameters of the escape sequence, or nil where the terminal does not show this style.
    func parameters(in support: StyleSupport) -> String? {
        switch (self, support) {
        case (_, .none): nil
        case (.bold, _): "1"
        case (.dim, _): "2"
        case (.underline, _): "4"
        case (.reverse, _): "7"
        case (.strikethrough, _): "9"
        case (.color, .weight), (.exactColor, .weight): nil
        case (.color(let color), _): "\(color.rawValue)"
        case (.exactColor(let red, let green, let blue, _), .trueColor): "38;2;\(red);\(green);\(blue)"
        case (.exactColor(_, _, _, let fallback), _): "\(fallback.rawValue)"
        }
    }
}

/// How much of a style an output shows.
public enum StyleSupport: Sendable, Equatable {
    /// Nothing: a file, a pipe, or a terminal that calls itself dumb.
    case none
    /// Bold, dim and the like, no colours: the user has set `NO_COLOR`.
    case weight
    /// The sixteen colours of the theme.
    case sixteenColors
    /// Every colour.
    case trueColor

    /// Decides by what is known of the output, as <https://no-color.org> and terminals agree.
    public init(isTerminal: Bool, environment: [String: String]) {
        let term = environment["TERM"] ?? ""
        if !isTerminal || term.isEmpty || term == "dumb" {
            self = .none
        } else if environment["NO_COLOR"]?.isEmpty == false {
            self = .weight
        } else if ["truecolor", "24bit"].contains(environment["COLORTERM"]) || term.hasSuffix("-direct") {
            self = .trueColor
        } else {
            self = .sixteenColors
        }
    }

    /// The text in the given styles, or as it is where none of them shows.
    public func apply(_ styles: TextStyle..., to text: String) -> String { apply(styles, to: text) }

    /// The text in the given styles, or as it is where none of them shows.
    public func apply(_ styles: [TextStyle], to text: String) -> String {
        let parameters = styles.compactMap { $0.parameters(in: self) }
        guard !parameters.isEmpty, !text.isEmpty else { return text }
        return "\u{1B}[\(parameters.joined(separator: ";"))m\(text)\u{1B}[0m"
    }
}
