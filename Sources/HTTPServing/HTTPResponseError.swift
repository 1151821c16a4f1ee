/// An error that is its own answer: handlers throw it.
package protocol HTTPResponseError: Error {
    /// The answer.
    var response: HTTPResponse { get }
}
