// A device that somebody types on as fast as it goes, until it is killed: for the tests of what it finds when it starts again.
//
//   OfflineDevice SERVER TOKEN FILE FIRST
//
// Writes number FIRST, FIRST + 1, … come one after the other, each of a todo that its number names. `done N` is printed once a write
// has returned, and so is on disk.

import EventLoop
import Foundation
import TodoMate
import TodoMateClient

/// Write number `number` of alice's.
@LoopActor
func write(_ number: Int, with client: TodoClient) async throws(TodoError) {
    let id = "t\(number % 7)"
    let service = client.container.todoService
    let isThere = try await service.todos(of: "alice", in: nil).contains { $0.id == id }
    switch (isThere, number % 11) {
    case (true, 3): _ = try await service.remove(id, of: "alice", expecting: nil)
    case (true, _):
        _ = try await service.update(id, of: "alice", with: TodoPatch(content: "n\(number)"), expecting: nil)
    case (false, 3): break
    case (false, _):
        let draft = TodoDraft(id: id, date: CalendarDate.earliest, content: "n\(number)")
        _ = try await service.create(draft, for: "alice")
    }
}

@LoopActor
func run(_ server: URL, _ token: String, _ file: String, from first: Int) async throws {
    let client = try TodoClient(
        server: server,
        uid: "alice",
        zone: .gmt,
        credentials: FixedToken(token),
        keepingIn: file
    )
    defer { client.close() }
    await client.container.todoRealtimeService.waitUntilFollowing("alice")
    for number in first... {
        do throws(TodoError) {
            try await write(number, with: client)
        } catch .full {
            // So much waits that the server has to be reached first.
            await LoopTimer.sleep(for: .milliseconds(5))
            continue
        }
        FileHandle.standardOutput.write(Data("done \(number)\n".utf8))
        // Nobody types faster, and what waits is sent meanwhile.
        await LoopTimer.sleep(for: .milliseconds(1))
    }
}

let words = CommandLine.arguments
guard words.count == 5, let server = URL(string: words[1]), let first = Int(words[4]) else {
    FileHandle.standardError.write(Data("usage: OfflineDevice SERVER TOKEN FILE FIRST\n".utf8))
    exit(64)
}
do {
    try await run(server, words[2], words[3], from: first)
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(70)
}
