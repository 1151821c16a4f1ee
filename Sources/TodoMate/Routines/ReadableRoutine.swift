/// A routine that was stored; without one where it cannot be read, because a hand or a newer version has written it.
///
/// It must not hide the account of which it is a part.
package struct ReadableRoutine: Decodable {
    /// The routine, if it can be read.
    package let routine: Routine?

    package init(from decoder: any Decoder) { routine = try? Routine(from: decoder) }
}
