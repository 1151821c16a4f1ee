// Tells 1,000 observers of one topic of an event, by a `Subject` and by Foundation's `NotificationCenter`, and prints the
// nanoseconds that each took an observer as JSON.
//
// usage: NotifyBenchmark [OBSERVERS [ROUNDS]]     (medians of ROUNDS, 9 by default)
// usage: NotifyBenchmark --instructions REPEATS   (nothing but the subject's notifications, for callgrind)
import Foundation
import Observing
import Synchronization

final class Counter: Observer, Sendable {
    // Plain moves of the processor: the closures of a NotificationCenter take nothing that is not Sendable.
    private let total = Atomic(0)
    var sum: Int { total.load(ordering: .relaxed) }
    func receive(_ event: Int) { total.store(sum &+ event, ordering: .relaxed) }
}

let name = Notification.Name("changed")
let arguments = CommandLine.arguments.dropFirst()

func nanoseconds(_ observers: Int, _ body: () -> Void) -> Double {
    let repeats = max(1, 1_000_000 / observers)
    let start = processorTime()
    for _ in 0..<repeats { body() }
    return (processorTime() - start) / Double(repeats * observers)
}

/// What the thread has had of the processor: others on the machine count for less than with a clock.
func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

if arguments.first == "--instructions" {
    let subject = Subject<String, Int>()
    let counters = (0..<1000).map { _ in Counter() }
    for counter in counters { subject.add(counter, for: "topic") }
    for _ in 0..<(arguments.dropFirst().first.flatMap { Int($0) } ?? 100) { subject.notify(1, to: "topic") }
    print(counters.reduce(0) { $0 + $1.sum })
} else {
    let observers = arguments.first.flatMap { Int($0) } ?? 1000
    let rounds = arguments.dropFirst().first.flatMap { Int($0) } ?? 9
    let subject = Subject<String, Int>()
    let center = NotificationCenter()
    let counters = (0..<observers).map { _ in Counter() }
    for counter in counters { subject.add(counter, for: "topic") }
    // It holds its closures strongly, the subject its observers weakly: with `weak` the two promise the same.
    // Each has observers of its own, as `weak` makes all counting of an object slower.
    let (weakCounters, strongCounters) = ((0..<observers).map { _ in Counter() }, (0..<observers).map { _ in Counter() })
    let tokens = weakCounters.map { counter in
        center.addObserver(forName: name, object: nil, queue: nil) { [weak counter] _ in counter?.receive(1) }
    }
    let bare = NotificationCenter()
    let bareTokens = strongCounters.map { counter in
        bare.addObserver(forName: name, object: nil, queue: nil) { _ in counter.receive(1) }
    }
    var bySubject: [Double] = []
    var byCenter: [Double] = []
    var byBareCenter: [Double] = []
    for _ in 0..<rounds {
        bySubject.append(nanoseconds(observers) { subject.notify(1, to: "topic") })
        byCenter.append(nanoseconds(observers) { center.post(name: name, object: nil) })
        byBareCenter.append(nanoseconds(observers) { bare.post(name: name, object: nil) })
    }
    withExtendedLifetime((counters, weakCounters, tokens, bareTokens)) {}
    let (mine, theirs, strong) = (median(bySubject), median(byCenter), median(byBareCenter))
    print(
        "{\"observers\":\(observers),\"rounds\":\(rounds),\"subject_ns\":\(mine),\"notification_center_ns\":\(theirs),"
            + "\"notification_center_strong_ns\":\(strong),\"ratio\":\(theirs / mine),\"ratio_strong\":\(strong / mine),"
            + "\"subject_range\":[\(bySubject.min() ?? 0),\(bySubject.max() ?? 0)]}"
    )
}
