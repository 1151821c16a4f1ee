import EventLoop
import Foundation

/// One connection until it becomes a stream: takes requests in, one after another, and writes their answers.
///
/// A request is handed over only once it is whole and clear, as ``RequestFramer`` sees it, and it has its time as a whole.
/// While it is answered nothing is read, so that a client cannot make the server keep more than one read brings.
@LoopActor
final class HTTPConnection {
    /// What a connection is doing.
    enum Phase { case reading, answering, closed }

    /// Number of the connection in its table.
    let number: Int
    /// The peer's address.
    let remoteAddress: String
    private(set) var phase = Phase.reading
    /// When ``ConnectionTable`` ends it, and where it waits for that.
    var deadline: ContinuousClock.Instant
    var slot: DeadlineWheel<Int>.Slot?

    private weak var table: ConnectionTable?
    private weak var delegate: (any HTTPConnectionDelegate)?
    private let limits: HTTPLimits
    private let descriptor: Int32
    private var watch: DescriptorWatch?
    private var isPaused = false
    private var framer: RequestFramer
    /// Whether the first byte of a request is there.
    private var hasBegun = false
    /// What came behind the request that is being answered.
    private var pipelined: ArraySlice<UInt8> = []
    private var answer = FrameQueue()
    private var kept: KeptTurn?
    private var closesWhenSent = false
    /// Until when a request is expected of a new connection; nil once there was one.
    private var firstRequestDue: ContinuousClock.Instant?

    /// Takes over a connected socket.
    init(
        _ number: Int,
        _ descriptor: Int32,
        from address: String,
        _ table: ConnectionTable,
        _ delegate: (any HTTPConnectionDelegate)?,
        _ limits: HTTPLimits,
        at now: ContinuousClock.Instant
    ) {
        deadline = now + limits.requestTime
        self.number = number
        self.descriptor = descriptor
        remoteAddress = address
        self.table = table
        self.delegate = delegate
        self.limits = limits
        framer = RequestFramer(limits: limits)
        firstRequestDue = now + limits.newTime
        // The watch keeps the connection alive until it is closed or detached.
        watch = DescriptorWatch(descriptor, onReadable: readable, onWritable: flush)
        watch?.startReading()
    }

    /// Whether a request has begun to come in, or is being answered.
    var isBusy: Bool { phase == .answering || hasBegun }

    /// Whether it is so new that its first request may be on its way: a proxy does not send that to another worker any more.
    var isNew: Bool { firstRequestDue.map { ContinuousClock.now < $0 } ?? false }

    /// Sends the response to the request that was passed on, and continues with the next one, or closes.
    func send(_ first: [UInt8], _ second: [UInt8], keeping turn: AnswerTurn? = nil, closes: Bool) {
        guard phase == .answering else { return }
        closesWhenSent = closes
        answer.append(first)
        answer.append(second)
        flush()
        guard let turn, !answer.isEmpty else { return }
        let kept = KeptTurn(
            turn.turn,
            waiting: { [weak self] in self?.answer.bytes ?? 0 },
            onStuck: { [weak self] in self?.close() }
        )
        kept.check(turn.mayGoOn, onNo: { [weak self] in self?.close() })
        self.kept = kept
    }

    /// Drops the connection, with what its client has not taken. Calling it again does nothing.
    func close() {
        let isTaken = answer.isEmpty
        guard let descriptor = detach() else { return }
        if isTaken { Foundation.close(descriptor) } else { SocketReset.close(descriptor) }
    }

    /// Gives the connected socket away, and is of no more use.
    func detach() -> Int32? {
        guard let watch = giveAway() else { return nil }
        watch.cancel()
        return descriptor
    }

    /// Gives the connected socket away together with its watch, which is to be handed over.
    func giveAway() -> DescriptorWatch? {
        guard let watch else { return nil }
        self.watch = nil
        phase = .closed
        answer.removeAll()
        kept = nil
        pipelined = []
        table?.forget(self)
        return watch
    }

    private func readable() {
        // Neither read nor waited for: the loop would report it again and again. Earlier input is handled first.
        guard phase == .reading, pipelined.isEmpty else { return pause() }
        guard let bytes = SocketReader.read(descriptor) else { return close() }
        if !bytes.isEmpty { take(bytes[...]) }
    }

    private func pause() {
        watch?.stopReading()
        isPaused = true
    }

    /// Shows the framer what is new.
    private func take(_ bytes: ArraySlice<UInt8>) {
        do throws(HTTPFault) {
            switch try framer.feed(bytes) {
            case .whole(let unread):
                // An empty slice would keep what it is a slice of.
                if unread > 0 { pipelined = bytes.suffix(unread) }
                try handOver()
            case .more:
                // Most requests come in one piece, and need no time of their own.
                if !hasBegun { table?.schedule(self, after: limits.requestTime) }
                hasBegun = true
                guard framer.wantsContinue else { return }
                framer.wantsContinue = false
                let line = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
                let written = SocketWriter.write(line, to: descriptor)
                // Without it the client continues after a while; half of it would corrupt the response.
                if written != 0, written != line.count { close() }
            }
        } catch {
            delegate?.refuse(self, error)
        }
    }

    private func handOver() throws(HTTPFault) {
        phase = .answering
        firstRequestDue = nil
        table?.schedule(self, after: limits.answerTime)
        guard let head = framer.head else { preconditionFailure("a whole request has a head") }
        let request = try HTTPRequest(head, body: framer.body, from: remoteAddress)
        framer = RequestFramer(limits: limits)
        delegate?.received(request, on: self)
    }

    /// Writes what the socket takes; what it does not take waits until it can be written.
    private func flush() {
        guard phase == .answering else { return }
        if answer.bytes > WritingShare.least { WritingShare.noteMuch() }
        guard answer.write(to: descriptor, atMost: WritingShare.bytes) else { return close() }
        guard answer.isEmpty else { return watch?.awaitWritable() ?? () }
        kept = nil
        guard !closesWhenSent else {
            // With bytes unread, closing would reset the connection, and the client may lose the answer.
            return SocketReader.discard(descriptor) > 0 ? delegate?.endUnread(self) ?? () : close()
        }
        phase = .reading
        hasBegun = false
        table?.schedule(self, after: limits.idleTime)
        if !pipelined.isEmpty {
            LoopActor.atEndOfTurn { [self] in takePipelined() }
        } else if isPaused {
            isPaused = false
            watch?.startReading()
        }
    }

    private func takePipelined() {
        guard phase == .reading else { return }
        let bytes = pipelined
        pipelined = []
        take(bytes)
        if phase == .reading, isPaused {
            isPaused = false
            watch?.startReading()
        }
    }
}
