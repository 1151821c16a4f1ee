import CHiredis
import EventLoop
import Foundation

/// What a ``RedisLink`` tells its owner.
@LoopActor
protocol RedisLinkDelegate: AnyObject {
    /// The socket is connected.
    func linkOpened()
    /// A whole reply or message arrived.
    func linkReceived(_ reply: borrowing RedisReply)
    /// The connection failed or broke; the link is of no more use.
    func linkFailed(_ reason: String)
}

/// One socket to Redis: hiredis does the protocol, the loop tells it when to read and write.
///
/// All commands of one turn of the loop leave in one write. hiredis is used as its authors mean bindings to: its
/// non-blocking connect, its buffers and its reader, but none of its event adapters.
@LoopActor
final class RedisLink {
    private enum Phase { case connecting, open, closed }

    private let context: UnsafeMutablePointer<redisContext>
    private weak var delegate: (any RedisLinkDelegate)?
    private var watch: DescriptorWatch?
    private var phase = Phase.connecting
    private var flushIsDue = false
    /// Whether hiredis is in use further up the stack, so that its context must not be freed yet.
    private var isReading = false
    /// Whether anything was read since this was last set to false.
    var hasHeard = false

    /// hiredis reads at most this much at a time.
    private static let readSize = 16 * 1024
    /// So many reads a turn, so that one busy connection cannot hold up the others.
    private static let readsPerTurn = 64

    /// Starts to connect; the delegate hears how it went.
    ///
    /// - Parameter address: a numeric IP address, or nil for a Unix socket.
    init(_ url: RedisURL, address: String?, delegate: any RedisLinkDelegate) throws(LinkError) {
        let context =
            switch url.transport {
            case .unix(let path): redisConnectUnixNonBlock(path)
            case .tcp(let host, let port): redisConnectNonBlock(address ?? host, Int32(port))
            }
        guard let context else { throw LinkError(reason: "out of memory") }
        guard context.pointee.err == 0 else {
            defer { redisFree(context) }
            throw LinkError(reason: Self.reason(context))
        }
        self.context = context
        self.delegate = delegate
        if case .tcp = url.transport {
            var on: Int32 = 1
            setsockopt(context.pointee.fd, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        }
        _ = fcntl(context.pointee.fd, F_SETFD, FD_CLOEXEC)
        watch = DescriptorWatch(
            context.pointee.fd,
            onReadable: { [weak self] in self?.read() },
            onWritable: { [weak self] in self?.writable() }
        )
        watch?.awaitWritable()
    }

    struct LinkError: Error { var reason: String }

    /// Queues a command; it leaves at the end of this turn.
    func append(_ command: RedisCommand) {
        guard phase != .closed else { return }
        let status = command.withArguments { redisAppendCommandArgv(context, $0, $1, $2) }
        guard status == REDIS_OK else { return fail(Self.reason(context)) }
        flushAtEndOfTurn()
    }

    /// Closes the socket; the delegate hears nothing more. Calling it again does nothing.
    func close() {
        guard phase != .closed else { return }
        phase = .closed
        watch?.cancel()
        watch = nil
        if !isReading { redisFree(context) }
    }

    private func fail(_ reason: String) {
        guard phase != .closed else { return }
        close()
        delegate?.linkFailed(reason)
    }

    private func writable() {
        guard phase == .connecting else { return flush() }
        var status: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(context.pointee.fd, SOL_SOCKET, SO_ERROR, &status, &length)
        guard status == 0 else { return fail(String(cString: strerror(status))) }
        phase = .open
        watch?.startReading()
        delegate?.linkOpened()
    }

    private func flushAtEndOfTurn() {
        guard phase == .open, !flushIsDue else { return }
        flushIsDue = true
        LoopActor.atEndOfTurn { [self] in
            flushIsDue = false
            flush()
        }
    }

    private func flush() {
        guard phase == .open else { return }
        var done: Int32 = 0
        guard redisBufferWrite(context, &done) == REDIS_OK else { return fail(Self.reason(context)) }
        if done == 0 { watch?.awaitWritable() }
    }

    private func read() {
        isReading = true
        var failure: String?
        for _ in 0..<Self.readsPerTurn {
            let before = context.pointee.reader.pointee.len
            guard redisBufferRead(context) == REDIS_OK else {
                failure = Self.reason(context)
                break
            }
            let count = context.pointee.reader.pointee.len - before
            if count > 0 { hasHeard = true }
            failure = failure ?? deliver()
            if count < Self.readSize || phase == .closed || failure != nil { break }
        }
        // What came before the end of the connection still counts.
        if phase != .closed, let end = failure { failure = deliver() ?? end }
        isReading = false
        if phase == .closed {
            redisFree(context)
        } else if let failure {
            fail(failure)
        }
    }

    /// Hands on every whole reply; returns the reason when the bytes are not Redis's protocol.
    private func deliver() -> String? {
        while phase != .closed {
            var pointer: UnsafeMutableRawPointer?
            guard redisGetReplyFromReader(context, &pointer) == REDIS_OK else { return Self.reason(context) }
            guard let reply = RedisReply(pointer) else { return nil }
            delegate?.linkReceived(reply)
        }
        return nil
    }

    private static func reason(_ context: UnsafeMutablePointer<redisContext>) -> String {
        withUnsafeBytes(of: &context.pointee.errstr) { text in
            String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
