import CHiredis
import EventLoop
import Foundation

/// What a ``RedisLink`` notifies its owner of.
@LoopActor
protocol RedisLinkDelegate: AnyObject {
    /// The socket is connected.
    func linkOpened()
    /// A whole reply or message arrived.
    func linkReceived(_ reply: borrowing RedisReply)
    /// The connection failed or broke; the link is of no more use.
    func linkFailed(_ error: RedisLink.LinkError)
}

/// One socket to Redis: hiredis implements the protocol, the loop says when to read and write.
///
/// The commands of one turn of the loop leave in one write, or one for every 16. hiredis is used as its authors mean bindings to: its
/// non-blocking connect, its buffers and its reader, but none of its event adapters.
@LoopActor
final class RedisLink {
    private enum Phase { case connecting, securing, open, closed }

    private let context: UnsafeMutablePointer<redisContext>
    /// Nil for bytes that travel as they are.
    private let tls: TLSSession?
    private weak var delegate: (any RedisLinkDelegate)?
    private var watch: DescriptorWatch?
    private var phase = Phase.connecting
    private var flushIsDue = false
    /// Commands since the last write at the end of a turn.
    private var appended = 0
    /// Whether TLS must read before it can write on.
    private var flushAwaitsInput = false
    /// Whether hiredis is in use further up the stack, so that its context must not be freed yet.
    private var isReading = false
    /// Whether anything was read since this was last set to false.
    var hasReceived = false

    /// One write for so many commands at least, unless a turn has fewer.
    private static let commandsPerWrite = 16
    /// hiredis reads at most this much at a time.
    private static let readSize = 16 * 1024
    /// So many reads a turn, so that one busy connection cannot hold up the others.
    private static let readsPerTurn = 64

    /// Starts to connect; the delegate is notified of the result.
    ///
    /// - Parameters:
    ///   - address: a numeric IP address, or nil for a Unix socket.
    ///   - tls: nil for bytes that travel as they are.
    init(
        _ url: RedisURL,
        address: String?,
        tls: TLSSession?,
        delegate: any RedisLinkDelegate
    ) throws(LinkError) {
        let context =
            switch url.transport {
            case .unix(let path): redisConnectUnixNonBlock(path)
            case .tcp(let host, let port): redisConnectNonBlock(address ?? host, Int32(port))
            case .cluster, .sentinel: preconditionFailure("a link is to one server")
            }
        guard let context else { throw LinkError(reason: "out of memory") }
        guard context.pointee.err == 0 else {
            defer { redisFree(context) }
            throw LinkError(reason: Self.reason(context))
        }
        self.context = context
        self.tls = tls
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

    /// Whether the TLS handshake is under way.
    var isSecuring: Bool { phase == .securing }

    struct LinkError: Error, Sendable {
        var reason: String
        /// Whether only a change of the settings can help.
        var isRefusal = false
    }

    /// Queues a command; it leaves at the end of this turn.
    func append(_ command: RedisCommand) {
        guard phase != .closed else { return }
        guard append(command.head), append(command.bytes) else { return fail(failure()) }
        flushAtEndOfTurn()
        appended += 1
        if appended % Self.commandsPerWrite == 0 { writeAhead() }
    }

    /// Queues a part of a command, in the form of the protocol.
    private func append(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { bytes in
            let text = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            return redisAppendFormattedCommand(context, text, bytes.count) == REDIS_OK
        }
    }

    /// Sends what is queued while the turn still produces more: Redis works on the first commands meanwhile, instead of
    /// waiting for all, and then letting this side wait. Errors keep until the end of the turn.
    private func writeAhead() {
        guard phase == .open, tls == nil else { return }
        var done: Int32 = 0
        _ = redisBufferWrite(context, &done)
    }

    /// Closes the socket; the delegate is not called again. Calling it again does nothing.
    func close() {
        if phase == .open { tls?.sayGoodbye() }
        end()
    }

    private func end() {
        guard phase != .closed else { return }
        phase = .closed
        watch?.cancel()
        watch = nil
        if !isReading { redisFree(context) }
    }

    private func fail(_ error: LinkError) {
        guard phase != .closed else { return }
        end()
        delegate?.linkFailed(error)
    }

    private func writable() {
        switch phase {
        case .connecting: connected()
        case .securing: read()
        case .open:
            flush()
            // TLS may have had to write before it could read on.
            if tls != nil { read() }
        case .closed: break
        }
    }

    private func connected() {
        var status: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(context.pointee.fd, SOL_SOCKET, SO_ERROR, &status, &length)
        guard status == 0 else { return fail(LinkError(reason: String(cString: strerror(status)))) }
        watch?.startReading()
        guard let tls else { return open() }
        phase = .securing
        guard tls.start(on: context) else { return fail(failure()) }
        if tls.wantsToWrite { watch?.awaitWritable() }
    }

    private func open() {
        phase = .open
        delegate?.linkOpened()
    }

    private func flushAtEndOfTurn() {
        guard phase == .open, !flushIsDue else { return }
        flushIsDue = true
        LoopActor.atEndOfTurn { [self] in
            (flushIsDue, appended) = (false, 0)
            flush()
        }
    }

    private func flush() {
        guard phase == .open else { return }
        var done: Int32 = 0
        tls?.forgetErrors()
        guard redisBufferWrite(context, &done) == REDIS_OK else { return fail(afterReading: failure()) }
        flushAwaitsInput = done == 0 && tls?.wantsToRead == true
        // Waiting for room would spin: there is room, but TLS has no use for it yet.
        if done == 0, !flushAwaitsInput { watch?.awaitWritable() }
    }

    /// Gives up writing, but not what came before the end of the connection: it may say why it ended.
    private func fail(afterReading error: LinkError) {
        flushAwaitsInput = false
        context.pointee.err = 0
        read()
        fail(error)
    }

    private func read() {
        guard phase == .securing || phase == .open else { return }
        isReading = true
        var error: LinkError?
        var isDrained = false
        for _ in 0..<Self.readsPerTurn {
            let before = context.pointee.reader.pointee.len
            tls?.forgetErrors()
            guard redisBufferRead(context) == REDIS_OK else {
                error = failure()
                break
            }
            let count = context.pointee.reader.pointee.len - before
            if count > 0 { hasReceived = true }
            // The handshake continues inside the reads.
            if phase == .securing, tls?.isEstablished == true { open() }
            error = error ?? deliver()
            // A read gives at most one TLS record, so that a short one says nothing about what follows.
            isDrained = tls == nil ? count < Self.readSize : count == 0
            if isDrained || phase == .closed || error != nil { break }
        }
        // What came before the end of the connection still counts.
        if phase != .closed, let end = error { error = deliver() ?? end }
        isReading = false
        if phase == .closed {
            redisFree(context)
        } else if let error {
            fail(error)
        } else if let tls {
            follow(tls, isDrained: isDrained)
        }
    }

    /// Does what TLS may still want after a turn's reads.
    private func follow(_ tls: TLSSession, isDrained: Bool) {
        if isDrained {
            if tls.wantsToWrite { watch?.awaitWritable() }
        } else if tls.holdsBytes {
            // The socket does not announce again what TLS has already taken from it.
            Task { read() }
        }
        if flushAwaitsInput { flush() }
    }

    /// Hands on every whole reply; returns the reason when the bytes are not Redis's protocol.
    private func deliver() -> LinkError? {
        while phase != .closed {
            var pointer: UnsafeMutableRawPointer?
            guard redisGetReplyFromReader(context, &pointer) == REDIS_OK else { return failure() }
            guard let reply = RedisReply(pointer) else { return nil }
            delegate?.linkReceived(reply)
        }
        return nil
    }

    /// Why the last call of hiredis failed.
    private func failure() -> LinkError {
        let reason = Self.reason(context)
        return tls?.failure(reason) ?? LinkError(reason: reason)
    }

    private static func reason(_ context: UnsafeMutablePointer<redisContext>) -> String {
        withUnsafeBytes(of: &context.pointee.errstr) { text in
            String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
