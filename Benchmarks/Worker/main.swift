// What `scripts/bench` measures inside one process; each prints one line of JSON. Redis must be empty or may be emptied.
//
// usage: WorkerBenchmark writes REDIS DEPTH SECONDS     todos created by `TodoService`, DEPTH in flight; in turn at several,
//                                                       with spaces between their URLs
// usage: WorkerBenchmark count REDIS TODOS              creates so many, 16 in flight, and ends: for callgrind
// usage: WorkerBenchmark follow REDIS USERS             subscribes to so many users, then loses the connection and follows again
// usage: WorkerBenchmark failover REDIS USERS COMMAND   the same of a cluster, one of whose primaries the shell command ends
// usage: WorkerBenchmark serve REDIS PORT               a gateway as a worker has it, until a byte comes on standard input:
//                                                       for callgrind, which a program that leaves its main thread breaks
import Dispatch
import EventLoop
import Foundation
import RedisClient
import TodoMate
import TodoMateGateway
import TodoMateRedis

let words = Array(CommandLine.arguments.dropFirst())
let urls = words.dropFirst().first?.split(separator: " ").compactMap { try? RedisURL(String($0)) } ?? []
guard words.count >= 3, let url = urls.first, let number = Int(words[2]) else {
    FileHandle.standardError.write(Data("usage: see the first lines of Benchmarks/Worker/main.swift\n".utf8))
    exit(64)
}
let finished = DispatchSemaphore(value: 0)
Task { @LoopActor in
    let repository = RedisTodoRepository(url, timeout: .seconds(30))
    do {
        try await repository.prepare()
        switch words[0] {
        case "writes":
            let others = urls.dropFirst().map { RedisTodoRepository($0, timeout: .seconds(30)) }
            for other in others { try await other.prepare() }
            try await measureWrites([repository] + others, depth: number, seconds: words.count > 3 ? Double(words[3]) ?? 2 : 2)
            for other in others { other.close() }
        case "count": try await write(repository, count: number, depth: 16)
        case "follow": try await follow(repository, users: number) { try await cutSubscriptions() }
        case "failover" where words.count == 4: try await follow(repository, users: number) { try run(words[3]) }
        case "serve": try await serve(repository, port: number)
        default: throw TodoError.invalid("'\(words[0])' is none of writes, count, follow, failover and serve")
        }
    } catch {
        FileHandle.standardError.write(Data("WorkerBenchmark: \(error)\n".utf8))
        exit(1)
    }
    repository.close()
    finished.signal()
}
finished.wait()

func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Creates todos of distinct users, so many at a time, while `goesOn` says so.
@LoopActor
func create(_ repositories: [RedisTodoRepository], depth: Int, while goesOn: @escaping @Sendable @LoopActor (Int) -> Bool) async throws -> Int {
    let services = repositories.map { TodoService($0) }
    let counter = Counter()
    guard let day = CalendarDate("2026-11-20") else { return 0 }
    let writers = (0..<depth).map { number in
        let service = services[number % services.count]
        return Task { @LoopActor in
            while goesOn(counter.value) {
                counter.value += 1
                try await service.create(TodoDraft(date: day, content: "Buy milk"), for: "u\(counter.value)")
            }
        }
    }
    for writer in writers { try await writer.value }
    return counter.value
}

@LoopActor
final class Counter { var value = 0 }

@LoopActor
func write(_ repository: RedisTodoRepository, count: Int, depth: Int) async throws {
    print("{\"todos\":\(try await create([repository], depth: depth) { $0 < count })}")
}

@LoopActor
func measureWrites(_ repositories: [RedisTodoRepository], depth: Int, seconds duration: Double) async throws {
    let (start, startOfCPU) = (seconds(CLOCK_MONOTONIC), seconds(CLOCK_PROCESS_CPUTIME_ID))
    let count = try await create(repositories, depth: depth) { _ in seconds(CLOCK_MONOTONIC) - start < duration }
    let (took, cpu) = (seconds(CLOCK_MONOTONIC) - start, seconds(CLOCK_PROCESS_CPUTIME_ID) - startOfCPU)
    print(
        "{\"depth\":\(depth),\"todos\":\(count),\"per_s\":\(Int(Double(count) / took)),\"us\":\(took * 1e6 * Double(depth) / Double(count)),"
            + "\"cpu_us\":\(cpu * 1e6 / Double(count))}"
    )
}

@LoopActor
final class Listener: TodoChangeObserver {
    func receive(_ change: TodoChange) {}
}

/// Redis closes the connections for subscriptions.
@LoopActor
func cutSubscriptions() async throws {
    let killer = RedisClient(url)
    defer { killer.close() }
    for node in try await killer.primaries() { try await node.send(RedisCommand("CLIENT", "KILL", "TYPE", "pubsub")) }
}

/// Runs a command by the shell, to its end.
func run(_ command: String) throws {
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    shell.arguments = ["-c", command]
    try shell.run()
    shell.waitUntilExit()
}

@LoopActor
func follow(
    _ repository: RedisTodoRepository,
    users: Int,
    disturb: @LoopActor () async throws -> Void
) async throws {
    let service = TodoRealtimeService(repository)
    let listener = Listener()
    func everybodyFollows() async { for user in 0..<users { await service.waitUntilFollowing("u\(user)") } }
    let start = seconds(CLOCK_MONOTONIC)
    for user in 0..<users { service.addObserver(listener, for: "u\(user)") }
    await everybodyFollows()
    let first = seconds(CLOCK_MONOTONIC) - start
    // The moment at which connections end counts as the start.
    let losses = Counter()
    repository.onSubscriberChange = { if case .lost = $0 { losses.value += 1 } }
    try await disturb()
    let (lost, cpu) = (seconds(CLOCK_MONOTONIC), seconds(CLOCK_PROCESS_CPUTIME_ID))
    while losses.value == 0 { await LoopTimer.sleep(for: .milliseconds(1)) }
    await everybodyFollows()
    let again = seconds(CLOCK_MONOTONIC) - lost
    let spent = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu
    print(
        "{\"users\":\(users),\"subscribe_s\":\(first),\"resubscribe_s\":\(again),\"resubscribe_cpu_s\":\(spent),"
            + "\"observed\":\(service.observedUsers.count)}"
    )
}

@LoopActor
func serve(_ repository: RedisTodoRepository, port: Int) async throws {
    let logger = Logger(level: .warning)
    let metrics = Metrics(logger)
    repository.onReply = { metrics.replied(after: $0) }
    let secret = ProcessInfo.processInfo.environment["TODOMATE_SECRET"].flatMap { TokenSigner(secret: $0) }
    var configuration = GatewayConfiguration()
    (configuration.port, configuration.signer) = (port, secret)
    // Counted, and never refused.
    configuration.writesPerSecond = 10_000
    let gateway = Gateway(
        configuration,
        stores: repository.stores,
        container: DIContainer(repository: repository, monitor: metrics),
        metrics: metrics,
        log: logger,
        readiness: { nil }
    )
    _ = try gateway.listen()
    print("ready")
    await withCheckedContinuation { continuation in
        Thread.detachNewThread {
            _ = readLine()
            continuation.resume()
        }
    }
    await gateway.drain(grace: .seconds(1))
}
