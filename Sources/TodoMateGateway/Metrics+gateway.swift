import EventLoop
import HTTPServing
import TodoMate

extension Metrics {
    /// Adds what is counted whenever somebody asks.
    ///
    /// - Parameter writeRefusal: why Redis refuses writes at the moment; nil when it does not.
    @LoopActor
    func addGauges(
        of server: HTTPServer,
        _ service: any TodoRealtimeServiceType,
        _ balancer: StreamBalancer?,
        _ writeRefusal: @escaping @LoopActor () -> String?
    ) {
        gauge("todomate_users_subscribed", "Users whose channels this worker is subscribed to.") {
            service.observedUsers.count
        }
        gauge("todomate_observers", "Observers of all users, event streams included.") {
            service.observedUsers.reduce(0) { $0 + service.observerCount(of: $1) }
        }
        gauge("todomate_streams_open", "Event streams that are open.") { [weak server] in
            server?.streamCount ?? 0
        }
        gauge("todomate_connections_open", "Connections that are open, idle ones included.") { [weak server] in
            server?.connectionCount ?? 0
        }
        gauge("todomate_requests_in_flight", "Requests being answered.") { [weak server] in
            server?.requestCount ?? 0
        }
        gauge("todomate_stream_queue_bytes", "Bytes that wait for streams' readers.") { [weak server] in
            server?.openStreams.reduce(0) { $0 + $1.queuedBytes } ?? 0
        }
        gauge("todomate_writes_refused", "Whether Redis refuses writes, for instance because it is full.") {
            writeRefusal() == nil ? 0 : 1
        }
        guard let balancer else { return }
        gauge("todomate_workers_heard", "Other workers that announce their number of streams to this one.") {
            [weak balancer] in balancer?.workersHeard ?? 0
        }
        gauge("todomate_streams_share", "Event streams that each worker would have if all had the same number.") {
            [weak balancer] in balancer?.share ?? 0
        }
    }
}
