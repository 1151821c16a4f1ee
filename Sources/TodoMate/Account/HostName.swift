import Foundation

/// Names of hosts with letters of all languages, in the ASCII by which they are found: `münchen.example` is
/// `xn--mnchen-3ya.example` (RFC 5890, with the encoding of RFC 3492).
///
/// Letters are mapped to small ones in the composed form (RFC 5895). Foundation's URLs do the same, but not in a program that is
/// linked statically.
enum HostName {
    /// In ASCII a label gets no shorter.
    private static let longestLabel = 63

    /// The name in ASCII; nil where a label is too long, or has something else than letters,
    /// marks, digits and hyphens.
    static func ascii(_ name: String) -> String? {
        let mapped = name.lowercased().precomposedStringWithCompatibilityMapping.replacing("\u{3002}", with: ".")
        var labels: [String] = []
        for label in mapped.split(separator: ".", omittingEmptySubsequences: false) {
            guard let encoded = encoded(Array(label.unicodeScalars)) else { return nil }
            labels.append(encoded)
        }
        return labels.joined(separator: ".")
    }

    private static func encoded(_ label: [Unicode.Scalar]) -> String? {
        guard label.count <= longestLabel else { return nil }
        let plain = label.filter(\.isASCII).map { Character($0) }
        guard plain.count < label.count else { return String(plain) }
        let marks: Set<Unicode.GeneralCategory> = [.nonspacingMark, .spacingMark]
        guard
            label.allSatisfy({
                $0.isASCII ? isPlain($0) : isLetter($0) || marks.contains($0.properties.generalCategory)
            }),
            let first = label.first, !marks.contains(first.properties.generalCategory), first != "-", label.last != "-"
        else { return nil }
        return "xn--" + punycode(label.map(\.value), String(plain))
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "-" || ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar)
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        [.lowercaseLetter, .otherLetter, .modifierLetter, .decimalNumber].contains(scalar.properties.generalCategory)
    }

    /// RFC 3492, section 6.3. A label is far too short for anything to overflow.
    private static func punycode(_ label: [UInt32], _ plain: String) -> String {
        var output = plain.isEmpty ? "" : plain + "-"
        var (code, delta, bias, handled): (UInt32, Int, Int, Int) = (0x80, 0, 72, plain.utf8.count)
        while handled < label.count {
            guard let next = label.filter({ $0 >= code }).min() else { break }
            delta += Int(next - code) * (handled + 1)
            code = next
            for scalar in label {
                if scalar < code { delta += 1 }
                guard scalar == code else { continue }
                output += variableLength(delta, bias)
                bias = adapted(delta, isFirst: handled == plain.utf8.count, count: handled + 1)
                (delta, handled) = (0, handled + 1)
            }
            (delta, code) = (delta + 1, code + 1)
        }
        return output
    }

    private static func variableLength(_ number: Int, _ bias: Int) -> String {
        var (rest, step, digits) = (number, 36, "")
        while true {
            let threshold = min(max(step - bias, 1), 26)
            guard rest >= threshold else { return digits + digit(rest) }
            digits += digit(threshold + (rest - threshold) % (36 - threshold))
            rest = (rest - threshold) / (36 - threshold)
            step += 36
        }
    }

    private static func digit(_ value: Int) -> String {
        let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789")
        return String(letters[value])
    }

    /// Section 6.1.
    private static func adapted(_ delta: Int, isFirst: Bool, count: Int) -> Int {
        var (delta, steps) = (isFirst ? delta / 700 : delta / 2, 0)
        delta += delta / count
        while delta > 455 { (delta, steps) = (delta / 35, steps + 36) }
        return steps + 36 * delta / (delta + 38)
    }
}
