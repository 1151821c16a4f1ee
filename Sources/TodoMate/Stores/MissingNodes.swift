package import EventLoop

/// The nodes of a cluster that did not answer, for whoever would rather see a part than nothing.
@LoopActor
package final class MissingNodes {
    /// Their addresses, each once, in the order in which they were missed.
    package private(set) var names: [String] = []

    package init() {}

    /// One more.
    package func add(_ name: String) {
        if !names.contains(name) { names.append(name) }
    }
}
