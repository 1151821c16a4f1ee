package import EventLoop
import Foundation

/// Stands before Redis, or before the port by which the nodes of a cluster speak with each other, and does to the bytes what
/// networks do; it never reorders them.
@LoopActor
package final class TCPProxy {
    /// What becomes of the bytes.
    package enum Mode: Equatable {
        case open
        /// Nothing passes, and nobody is told; what was sent meanwhile passes afterwards.
        case held
        /// One byte at a time.
        case trickle
        /// Everything takes this much longer.
        case delay(Duration)
    }

    /// What connections lead to.
    package enum Target {
        /// A Unix socket.
        case path(String)
        /// A port of the loopback address.
        case port(Int)
    }

    private let descriptor: Int32
    private var watch: DescriptorWatch?
    /// Where new connections lead.
    package var target: Target
    private var pairs: [ObjectIdentifier: Pair] = [:]

    /// How many bytes came while they could not simply pass.
    package fileprivate(set) var hinderedBytes = 0

    package let port: Int
    package var mode = Mode.open { didSet { for pair in pairs.values { pair.modeChanged() } } }

    /// The addresses from which nothing comes through: those of nodes that are parted from the one behind this.
    package var parted: Set<String> = [] {
        didSet { for pair in pairs.values where parted.contains(pair.source) { pair.close() } }
    }

    /// Forwards what arrives at a loopback port.
    package init(port: Int, to target: Target) throws {
        self.target = target
        self.port = port
        descriptor = SocketAddress.newSocket(AF_INET)
        try SocketAddress.loopback(port).listen(descriptor)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        watch = DescriptorWatch(descriptor, onReadable: { [weak self] in self?.accept() }, onWritable: {})
        watch?.startReading()
    }

    /// Ends all connections that are there.
    package func closeConnections() {
        for pair in pairs.values { pair.close() }
    }

    package func close() {
        watch?.cancel()
        watch = nil
        Foundation.close(descriptor)
        for pair in pairs.values { pair.close() }
        pairs = [:]
    }

    /// Closes all connections in the middle of the next reply of each.
    package func cutInTheMiddle() { for pair in pairs.values { pair.cutsNextReply = true } }

    /// From now on nothing passes on the connections that are there, and nobody is told; new ones work.
    package func swallowConnections() { for pair in pairs.values { pair.isSwallowed = true } }

    /// Whether somebody still holds a connection that is swallowed, or to be cut.
    package var holdsBroken: Bool { pairs.values.contains { $0.isSwallowed || $0.cutsNextReply } }

    private func accept() {
        while true {
            let client = Foundation.accept(descriptor, nil, nil)
            guard client >= 0 else { return }
            let inner = TCPConnection(client)
            let source = inner.peer
            guard !parted.contains(source), let outer = try? connect() else {
                inner.close()
                continue
            }
            let pair = Pair(inner, outer, self, source)
            pairs[ObjectIdentifier(pair)] = pair
        }
    }

    private func connect() throws -> TCPConnection {
        switch target {
        case .path(let path): try TCPConnection(path: path)
        case .port(let port): try TCPConnection(port: port)
        }
    }

    fileprivate func forget(_ pair: Pair) { pairs[ObjectIdentifier(pair)] = nil }
}

/// One connection through the proxy.
@LoopActor
private final class Pair {
    private let client: TCPConnection
    private let server: TCPConnection
    private weak var proxy: TCPProxy?
    /// The address of who connected.
    let source: String
    private var toServer: [UInt8] = []
    private var toClient: [UInt8] = []
    private var isTrickling = false
    var cutsNextReply = false
    var isSwallowed = false

    init(_ client: TCPConnection, _ server: TCPConnection, _ proxy: TCPProxy, _ source: String) {
        self.source = source
        self.client = client
        self.server = server
        self.proxy = proxy
        client.onBytes = { [weak self] in self?.arrived($0, fromServer: false) }
        server.onBytes = { [weak self] in self?.arrived($0, fromServer: true) }
        client.onEnd = { [weak self] in self?.close() }
        server.onEnd = { [weak self] in self?.close() }
    }

    func close() {
        client.close()
        server.close()
        proxy?.forget(self)
    }

    func modeChanged() { pass() }

    private func arrived(_ bytes: [UInt8], fromServer: Bool) {
        guard !isSwallowed else { return }
        if fromServer, cutsNextReply {
            client.send(bytes.prefix(bytes.count / 2))
            return close()
        }
        if fromServer { toClient += bytes } else { toServer += bytes }
        if proxy?.mode != .open { proxy?.hinderedBytes += bytes.count }
        guard case .delay(let time) = proxy?.mode else { return pass() }
        Task {
            await LoopTimer.sleep(for: time)
            pass()
        }
    }

    private func pass() {
        switch proxy?.mode {
        case .held, nil: break
        case .trickle: trickle()
        case .open, .delay: sendAll()
        }
    }

    private func sendAll() {
        client.send(toClient)
        server.send(toServer)
        (toClient, toServer) = ([], [])
    }

    /// One byte each way a turn of the loop.
    private func trickle() {
        guard !isTrickling else { return }
        isTrickling = true
        Task {
            while proxy?.mode == .trickle, !toClient.isEmpty || !toServer.isEmpty {
                if !toClient.isEmpty { client.send([toClient.removeFirst()]) }
                if !toServer.isEmpty { server.send([toServer.removeFirst()]) }
                await LoopTimer.sleep(for: .zero)
            }
            isTrickling = false
            if proxy?.mode == .open { sendAll() }
        }
    }
}
