// A todo list for a pocket: signs in once, shows a day, and goes on without a network.
//
//   TODOMATE_SERVER=https://todo.example.org TODOMATE_PASSWORD=… swift run --package-path Examples/Pocket Pocket alice "Buy milk"
//
// What it keeps is in ~/.local/state/pocket, or where POCKET_FOLDER says.

import EventLoop
import Foundation
import TodoMate
import TodoMateClient

@LoopActor
func run(_ uid: String, adding content: String?, at server: URL, _ pocket: Pocket, _ password: String?) async throws {
    if pocket.token == nil {
        guard let password else { return print("sign in first: give TODOMATE_PASSWORD") }
        let signedIn = try await TodoClient.signIn(to: server, as: uid, password: password)
        pocket.keep(token: signedIn.token)
    }
    let client = try TodoClient(
        server: server,
        uid: uid,
        credentials: Keychain(token: pocket.token ?? ""),
        keepingIn: pocket.todosFile
    )
    defer { client.close() }

    let list = TodoListViewModel(service: client.container.todoRealtimeService, uid: uid)
    list.onAppear()
    if let content {
        let draft = TodoDraft(date: list.date, content: content)
        try await client.container.todoService.create(draft, for: uid)
    }
    // As the system's background refresh would.
    let isDone = await client.refresh(within: .seconds(5))
    print(list.todos.map(\.content).joined(separator: ", "))
    var waiting = 0
    for change in client.pendingChanges {
        if case .refused(let reason) = change.state {
            print("refused: \(change.todo.content): \(reason)")
        } else {
            waiting += 1
        }
    }
    if isDone {
        if client.pendingChanges.isEmpty { print("all is at the server") }
        try await showEverybody(on: client)
    } else if case .signedOut = client.status {
        pocket.forgetToken()
        print("signed out: sign in again, and what waits is sent")
    } else {
        print("\(waiting) waits for the network")
    }
    list.onDisappear()
}

let environment = ProcessInfo.processInfo.environment
guard (2...3).contains(CommandLine.arguments.count),
    let server = environment["TODOMATE_SERVER"].flatMap({ URL(string: $0) })
else {
    print("usage: TODOMATE_SERVER=https://… [TODOMATE_PASSWORD=…] Pocket USER [TODO]")
    exit(64)
}
let folder = environment["POCKET_FOLDER"].map { URL(filePath: $0) }
let home = FileManager.default.homeDirectoryForCurrentUser
let pocket = try Pocket(folder ?? home.appending(path: ".local/state/pocket"))
let content = CommandLine.arguments.count > 2 ? CommandLine.arguments[2] : nil
try await run(CommandLine.arguments[1], adding: content, at: server, pocket, environment["TODOMATE_PASSWORD"])
