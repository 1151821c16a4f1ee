// The board and the HTTP API in a program of your own: a todo that this process writes is read over HTTP.
//
//   swift run Serving

import EventLoop
import Foundation
import TodoMate
import TodoMateGateway

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@LoopActor
func run() async throws {
    var configuration = GatewayConfiguration()
    configuration.port = 0
    let gateway = Gateway(configuration, stores: InMemoryTodoRepository().stores)
    let port = try gateway.listen()

    let day = CalendarDate(Date(), in: .current)
    try await gateway.container.todoService.create(TodoDraft(date: day, content: "Buy milk"), for: "alice")
    guard let url = URL(string: "http://127.0.0.1:\(port)/v1/users/alice/todos?date=\(day)") else { return }
    let (answer, _) = try await URLSession.shared.data(from: url)
    print(String(decoding: answer, as: UTF8.self).contains("Buy milk") ? "alice's list has it" : "it is missing")
    await gateway.drain(grace: .seconds(1))
}

try await run()
