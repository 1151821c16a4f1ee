import Foundation

/// By which seeds the models of this module run: a few, or those that `TODOMATE_MODEL_SEEDS` names, such as `2012,4000-4999`.
enum ModelSeeds {
    static func all(usually usual: Range<Int>) -> [Int] {
        ProcessInfo.processInfo.environment["TODOMATE_MODEL_SEEDS"].map(read) ?? Array(usual)
    }

    static func read(_ text: String) -> [Int] {
        text.split(separator: ",").flatMap { part -> [Int] in
            let ends = part.split(separator: "-").map { Int($0) }
            guard let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count < 3, first <= last else {
                preconditionFailure("TODOMATE_MODEL_SEEDS has '\(part)': give seeds such as 2012,4000-4999")
            }
            return Array(first...last)
        }
    }
}
