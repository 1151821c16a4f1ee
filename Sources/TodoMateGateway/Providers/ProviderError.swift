/// Why a provider's word cannot be taken.
enum ProviderError: Error, Equatable, CustomStringConvertible {
    /// It does not answer as it should, at the moment.
    case unreachable(String)
    /// What it says of itself is not what OpenID Connect Discovery wants.
    case metadata(String)
    /// It does not take the code.
    case code(String)
    /// Its token is not for this server, of this provider, or good any more.
    case token(String)

    var description: String {
        switch self {
        case .unreachable(let reason): "the provider cannot be asked: \(reason)"
        case .metadata(let reason): "what the provider says of itself is of no use: \(reason)"
        case .code(let reason): "the provider does not take the code: \(reason)"
        case .token(let reason): "the provider's token is refused: \(reason)"
        }
    }
}
