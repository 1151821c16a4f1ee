import EventLoop
import Testing

@testable import TodoMate

/// Bob's todos and both sides of the pair, with everything that is on its way to a share of alice's.
@LoopActor
private struct World {
    /// What can happen next.
    enum Step: CaseIterable {
        case addPublic, addForFollowers, removes, ownerBlocks, ownerUnblocks, ownerAccepts
        case viewerLeaves, viewerFollows, viewerBlocks
        case ownerIsHeard, viewerIsHeard, isAnswered, isReset
    }

    private var machine = ShareStateMachine(of: "bob", for: "alice")
    private var granted: Access
    private var stance: Stance
    private var todos: [(name: String, visibility: Visibility)] = []
    private var log: [TodoChange] = []
    private var version = 1
    /// What bob granted since each version, and what alice's side said, the last one that was heard in front: what is delivered
    /// must have been visible by both.
    private var grants: [(version: Int, access: Access)] = []
    private var stances: [Stance]
    /// In which version a todo was removed.
    private var ends: [String: Int] = [:]
    private var ownerQueue: [TodoChange] = []
    private var viewerQueue: [AccountChange] = []
    private var reading: ShareStateMachine.Reading?
    /// What alice has: names of todos; nil while nothing may be seen, or nothing was read.
    private(set) var view: Set<String>?
    private(set) var objection: String?
    private(set) var history: [Step] = []

    init(granted: Access, stance: Stance, resuming place: Access?) {
        (self.granted, self.stance, stances) = (granted, stance, [stance])
        for visibility in [Visibility.public, .followers] { add(visibility) }
        ownerQueue = []
        if let place { view = visible(to: place) }
        perform(machine.open(after: place.map { ($0, ChangeID(version: version, microseconds: version)) }))
    }

    private var access: Access { PairAccess(granted: granted, stance: stance).access }

    private func visible(to access: Access) -> Set<String> {
        Set(todos.filter { access.covers($0.visibility) }.map(\.name))
    }

    /// The world after a step; nil where it cannot happen.
    func after(_ step: Step) -> World? {
        var world = self
        world.history.append(step)
        return world.take(step) ? world : nil
    }

    private mutating func take(_ step: Step) -> Bool {
        switch step {
        case .addPublic: add(.public)
        case .addForFollowers: add(.followers)
        case .removes: return remove()
        case .ownerBlocks: return own(.none, unless: .none)
        case .ownerUnblocks: return granted == .none && own(.public, unless: .public)
        case .ownerAccepts: return granted == .public && own(.followers, unless: .followers)
        case .viewerLeaves: return become(.none)
        case .viewerFollows: return become(.following)
        case .viewerBlocks: return become(.blocked)
        case .ownerIsHeard:
            guard !ownerQueue.isEmpty else { return false }
            let change = ownerQueue.removeFirst()
            perform(change.account == nil ? machine.received(change) : machine.ownerChanged(change))
        case .viewerIsHeard:
            guard !viewerQueue.isEmpty else { return false }
            stances.removeFirst()
            perform(machine.viewerChanged(viewerQueue.removeFirst()))
        case .isAnswered: return answer()
        case .isReset:
            ownerQueue = []
            perform(machine.reset())
        }
        return true
    }

    private mutating func add(_ visibility: Visibility) {
        version += 1
        todos.append(("t\(version)", visibility))
        publish(SharedHistory.todo("t\(version)", visibility, at: version))
    }

    private mutating func remove() -> Bool {
        guard let todo = todos.popLast() else { return false }
        version += 1
        ends[todo.name] = version
        publish(SharedHistory.todo(todo.name, todo.visibility, at: version, .removed))
        return true
    }

    private mutating func own(_ access: Access, unless same: Access) -> Bool {
        guard granted != same else { return false }
        granted = access
        version += 1
        publish(
            SharedHistory.owner(
                follower: access == .followers ? .following : .none,
                blocked: access == .none,
                at: version
            )
        )
        return true
    }

    private mutating func publish(_ change: TodoChange) {
        log.append(change)
        ownerQueue.append(change)
        grants.append((version, granted))
    }

    private mutating func become(_ stance: Stance) -> Bool {
        guard stance != self.stance else { return false }
        self.stance = stance
        stances.append(stance)
        viewerQueue.append(
            SharedHistory.viewer(stance == .following ? .following : .none, blocked: stance == .blocked)
        )
        return true
    }

    private mutating func answer() -> Bool {
        guard let reading, machine.isCurrent(reading) else { return false }
        let sides = PairAccess(granted: granted, stance: stance)
        let id = ChangeID(version: version, microseconds: version)
        if reading.start != .snapshot {
            let missed: [TodoChange] =
                if case .resume(_, let last) = reading.start {
                    log.filter { ($0.id?.version ?? 0) > last.version }
                } else { [] }
            if let effect = machine.know(sides, asOf: id, missed: missed, by: reading) {
                perform(effect)
                return true
            }
        }
        perform(sides.access == .none ? machine.end(sides, by: reading) : machine.begin(sides, asOf: id, by: reading))
        return true
    }

    private mutating func perform(_ effect: ShareStateMachine.Effect) {
        switch effect {
        case .nothing: break
        case .read(let reading): self.reading = reading
        case .begin(let access): view = visible(to: access)
        case .resume(let access, _, let missed):
            for (change, seen) in MissedChanges.views(of: missed, for: access) {
                if seen.kind == .removed { view?.remove(change.todo.id) } else { view?.insert(change.todo.id) }
            }
        case .deliver(let change, let access): deliver(change, access)
        case .end: view = nil
        case .several(let effects): for effect in effects { perform(effect) }
        }
    }

    private mutating func deliver(_ change: TodoChange, _ access: Access) {
        guard change.kind.isOfTodo, access.covers(change.visibility) else { return }
        let version = change.id?.version ?? 0
        if change.kind == .removed {
            view?.remove(change.todo.id)
            return
        }
        // As of the change itself, or since, as long as the todo was there.
        let end = ends[change.todo.id] ?? .max
        let wasVisible = grants.filter { (version..<end).contains($0.version) }.contains { grant in
            stances.contains { PairAccess(granted: grant.access, stance: $0).access.covers(change.visibility) }
        }
        if !wasVisible {
            objection = "\(change.todo.id) was never visible, and is delivered"
        }
        if view == nil { objection = "\(change.todo.id) is delivered to a reader who was shown nothing" }
        if view?.insert(change.todo.id).inserted == false { objection = "\(change.todo.id) is delivered twice" }
    }

    /// Lets everything arrive; why the reader does not have then what may be seen.
    mutating func settle() -> String? {
        while take(.ownerIsHeard) || take(.viewerIsHeard) || take(.isAnswered) {}
        if let objection { return objection }
        let due = access == .none ? nil : visible(to: access)
        return view == due ? nil : "the reader has \(view as Any) and is due \(due as Any)"
    }
}

@Suite("A share of another's todos")
@LoopActor
struct ShareWalkTests {
    private static let starts: [(Access, Stance)] = [
        (.followers, .following), (.public, .following), (.followers, .none), (.none, .following), (.public, .blocked),
    ]

    @Test(
        "ends with what may be seen, and delivers nothing hidden or twice, after every history of five steps",
        arguments: [nil, .followers, .public, Access.none]
    )
    func histories(_ place: Access?) {
        var count = 0
        for (granted, stance) in Self.starts {
            walk(World(granted: granted, stance: stance, resuming: place), steps: 5, &count)
        }
        #expect(count > 50_000, "\(count) histories were walked")
    }

    private func walk(_ world: World, steps: Int, _ count: inout Int) {
        guard steps > 0 else {
            var end = world
            if let objection = end.settle() { Issue.record("\(world.history): \(objection)") }
            count += 1
            return
        }
        for step in World.Step.allCases {
            if let next = world.after(step) { walk(next, steps: steps - 1, &count) }
        }
    }
}
