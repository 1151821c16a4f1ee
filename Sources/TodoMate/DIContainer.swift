public import EventLoop
public import Observation

/// Puts the services together; views and commands take them from here, tests put others in.
@LoopActor
@Observable
public final class DIContainer {
    /// Creates, reads, changes and removes todos.
    public var todoService: any TodoServiceType
    /// Tells observers what changed.
    public var todoRealtimeService: any TodoRealtimeServiceType

    /// A container of these parts.
    public init(todoService: any TodoServiceType, todoRealtimeService: any TodoRealtimeServiceType) {
        self.todoService = todoService
        self.todoRealtimeService = todoRealtimeService
    }

    /// The usual services over one repository.
    public convenience init(
        repository: any TodoRepositoryType,
        monitor: any TodoRealtimeMonitor = NoTodoRealtimeMonitor()
    ) {
        self.init(
            todoService: TodoService(repository),
            todoRealtimeService: TodoRealtimeService(repository, monitor: monitor)
        )
    }
}
