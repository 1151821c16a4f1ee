import EventLoop
import RedisClient
import TestServers
import TodoMateRedis

/// Changes what is between viewers and owners, at random and from both sides: over HTTP, which settles both sides, or by one
/// function alone, which leaves the pair half-way.
@LoopActor
final class RelationMixer {
    private let pairs: [(viewer: String, owner: String)]
    private let deployment: Deployment
    private lazy var client = RedisClient(deployment.url, timeout: .seconds(2))
    private var random: SeededRandom
    private var isStopped = false
    private var isPaused = true
    private var isWriting = false
    private var task: Task<Void, Never>?
    /// How many changes were asked for.
    private(set) var count = 0

    /// What one of a pair does, as a path, a method and a function.
    private enum Deed: CaseIterable {
        case follow, unfollow, accept, dismiss, block, unblock, blockBack, unblockBack, audience
    }

    init(_ pairs: [(viewer: String, owner: String)], _ deployment: Deployment, _ random: SeededRandom) {
        self.pairs = pairs
        self.deployment = deployment
        self.random = random
    }

    func start() {
        task = Task {
            while !isStopped {
                if !isPaused {
                    isWriting = true
                    await mixOnce()
                    isWriting = false
                }
                await LoopTimer.sleep(for: .milliseconds(Int.random(in: 10...100, using: &random)))
            }
        }
    }

    /// Returns when what is under way has been answered, or has not.
    func pause() async {
        isPaused = true
        while isWriting { await LoopTimer.sleep(for: .milliseconds(5)) }
    }

    func goOn() { isPaused = false }

    func stop() async {
        isStopped = true
        await task?.value
        client.close()
    }

    private func mixOnce() async {
        guard let (viewer, owner) = pairs.randomElement(using: &random) else { return }
        count += 1
        // Blocks and closed doors are taken back before long, or little would be seen.
        let deeds = Deed.allCases + [.follow, .follow, .accept, .accept, .unblock, .unblockBack]
        switch deeds.randomElement(using: &random) ?? .follow {
        case .follow: await change("PUT", "following", "todomate_follow", viewer, owner)
        case .unfollow: await change("DELETE", "following", "todomate_unfollow", viewer, owner)
        case .accept: await change("PUT", "followers", "todomate_accept", owner, viewer)
        case .dismiss: await change("DELETE", "followers", "todomate_dismiss", owner, viewer)
        case .block: await change("PUT", "blocked", "todomate_block", owner, viewer)
        case .unblock: await change("DELETE", "blocked", "todomate_unblock", owner, viewer)
        case .blockBack: await change("PUT", "blocked", "todomate_block", viewer, owner)
        case .unblockBack: await change("DELETE", "blocked", "todomate_unblock", viewer, owner)
        case .audience:
            let audience = ["public", "public", "followers", "private"].randomElement(using: &random) ?? "public"
            await call("todomate_settings", owner, "{\"audience\":\"\(audience)\"}")
        }
    }

    private func change(_ method: String, _ list: String, _ function: String, _ uid: String, _ other: String) async {
        if Bool.random(using: &random) {
            _ = await HTTPCaller.call(method, "/v1/users/\(uid)/\(list)/\(other)", port: deployment.httpPort)
        } else {
            await call(function, uid, other)
        }
    }

    /// Whatever it answers: what is between the two is read in the end.
    private func call(_ function: String, _ uid: String, _ argument: String) async {
        var command = FunctionCall.command(function, of: uid, isInCluster: client.isCluster)
        command.append(argument)
        _ = try? await client.send(command)
    }
}
