import EventLoop
import Foundation
import Observing
import RedisClient
import TodoMateRedis

struct Measurement: Codable {
    var celsius: Double
}

@LoopActor
final class Display: @LoopActor Observer {
    func receive(_ event: Measurement) { print("Seoul:", event.celsius, "°C") }
}

@LoopActor
func run() async throws {
    let url = try RedisURL(ProcessInfo.processInfo.environment["TODOMATE_REDIS"] ?? "redis://127.0.0.1:6379")
    let display = Display()
    let weather = SharedSubject<Measurement>("weather", redis: url)
    weather.add(display, for: "seoul")
    await weather.waitUntilSubscribed(to: "seoul")
    try await weather.post(Measurement(celsius: 21), to: "seoul")

    await LoopTimer.sleep(for: .seconds(86_400))  // Until Ctrl-C.
    withExtendedLifetime((weather, display)) {}  // Observers are held weakly.
}

try await run()
