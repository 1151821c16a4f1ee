#if canImport(SwiftUI)
    import SwiftUI
    import TodoMate
    import TodoMateClient

    /// Today's todos, live. The view reads the view model as it is: on Apple's systems both are on the main actor.
    struct TodayView: View {
        let client: TodoClient
        let uid: String
        @State private var list: TodoListViewModel
        @State private var typed = ""
        @State private var problem: String?
        @Environment(\.scenePhase) private var phase

        init(client: TodoClient, uid: String) {
            (self.client, self.uid) = (client, uid)
            _list = State(initialValue: TodoListViewModel(service: client.container.todoRealtimeService, uid: uid))
        }

        var body: some View {
            List {
                ForEach(list.todos, id: \.id) { todo in Text(todo.content) }
                TextField("New todo", text: $typed).onSubmit(add)
                if let problem { Text(problem) }
            }
            .onAppear { list.onAppear() }
            .onDisappear { list.onDisappear() }
            .onChange(of: phase) { if phase == .active { client.hurry() } }
        }

        private func add() {
            let content = typed
            (typed, problem) = ("", nil)
            Task {
                do {
                    let draft = TodoDraft(date: list.date, content: content)
                    try await client.container.todoService.create(draft, for: uid)
                } catch {
                    // The text goes back to whoever typed it, unless there is another one.
                    if typed.isEmpty { typed = content }
                    problem = "\(error)"
                }
            }
        }
    }
#endif
