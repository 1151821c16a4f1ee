import CCurl
import EventLoop

/// One transfer of libcurl, and the memory that it points to until it has ended.
@LoopActor
final class EasyHandle {
    private let handle: UnsafeMutableRawPointer
    private let reason = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    private var lists: [UnsafeMutablePointer<curl_slist>] = []

    init() throws(TransferError) {
        // Before any handle: it starts libcurl.
        _ = TransferLoop.shared
        guard let handle = curl_easy_init() else { throw .refused("there is no memory for it") }
        self.handle = handle
        reason.pointee = 0
        try set(CURLOPT_NOSIGNAL, 1)
        transfer_set_reason(handle, reason)
    }

    isolated deinit {
        curl_easy_cleanup(handle)
        for list in lists { curl_slist_free_all(list) }
        reason.deallocate()
    }

    func set(_ option: CURLoption, _ text: String) throws(TransferError) {
        // In C, a string ends at its first zero byte.
        guard !text.utf8.contains(0) else { throw .refused("it holds a zero byte") }
        try check(transfer_set_text(handle, option, text))
    }

    func set(_ option: CURLoption, _ number: Int) throws(TransferError) {
        try check(transfer_set_number(handle, option, number))
    }

    func set(body: [UInt8]) throws(TransferError) { try check(transfer_set_body(handle, body, body.count)) }

    func set(fields: [(name: String, value: String)]) throws(TransferError) {
        try set(CURLOPT_HTTPHEADER, list: fields.map { "\($0.name): \($0.value)" })
    }

    func set(_ option: CURLoption, list texts: [String]) throws(TransferError) {
        var list: UnsafeMutablePointer<curl_slist>?
        for text in texts {
            guard !text.utf8.contains(where: { $0 < 0x20 }) else { throw .refused("a field holds a control character") }
            guard let longer = curl_slist_append(list, text) else { throw .refused("there is no memory for it") }
            list = longer
        }
        guard let list else { return }
        lists.append(list)
        try check(transfer_set_list(handle, option, list))
    }

    func number(_ info: CURLINFO) -> Int {
        var number = 0
        transfer_get_number(handle, info, &number)
        return number
    }

    /// Runs the transfer, and then `body`.
    func run<Result>(
        into received: Received,
        atMost timeout: Duration,
        _ body: (EasyHandle) -> Result
    ) async throws(TransferError) -> Result {
        transfer_set_receiver(
            handle,
            { bytes, size, count, context in
                guard let bytes, let context else { return 0 }
                let received = Unmanaged<Received>.fromOpaque(context).takeUnretainedValue()
                // One byte less than was offered tells libcurl to stop.
                return LoopActor.assumeIsolated { received.take(bytes, size * count) } ? size * count : 0
            },
            Unmanaged.passUnretained(received).toOpaque()
        )
        let code = await TransferLoop.shared.run(handle, atMost: timeout)
        let isWhole = withExtendedLifetime(received) { !received.isTooLong }
        guard isWhole else { throw .tooLong(most: received.most) }
        guard code != CURLE_OPERATION_TIMEDOUT else {
            throw .failed("it timed out after \(Int(timeout / .milliseconds(1))) ms")
        }
        guard code == CURLE_OK else {
            let detail = String(cString: reason)
            throw .failed(detail.isEmpty ? String(cString: curl_easy_strerror(code)) : detail)
        }
        return body(self)
    }

    private func check(_ code: CURLcode) throws(TransferError) {
        guard code == CURLE_OK else { throw .refused(String(cString: curl_easy_strerror(code))) }
    }
}

/// What has come of an answer.
@LoopActor
final class Received {
    let most: Int
    private(set) var bytes: [UInt8] = []
    private(set) var isTooLong = false

    init(_ most: Int) { self.most = most }

    func take(_ start: UnsafePointer<CChar>, _ count: Int) -> Bool {
        guard bytes.count + count <= most else {
            isTooLong = true
            return false
        }
        start.withMemoryRebound(to: UInt8.self, capacity: count) {
            bytes.append(contentsOf: UnsafeBufferPointer(start: $0, count: count))
        }
        return true
    }
}
