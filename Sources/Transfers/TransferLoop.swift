import CCurl
import EventLoop

/// Runs libcurl's transfers on the loop, without blocking it: libcurl says which sockets and times it waits for, and is told when
/// they come (<https://curl.se/libcurl/c/curl_multi_socket_action.html>).
@LoopActor
final class TransferLoop {
    static let shared = TransferLoop()

    private let multi: OpaquePointer
    private var watches: [curl_socket_t: SocketWatch] = [:]
    private var pending: [UnsafeMutableRawPointer: LoopContinuation<CURLcode>] = [:]
    private lazy var timer = LoopTimer { [weak self] in self?.act(on: CURL_SOCKET_TIMEOUT, 0) }

    private init() {
        guard curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK, let multi = curl_multi_init() else {
            preconditionFailure("libcurl cannot be started on this machine")
        }
        self.multi = OpaquePointer(multi)
        let status = transfers_set_loop(
            multi,
            { _, socket, what, context, _ in
                guard let context else { return 0 }
                let loop = Unmanaged<TransferLoop>.fromOpaque(context).takeUnretainedValue()
                LoopActor.assumeIsolated { loop.watch(socket, for: what) }
                return 0
            },
            { _, milliseconds, context in
                guard let context else { return 0 }
                let loop = Unmanaged<TransferLoop>.fromOpaque(context).takeUnretainedValue()
                LoopActor.assumeIsolated { loop.wait(milliseconds) }
                return 0
            },
            // The loop lives as long as the process.
            Unmanaged.passUnretained(self).toOpaque()
        )
        precondition(status == CURLM_OK, "libcurl does not take the loop's callbacks")
    }

    /// Runs one transfer to its end, or until `timeout` is over.
    ///
    /// libcurl 7.88 forgets a timeout of its own when anything happens in the last millisecond before it, and the transfer then
    /// never ends.
    func run(_ handle: UnsafeMutableRawPointer, atMost timeout: Duration) async -> CURLcode {
        let guardian = LoopTimer { [weak self] in self?.end(handle, CURLE_OPERATION_TIMEDOUT) }
        guardian.start(after: timeout)
        defer { guardian.cancel() }
        return await LoopActor.suspend { continuation in
            guard curl_multi_add_handle(UnsafeMutableRawPointer(multi), handle) == CURLM_OK else {
                return continuation.resume(returning: CURLE_FAILED_INIT)
            }
            pending[handle] = continuation
        }
    }

    private func watch(_ socket: curl_socket_t, for what: Int32) {
        guard what != CURL_POLL_REMOVE else {
            watches.removeValue(forKey: socket)?.cancel()
            return
        }
        let watch =
            watches[socket]
            ?? SocketWatch(socket) { [weak self] ready in self?.act(on: socket, ready) }
        watches[socket] = watch
        watch.await(what)
    }

    private func wait(_ milliseconds: Int) {
        guard milliseconds >= 0 else { return timer.stop() }
        // The loop's clock is some milliseconds behind libcurl's, which must not be woken before its time.
        timer.start(after: .milliseconds(milliseconds == 0 ? 0 : milliseconds + 5))
    }

    private func act(on socket: curl_socket_t, _ ready: Int32) {
        var running: Int32 = 0
        curl_multi_socket_action(UnsafeMutableRawPointer(multi), socket, ready, &running)
        var left: Int32 = 0
        while let message = curl_multi_info_read(UnsafeMutableRawPointer(multi), &left)?.pointee {
            guard message.msg == CURLMSG_DONE, let handle = message.easy_handle else { continue }
            end(handle, message.data.result)
        }
    }

    private func end(_ handle: UnsafeMutableRawPointer, _ code: CURLcode) {
        curl_multi_remove_handle(UnsafeMutableRawPointer(multi), handle)
        pending.removeValue(forKey: handle)?.resume(returning: code)
    }
}

/// One socket that libcurl waits for, until it says otherwise.
@LoopActor
private final class SocketWatch {
    private var watch: DescriptorWatch?
    private var awaited: Int32 = 0

    init(_ socket: curl_socket_t, _ ready: @escaping @LoopActor (Int32) -> Void) {
        watch = DescriptorWatch(
            socket,
            onReadable: { ready(CURL_CSELECT_IN) },
            onWritable: { [weak self] in
                guard let self, awaited & CURL_POLL_OUT != 0 else { return }
                ready(CURL_CSELECT_OUT)
                // libcurl says nothing when it goes on waiting for the same.
                if awaited & CURL_POLL_OUT != 0 { self.watch?.awaitWritable() }
            }
        )
    }

    func await(_ what: Int32) {
        awaited = what
        if what & CURL_POLL_IN != 0 { watch?.startReading() } else { watch?.stopReading() }
        if what & CURL_POLL_OUT != 0 { watch?.awaitWritable() }
    }

    func cancel() {
        awaited = 0
        watch?.cancel()
        watch = nil
    }
}
