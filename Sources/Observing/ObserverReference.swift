#if !canImport(ObjectiveC)
    public import CSwiftRuntime
#endif

/// A weak reference to an observer that costs less than half of what `weak` does.
///
/// `weak` gives an object a side table, through which all its counting goes from then on, each time in a 16-byte atomic
/// operation. Here an `unowned` reference keeps no more than the memory of a dead object, so that its header can still be
/// asked, and the runtime's `swift_tryRetain` asks it. Where objects may be Objective-C's, this is a `weak` reference.
@usableFromInline
struct ObserverReference {
    #if canImport(ObjectiveC)
        private weak var object: AnyObject?

        @usableFromInline
        init(_ object: AnyObject) { self.object = object }

        /// The object, retained for the caller; nil when it has died.
        @usableFromInline
        func retained() -> UnsafeMutableRawPointer? { object.map { Unmanaged.passRetained($0).toOpaque() } }

        /// Lets go of what ``retained()`` gave.
        @usableFromInline
        static func release(_ object: UnsafeMutableRawPointer) { Unmanaged<AnyObject>.fromOpaque(object).release() }
    #else
        @usableFromInline unowned let memory: AnyObject
        @usableFromInline let object: UnsafeMutableRawPointer

        @inlinable
        init(_ object: AnyObject) {
            memory = object
            self.object = Unmanaged.passUnretained(object).toOpaque()
        }

        /// The object, retained for the caller; nil when it has died.
        @inlinable
        func retained() -> UnsafeMutableRawPointer? { swift_tryRetain(object) }

        /// Lets go of what ``retained()`` gave.
        @inlinable
        static func release(_ object: UnsafeMutableRawPointer) { swift_release(object) }
    #endif

    /// Whether the object lives.
    @inlinable
    var isAlive: Bool {
        guard let object = retained() else { return false }
        Self.release(object)
        return true
    }
}
