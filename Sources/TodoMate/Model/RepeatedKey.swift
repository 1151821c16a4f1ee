import Foundation

/// Finds a name that a JSON object has twice, of which readers take different values (RFC 8259, section 4).
enum RepeatedKey {
    /// The first name of the outermost object that was there before; nil for none.
    ///
    /// - Parameter json: what a decoder has taken for an object.
    static func first(in json: [UInt8]) -> String? {
        var (seen, depth, index): (Set<String>, Int, Int) = ([], 0, 0)
        var isName = false
        while index < json.count {
            switch json[index] {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                isName = depth == 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ","): isName = depth == 1
            case UInt8(ascii: "\""):
                let end = endOfText(json, from: index)
                if isName {
                    let name = decoded(json[index...min(end, json.count - 1)])
                    guard seen.insert(name).inserted else { return name }
                }
                isName = false
                index = end
            default: break
            }
            index += 1
        }
        return nil
    }

    /// Where the closing quote of a text is.
    private static func endOfText(_ json: [UInt8], from start: Int) -> Int {
        var index = start + 1
        while index < json.count, json[index] != UInt8(ascii: "\"") {
            index += json[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return index
    }

    /// A name without its quotes; `\u0075id` is `uid` as well.
    private static func decoded(_ quoted: ArraySlice<UInt8>) -> String {
        (try? JSONDecoder().decode(String.self, from: Data(quoted))) ?? String(decoding: quoted, as: UTF8.self)
    }
}
