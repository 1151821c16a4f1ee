/// Why a transfer to another server came to nothing.
package enum TransferError: Error, Equatable, CustomStringConvertible {
    /// It is not sent: the URL is none of those that may be asked, or a part of the request is none.
    case refused(String)
    /// libcurl's word for what went wrong on the way.
    case failed(String)
    /// The answer has more bytes than may be taken.
    case tooLong(most: Int)

    package var description: String {
        switch self {
        case .refused(let reason): "the request cannot be sent: \(reason)"
        case .failed(let reason): "the server could not be asked: \(reason)"
        case .tooLong(let most): "the server answers with more than \(most) bytes"
        }
    }
}
