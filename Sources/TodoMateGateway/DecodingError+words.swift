extension DecodingError {
    /// What is wrong with a file of JSON that somebody wrote, in words that name the key.
    static func words(_ error: any Error) -> String {
        switch error {
        case DecodingError.keyNotFound(let key, _): "'\(key.stringValue)' is missing"
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
            DecodingError.dataCorrupted(let context):
            context.codingPath.last.map { "'\($0.stringValue)' is not what it should be" } ?? "it is not JSON"
        default: "\(error)"
        }
    }
}
