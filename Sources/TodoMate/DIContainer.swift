public import EventLoop
public import Observation

/// The services of a program: views and commands take them from here, and tests put others in.
///
///     let container = DIContainer(repository: InMemoryTodoRepository())
///     let list = TodoListViewModel(service: container.todoRealtimeService, uid: "alice")
@LoopActor
@Observable
public final class DIContainer {
    /// Creates, reads, changes and removes todos.
    public var todoService: any TodoServiceType
    /// Notifies observers of changes.
    public var todoRealtimeService: any TodoRealtimeServiceType

    /// A container of these services.
    public init(todoService: any TodoServiceType, todoRealtimeService: any TodoRealtimeServiceType) {
        self.todoService = todoService
        self.todoRealtimeService = todoRealtimeService
    }

    /// The usual services over one repository.
    public convenience init(repository: any TodoRepositoryType) {
        self.init(repository: repository, monitor: NoTodoRealtimeMonitor())
    }

    package convenience init(repository: any TodoRepositoryType, monitor: any TodoRealtimeMonitor) {
        self.init(
            todoService: TodoService(repository),
            todoRealtimeService: TodoRealtimeService(repository, monitor: monitor)
        )
    }
}
