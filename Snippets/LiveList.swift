// A view model follows somebody's day on a server, over HTTP.
//
//   TODOMATE_SERVER=http://127.0.0.1:8080 TODOMATE_TOKEN=… swift run LiveList

import EventLoop
import Foundation
import Observation
import TodoMate
import TodoMateClient

@LoopActor
func run(_ url: URL, _ token: String?) async {
    let client = TodoClient(server: url, uid: "alice", credentials: FixedToken(token))
    let list = TodoListViewModel(service: client.container.todoRealtimeService, uid: "alice")
    list.onAppear()
    for await todos in Observations({ list.todos }) { print(todos.map(\.content)) }
    client.close()
}

let environment = ProcessInfo.processInfo.environment
guard let url = environment["TODOMATE_SERVER"].flatMap({ URL(string: $0) }) else {
    print("say with TODOMATE_SERVER where the server is, as in http://127.0.0.1:8080")
    exit(64)
}
await run(url, environment["TODOMATE_TOKEN"])
