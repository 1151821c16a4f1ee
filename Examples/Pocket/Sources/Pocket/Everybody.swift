import EventLoop
import Foundation
import TodoMate
import TodoMateClient

/// What an app shows besides lists: people and what they finished, and how one takes part. It needs the server.
@LoopActor
func showEverybody(on client: TodoClient) async throws {
    client.observeBadges { print("\($0.today) to do, \($0.requests) ask to follow") }

    for request in try await client.people.followers(in: .requested).followers {
        try await client.people.accept(request.uid)
    }
    let page = try await client.feed.page()
    for item in page.items where item.type == .finished {
        let todo = item.todo.toModel()
        try await client.feed.react("🎉", to: todo.id, of: todo.uid)
        print("\(todo.uid) has finished: \(todo.content)")
    }
    // What those did who are missing is to be new when they are back.
    if page.missing == nil { try await client.settings.change(feedSeen: page.items.first?.at) }

    let week = try await client.feed.week(until: CalendarDate(Date(), in: .current))
    print("\(week.count) finished this week, \(week.streak) days in a row")
}
