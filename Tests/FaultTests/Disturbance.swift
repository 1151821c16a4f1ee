import EventLoop
import Foundation
import TestServers

/// Something small that goes wrong while a fault lasts, at one node or connection: it needs no repair, and many may come at once.
enum Disturbance: String, CaseIterable {
    /// A node drops those who are subscribed, or those who send commands.
    case subscribersCut, callersCut
    /// A node has lost the function library.
    case libraryLost
    /// All connections over one proxy end, or end in the middle of the next reply.
    case wireCut, wireCutInTheMiddle
    /// A reader loses its stream.
    case readerCut

    /// Makes it happen.
    @LoopActor
    func happen(to deployment: Deployment, _ clients: [StreamClient], _ random: inout SeededRandom) async {
        let server = deployment.servers.randomElement(using: &random)
        let proxy = deployment.proxies.randomElement(using: &random)
        switch self {
        case .subscribersCut: await deployment.control(["CLIENT", "KILL", "TYPE", "pubsub"], at: server)
        case .callersCut: await deployment.control(["CLIENT", "KILL", "TYPE", "normal"], at: server)
        case .libraryLost: await deployment.control(["FUNCTION", "FLUSH"], at: server)
        case .wireCut: proxy?.closeConnections()
        case .wireCutInTheMiddle: proxy?.cutInTheMiddle()
        case .readerCut: clients.randomElement(using: &random)?.drop()
        }
    }
}

/// Lets disturbances happen at a rate until it is told to stop, and counts them.
@LoopActor
final class Disturber {
    /// How many there were of each kind.
    private(set) var counts: [Disturbance: Int] = [:]
    private let deployment: Deployment
    /// How long it waits on average between two; nil for none at all.
    private let pause: Duration?
    private let random: SeededRandom
    private var task: Task<Void, Never>?

    /// - Parameter rate: so many a second, zero for none.
    init(_ deployment: Deployment, rate: Double, _ random: SeededRandom) {
        (self.deployment, self.random) = (deployment, random)
        pause = rate > 0 ? .seconds(1) / rate : nil
    }

    /// The sum of all.
    var count: Int { counts.values.reduce(0, +) }

    /// Begins, with those readers who are here now.
    func start(_ clients: [StreamClient]) {
        guard let pause else { return }
        // Another order each time.
        var random = random
        for _ in 0..<count { _ = random.next() }
        task = Task { @LoopActor in
            while !Task.isCancelled {
                await LoopTimer.sleep(for: pause * Double.random(in: 0...2, using: &random))
                guard !Task.isCancelled, let kind = Disturbance.allCases.randomElement(using: &random) else { return }
                await kind.happen(to: deployment, clients, &random)
                counts[kind, default: 0] += 1
            }
        }
    }

    /// Stops, and returns once none is under way.
    func stop() async {
        task?.cancel()
        await task?.value
        task = nil
    }
}
