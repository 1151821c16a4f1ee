import CLibevent
import EventLoop
import Foundation

/// One connection that evhttp serves, and the gate before it: evhttp sees a request only once it is whole and clear.
///
/// evhttp's own timeout begins anew with each byte, and it has no word in what evhttp answers to bytes that are no request.
/// So the bytes wait in the connection's input buffer, below a watermark that they never reach, until a
/// ``RequestFramer`` has found the request's end; then evhttp is made to read exactly that.
@LoopActor
final class HTTPConnection {
    /// What a connection is doing.
    enum Phase { case reading, answering, closed }

    /// Number of the connection in its table.
    let number: Int
    private(set) var phase = Phase.reading
    /// When ``ConnectionTable`` ends it, and where it waits for that.
    var deadline = ContinuousClock.now
    var slot: DeadlineWheel<Int>.Slot?
    /// The request under way.
    weak var exchange: HTTPExchange?

    private weak var table: ConnectionTable?
    private let limits: HTTPLimits
    private let buffered: OpaquePointer
    private var connection: OpaquePointer?
    private var framer: RequestFramer
    /// How many bytes of the input buffer the framer has had.
    private var seen = 0
    /// What came behind the request that is being answered.
    private var pipelined: OpaquePointer?
    private var isCheckDue = false
    /// Until when a request is expected of a new connection; nil once there was one.
    private var firstRequestDue: ContinuousClock.Instant?

    /// Watches a connection that evhttp is about to have: the table keeps it for as long as evhttp may call.
    init(_ number: Int, _ buffered: OpaquePointer, _ table: ConnectionTable, _ limits: HTTPLimits) {
        self.number = number
        self.buffered = buffered
        self.table = table
        self.limits = limits
        framer = RequestFramer(limits: limits)
        firstRequestDue = .now + limits.newTime
        bufferevent_setwatermark(buffered, Int16(EV_READ), Int.max, 0)
        // The list of a busy month leaves in one system call instead of four.
        bufferevent_set_max_single_write(buffered, 256 << 10)
        evbuffer_add_cb(
            bufferevent_get_input(buffered),
            // Sendable, here and below, so that the compiler does not have each call look for its executor, which
            // took 365 instructions: 13 times a request for this one.
            { @Sendable _, change, context in
                guard let context, let change, change.pointee.n_added > 0 else { return }
                let connection = Unmanaged<HTTPConnection>.fromOpaque(context).takeUnretainedValue()
                LoopActor.assumeIsolated { connection.bytesCame() }
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }

    /// Takes note of evhttp's connection, once it is there.
    func adopt() {
        var context: UnsafeMutableRawPointer?
        // evhttp gives its callbacks the connection; there is no other way to it before the first request.
        bufferevent_getcb(buffered, nil, nil, nil, &context)
        connection = context.map { OpaquePointer($0) }
        guard let connection, evhttp_connection_get_bufferevent(connection) == buffered else {
            preconditionFailure("this libevent hands its callbacks something else than the connection")
        }
        evhttp_connection_set_closecb(
            connection,
            { @Sendable _, context in
                guard let context else { return }
                let connection = Unmanaged<HTTPConnection>.fromOpaque(context).takeUnretainedValue()
                LoopActor.assumeIsolated { connection.closed() }
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }

    /// Whether a request has begun to come in, or is being answered.
    var isBusy: Bool { phase == .answering || seen > 0 }

    /// Whether it is so new that its first request may be on its way: a proxy does not send that to another worker any more.
    var isNew: Bool { firstRequestDue.map { ContinuousClock.now < $0 } ?? false }

    /// The peer's address.
    var remoteAddress: String {
        var address: UnsafeMutablePointer<CChar>?
        var port: UInt16 = 0
        if let connection { evhttp_connection_get_peer(connection, &address, &port) }
        return address.map { String(cString: $0) } ?? ""
    }

    /// Drops the connection.
    func close() {
        if let connection { evhttp_connection_free(connection) }
    }

    /// Takes the connected socket away from evhttp, which forgets the connection and frees all that it kept of it.
    func detach() -> Int32? {
        guard let connection else { return nil }
        let old = bufferevent_getfd(buffered)
        bufferevent_disable(buffered, Int16(EV_READ | EV_WRITE))
        let descriptor = fcntl(old, F_DUPFD_CLOEXEC, 0)
        defer { evhttp_connection_free(connection) }
        guard descriptor >= 0 else { return nil }
        // evhttp shuts its socket down when it frees a connection: give it something else to shut down.
        guard NullDevice.takePlace(of: old) else {
            Foundation.close(descriptor)
            return nil
        }
        return descriptor
    }

    /// Goes on to the next request; evhttp calls when an answer has left.
    func answered() {
        phase = .reading
        exchange = nil
        framer = RequestFramer(limits: limits)
        seen = 0
        // What evhttp left over belonged to the request, such as the body of a HEAD.
        let input = bufferevent_get_input(buffered)
        evbuffer_drain(input, evbuffer_get_length(input))
        table?.schedule(self, after: limits.idleTime)
        if pipelined != nil { LoopActor.atEndOfTurn { [self] in takePipelined() } }
    }

    private func bytesCame() {
        guard !isCheckDue else { return }
        isCheckDue = true
        LoopActor.atEndOfTurn { [self] in check() }
    }

    /// Shows the framer what is new.
    private func check() {
        isCheckDue = false
        guard phase == .reading, connection != nil else { return }
        if seen == 0 { table?.schedule(self, after: limits.requestTime) }
        do throws(HTTPFault) {
            switch try framer.feed(newBytes()) {
            case .whole(let unread): handOver(unread: unread)
            case .more:
                guard framer.wantsContinue else { return }
                framer.wantsContinue = false
                _ = SocketWriter.write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8), to: bufferevent_getfd(buffered))
            }
        } catch {
            table?.refuse(self, error)
        }
    }

    private func newBytes() -> [UInt8] {
        let input = bufferevent_get_input(buffered)
        let count = evbuffer_get_length(input) - seen
        var start = evbuffer_ptr()
        guard count > 0, evbuffer_ptr_set(input, &start, seen, EVBUFFER_PTR_SET) == 0 else { return [] }
        seen += count
        return [UInt8](unsafeUninitializedCapacity: count) { bytes, initialized in
            initialized = max(evbuffer_copyout_from(input, &start, bytes.baseAddress, count), 0)
        }
    }

    /// Lets evhttp read the request, and nothing behind it.
    private func handOver(unread: Int) {
        phase = .answering
        firstRequestDue = nil
        table?.schedule(self, after: limits.answerTime)
        let input = bufferevent_get_input(buffered)
        if unread > 0, let request = evbuffer_new() {
            let rest = pipelined ?? evbuffer_new()
            pipelined = rest
            evbuffer_remove_buffer(input, request, seen - unread)
            evbuffer_add_buffer(rest, input)
            append(request, to: input)
            evbuffer_free(request)
        }
        bufferevent_trigger(buffered, Int16(EV_READ), Int32(BEV_TRIG_IGNORE_WATERMARKS.rawValue))
    }

    private func takePipelined() {
        guard phase == .reading, connection != nil, let pipelined else { return }
        self.pipelined = nil
        // The buffer's callback has the bytes looked at.
        append(pipelined, to: bufferevent_get_input(buffered))
        evbuffer_free(pipelined)
    }

    /// libevent lets nobody but itself add to an input buffer, unless they ask.
    private func append(_ bytes: OpaquePointer, to input: OpaquePointer?) {
        evbuffer_unfreeze(input, 0)
        evbuffer_add_buffer(input, bytes)
        evbuffer_freeze(input, 0)
    }

    private func closed() {
        phase = .closed
        connection = nil
        if let pipelined { evbuffer_free(pipelined) }
        pipelined = nil
        exchange?.connectionClosed()
        table?.forget(self, buffered)
    }
}
