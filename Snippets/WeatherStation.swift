// A weather station and its displays: the subject pushes its measurements to them, or notifies them to pull what they need.
// Displays come and go at run time.
//
//   swift run WeatherStation                        push, then pull, in this process
//   swift run WeatherStation --redis URL observe    show what another process measures
//   swift run WeatherStation --redis URL post       measure

import EventLoop
import Foundation
import Observing
import RedisClient
import TodoMateRedis

struct Measurements: Codable, Sendable {
    var temperature: Float
    var humidity: Float
    var pressure: Float

    static let examples = [
        Measurements(temperature: 80, humidity: 65, pressure: 30),
        Measurements(temperature: 82, humidity: 70, pressure: 29),
        Measurements(temperature: 78, humidity: 90, pressure: 30),
        Measurements(temperature: 88, humidity: 70, pressure: 25),
    ]
}

/// The subject: it knows its observers only as observers.
@LoopActor
final class WeatherData {
    static let topic = "weather"
    private let pushed = Subject<String, Measurements>()
    private let changed = Subject<String, Void>()
    private(set) var latest = Measurements.examples[0]

    func register(_ observer: some Observer<Measurements>) {
        if pushed.add(observer, for: Self.topic) { print("\(name(observer))의 구독 등록되었습니다.") }
    }

    func registerToPull(_ observer: some PullObserver<WeatherData>) {
        if changed.add(observer, of: self, for: Self.topic) { print("\(name(observer))의 구독 등록되었습니다.") }
    }

    func remove(_ observer: AnyObject) {
        // An observer may be registered in either way.
        let wasThere = [pushed.remove(observer, for: Self.topic), changed.remove(observer, for: Self.topic)].contains(
            true
        )
        print(
            wasThere
                ? "성공적으로 \(name(observer))의 구독이 해지되었습니다."
                : "\(name(observer))를 찾을 수 없습니다. 구독해지 요청이 실패했습니다."
        )
    }

    func set(_ measurements: Measurements) {
        latest = measurements
        pushed.notify(measurements, to: Self.topic)
        changed.notify(Self.topic)
    }

    private func name(_ observer: AnyObject) -> String { "ObserverPattern.\(type(of: observer))" }
}

@LoopActor
final class CurrentConditionsDisplay: @LoopActor Observer, @LoopActor PullObserver {
    func receive(_ event: Measurements) { display(event.temperature, event.humidity) }
    func update(from source: WeatherData) { display(source.latest.temperature, source.latest.humidity) }

    private func display(_ temperature: Float, _ humidity: Float) {
        show("현재 상태: 온도 \(temperature)F, 습도 \(humidity)%")
    }
}

@LoopActor
final class PressureDisplay: @LoopActor Observer, @LoopActor PullObserver {
    func receive(_ event: Measurements) { display(event.pressure) }
    func update(from source: WeatherData) { display(source.latest.pressure) }

    private func display(_ pressure: Float) { show("현재 기압: \(pressure)hPa") }
}

/// Prints at once, even into a pipe.
func show(_ line: String) {
    print(line)
    fflush(nil)
}

@LoopActor
func runHere(pull: Bool) {
    let weatherData = WeatherData()
    let (conditions, pressure) = (CurrentConditionsDisplay(), PressureDisplay())
    if pull {
        weatherData.registerToPull(conditions)
        weatherData.registerToPull(pressure)
    } else {
        weatherData.register(conditions)
        weatherData.register(pressure)
    }
    for measurements in Measurements.examples.dropLast() { weatherData.set(measurements) }
    weatherData.remove(conditions)
    if let last = Measurements.examples.last { weatherData.set(last) }
    withExtendedLifetime((conditions, pressure)) {}
}

/// The same displays, but the measurements come from wherever they are posted.
@LoopActor
func observe(_ url: RedisURL) async {
    let weather = SharedSubject<Measurements>("weather-station", redis: url)
    let (conditions, pressure) = (CurrentConditionsDisplay(), PressureDisplay())
    weather.add(conditions, for: WeatherData.topic)
    weather.add(pressure, for: WeatherData.topic)
    await weather.waitUntilSubscribed(to: WeatherData.topic)
    show("관측을 기다립니다.")
    // Until Ctrl-C.
    await LoopTimer.sleep(for: .seconds(86_400))
    withExtendedLifetime((conditions, pressure)) {}
}

@LoopActor
func post(_ url: RedisURL) async throws {
    let weather = SharedSubject<Measurements>("weather-station", redis: url)
    defer { weather.close() }
    for measurements in Measurements.examples { try await weather.post(measurements, to: WeatherData.topic) }
}

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.isEmpty {
    await runHere(pull: false)
    await runHere(pull: true)
} else if arguments.count == 3, arguments[0] == "--redis", arguments[2] == "observe" {
    await observe(try RedisURL(arguments[1]))
} else if arguments.count == 3, arguments[0] == "--redis", arguments[2] == "post" {
    try await post(try RedisURL(arguments[1]))
} else {
    FileHandle.standardError.write(Data("usage: WeatherStation [--redis URL observe|post]\n".utf8))
    exit(64)
}
