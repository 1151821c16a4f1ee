import EventLoop
import Foundation
import TestServers
import Testing
import TodoMate
import TodoMateClient

@Suite("Routines and goals on a device", .serialized)
@LoopActor
struct OfflineRoutineTests {
    private let today = CalendarDate(Date(), in: .gmt)

    private func routine() throws -> RoutinePatch {
        RoutinePatch(
            id: "run",
            content: "Run",
            rule: try RoutineRule("FREQ=DAILY"),
            from: today,
            goal: "g",
            visibility: .set(.private)
        )
    }

    /// What a board shows of three days: ids, and a tick for what is done.
    @LoopActor
    private final class View {
        let todos: TodosInMonthViewModel
        let settings: SettingsViewModel
        private let days: ClosedRange<CalendarDate>
        init(_ client: TodoClient, _ today: CalendarDate) {
            days = today...today.adding(days: 2)
            let service = client.container.todoRealtimeService
            todos = TodosInMonthViewModel(service: service, uid: "alice", month: CalendarMonth(containing: today))
            settings = SettingsViewModel(service: service, relations: client.stores.relations, uid: "alice")
            todos.onAppear()
            settings.onAppear()
        }
        var lines: [String] {
            settings.withRoutines(todos.todos, in: days, today: days.lowerBound)
                .filter { days.contains($0.date) && !DayNote.isID($0.id) }.map {
                    "\($0.date.day - days.lowerBound.day) \($0.status == .complete ? "x" : "-") \($0.visibility) \($0.goal ?? "")"
                }
        }
    }

    @Test("are seen, and their days finished and left out without a network, alike on two devices")
    func offline() async throws {
        // The days of this test lie in one month, whatever today is.
        guard CalendarMonth(containing: today) == CalendarMonth(containing: today.adding(days: 2)) else { return }
        try await withClientGateway { gateway in
            try await withFolder { folder in
                let goal = GoalPatch(id: "g", name: "Body", color: .green, visibility: .public)
                _ = try await gateway.stores.goals.set(goal, of: "alice")
                _ = try await gateway.stores.routines.set([try routine()], of: "alice")
                let clients = try ["one", "two"].map { try gateway.client("alice", keepingIn: "\(folder)/\($0)") }
                let views = clients.map { View($0, today) }
                let all = (0...2).map { "\($0) - private g" }
                try await eventually("they are live") { views.allSatisfy { $0.lines == all } }
                await gateway.stop()

                let run = { (offset: Int) in Routine.id(of: "run", on: today.adding(days: offset)) }
                for (index, client) in clients.enumerated() {
                    let (todos, stores) = (client.container.todoService, client.stores)
                    try await todos.update(run(0), of: "alice", with: TodoPatch(status: .complete))
                    if index == 0 {
                        _ = try await stores.routines.skip(today.adding(days: 1), of: "run", of: "alice", isBack: false)
                        try await todos.update(run(2), of: "alice", with: TodoPatch(detail: "with Bob"))
                    } else {
                        try await todos.update(run(2), of: "alice", with: TodoPatch(content: "Run far"))
                    }
                    let goals = try await stores.goals.goals(of: "alice")
                    #expect(goals.map(\.name) == ["Body"])
                    try await todos.create(
                        TodoDraft(date: today, content: "Swim", status: .complete, goal: "g"),
                        for: "alice"
                    )
                }
                #expect(views[0].lines == ["0 x private g", "0 x public g", "2 - private g"])
                #expect(views[1].lines == ["0 x private g", "0 x public g", "1 - private g", "2 - private g"])
                #expect(clients[0].pendingChanges.map(\.kind) == [.edited, .skipped, .edited, .added])
                #expect(clients[1].pendingChanges.map(\.kind) == [.edited, .edited, .added])
                clients[0].close()

                // The next run without a network shows the same.
                let next = try gateway.client("alice", keepingIn: "\(folder)/one")
                defer { for client in clients + [next] { client.close() } }
                let view = View(next, today)
                try await eventually("it is there") { view.lines == views[0].lines }

                try gateway.start()
                for client in [next, clients[1]] { client.hurry() }
                let end = ["0 x private g", "0 x public g", "0 x public g", "2 - private g"]
                try await eventually("all is sent, and both show it") {
                    next.pendingChanges.isEmpty && clients[1].pendingChanges.isEmpty && view.lines == end
                        && views[1].lines == end
                }
                let stored = try await gateway.stores.todos.snapshot(of: "alice", in: nil).todos
                #expect(stored.count == 4)
                let last = try #require(stored.first { $0.id == run(2) })
                #expect(last.content == "Run far" && last.detail == "with Bob")
                #expect(next.overwritten.isEmpty && clients[1].overwritten.isEmpty)
            }
        }
    }

    @Test("say what needs the server, and a note of a day does not")
    func refused() async throws {
        try await withClientGateway { gateway in
            try await withFolder { folder in
                _ = try await gateway.stores.routines.set(
                    [RoutinePatch(id: "r", content: "Run", rule: try RoutineRule("FREQ=DAILY"), from: today)],
                    of: "alice"
                )
                let client = try gateway.client("alice", keepingIn: folder + "/file")
                defer { client.close() }
                let view = View(client, today)
                try await eventually("it is live") {
                    view.settings.settings?.routines.count == 1 && client.status == .live
                }
                await gateway.stop()
                let stores = client.stores
                func isRefused(_ write: @LoopActor () async throws -> Void) async -> Bool {
                    do { try await write() } catch TodoError.unavailable(let reason) {
                        return reason.contains("is not sent later")
                    } catch {}
                    return false
                }
                #expect(
                    await isRefused { _ = try await stores.goals.set(GoalPatch(id: "g", name: "Work"), of: "alice") }
                )
                #expect(await isRefused { _ = try await stores.goals.remove("g", of: "alice", from: nil) })
                #expect(await isRefused { _ = try await stores.routines.set([try routine()], of: "alice") })
                #expect(await isRefused { _ = try await stores.routines.split("r", of: "alice", on: today, into: nil) })
                #expect(
                    await isRefused {
                        _ = try await stores.routines.skip(today, of: "other", of: "alice", isBack: false)
                    }
                )
                #expect(await isRefused { _ = try await stores.feeds.react("👍", to: "a", of: "bob", by: "alice") })
                #expect(client.pendingChanges.isEmpty)

                try await stores.notes.set("Rain", visibility: nil, on: today, of: "alice", expecting: nil)
                try await stores.notes.set("Rain, then sun", visibility: nil, on: today, of: "alice", expecting: nil)
                #expect(client.pendingChanges.last?.todo.detail == "Rain, then sun")
                try gateway.start()
                client.hurry()
                try await eventually("it is sent") { client.pendingChanges.isEmpty }
                let stored = try await gateway.stores.todos.record(DayNote.id(of: today), of: "alice").todo
                #expect(stored.detail == "Rain, then sun" && stored.visibility == .private)
            }
        }
    }

    @Test("are told of a day that could not be left out, which is there again")
    func long() async throws {
        try await withClientGateway { gateway in
            try await withFolder { folder in
                _ = try await gateway.stores.routines.set(
                    [RoutinePatch(id: "r", content: "Run", rule: try RoutineRule("FREQ=DAILY"), from: .earliest)],
                    of: "alice"
                )
                let client = try gateway.client("alice", keepingIn: folder + "/file")
                defer { client.close() }
                let view = View(client, today)
                try await eventually("it is live") {
                    view.settings.settings?.routines.count == 1 && client.status == .live
                }
                let long = today.adding(days: -60)
                _ = try await client.stores.routines.skip(long, of: "r", of: "alice", isBack: false)
                #expect(view.settings.settings?.routines.first?.made == [long])
                try await eventually("the server will not have it") {
                    client.pendingChanges.first.map { if case .refused = $0.state { true } else { false } } ?? false
                }
                #expect(view.settings.settings?.routines.first?.made == [])
                try client.discard(client.pendingChanges[0])
                #expect(client.pendingChanges.isEmpty)
            }
        }
    }
}
