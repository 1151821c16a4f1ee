// A todo list for a pocket: signs in, shows a day, and goes on without a network.
//
//   TODOMATE_SERVER=https://todo.example.org TODOMATE_PASSWORD=… swift run --package-path Examples Pocket alice

import EventLoop
import Foundation
import Observation
import TodoMate
import TodoMateClient

/// The token of whoever has signed in; an app keeps it in the keychain.
struct Keychain: CredentialSource {
    var token: String

    func token(inPlaceOf refused: String?) async -> String? { token == refused ? nil : token }
}

@LoopActor
func run(_ uid: String, _ server: URL, _ password: String) async throws {
    let signedIn = try await TodoClient.signIn(to: server, as: uid, password: password)
    let file = FileManager.default.temporaryDirectory.appending(path: "todomate-\(uid).sqlite").path
    let client = try TodoClient(
        server: server,
        uid: uid,
        credentials: Keychain(token: signedIn.token),
        keepingIn: file
    )
    defer { client.close() }

    client.observeStatus { print("the connection:", $0) }
    client.observePendingChanges { pending in
        for change in pending { print("waits:", change.kind, change.todo.content, change.state) }
    }

    let list = TodoListViewModel(service: client.container.todoRealtimeService, uid: uid)
    list.onAppear()
    let milk = TodoDraft(date: list.date, content: "Buy milk")
    try await client.container.todoService.create(milk, for: uid)
    for await todos in Observations({ list.todos }) {
        print(todos.map(\.content))
        if client.pendingChanges.isEmpty { break }
    }
    list.onDisappear()
}

let environment = ProcessInfo.processInfo.environment
guard CommandLine.arguments.count == 2, let server = environment["TODOMATE_SERVER"].flatMap({ URL(string: $0) }),
    let password = environment["TODOMATE_PASSWORD"]
else {
    print("usage: TODOMATE_SERVER=https://… TODOMATE_PASSWORD=… Pocket USER")
    exit(64)
}
try await run(CommandLine.arguments[1], server, password)
