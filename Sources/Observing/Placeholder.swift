public protocol Observer<Event>: AnyObject { associatedtype Event; func receive(_ event: Event) }
public final class Subject<Topic: Hashable, Event> {
    struct Slot { weak var o: AnyObject?; let f: (AnyObject, Event) -> Void }
    var slots: [Topic: [Slot]] = [:]
    public init() {}
    public var onFirstObserver: ((Topic) -> Void)?
    public var onLastObserver: ((Topic) -> Void)?
    @discardableResult public func add<O: AnyObject>(
        _ observer: O,
        for topic: Topic,
        receive: @escaping (O, Event) -> Void
    ) -> Bool {
        if slots[topic]?.contains(where: { $0.o === observer }) == true { return false }
        let first = slots[topic] == nil
        slots[topic, default: []].append(Slot(o: observer, f: { receive($0 as! O, $1) }))
        if first { onFirstObserver?(topic) }
        return true
    }
    @discardableResult public func add(_ observer: some Observer<Event>, for topic: Topic) -> Bool {
        add(observer, for: topic) { $0.receive($1) }
    }
    @discardableResult public func remove(_ observer: AnyObject, for topic: Topic) -> Bool {
        slots[topic]?.removeAll { $0.o === observer || $0.o == nil }
        check(topic); return true
    }
    func check(_ topic: Topic) { if slots[topic]?.isEmpty == true { slots[topic] = nil; onLastObserver?(topic) } }
    public func notify(_ event: Event, to topic: Topic) {
        for s in slots[topic] ?? [] { if let o = s.o { s.f(o, event) } }
    }
    public func sweep(limit: Int) { for t in slots.keys { slots[t]?.removeAll { $0.o == nil }; check(t) } }
    public func observerCount(of topic: Topic) -> Int { slots[topic]?.count ?? 0 }
}
