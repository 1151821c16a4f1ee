// A store notifies its subscribed customers that something is in stock again, in the order of subscription. A customer is
// known by identity, not by name.
//
//   swift run AppleStore

import Observing

final class Customer: Observer {
    let id: String
    init(id: String) { self.id = id }
    func receive(_ message: String) { print("\(id)님 \(message)수신\n") }
}

/// The publisher: any number of observers, added and removed at run time.
final class AppleStore {
    private let subject = Subject<String, String>()
    func subscribe(_ customer: Customer) { subject.add(customer, for: "stock") }
    func unsubscribe(_ customer: Customer) { subject.remove(customer, for: "stock") }
    func notify(_ message: String) { subject.notify(message, to: "stock") }
}

let appleStore = AppleStore()
let (pingu, roby) = (Customer(id: "Pingu"), Customer(id: "Roby"))

appleStore.subscribe(pingu)
appleStore.subscribe(roby)
appleStore.notify("아이폰 입고 알림 ")

appleStore.unsubscribe(roby)
appleStore.notify("아이폰 입고 알림 ")

// The store holds its customers weakly.
withExtendedLifetime((pingu, roby)) {}
