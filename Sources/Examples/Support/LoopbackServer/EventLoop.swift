import CLibrary

/// What the server's thread does: one `poll` for the listening socket, the wake pipe and all connections.
final class EventLoop {
    private let core: ServerCore
    private let listener: Int32
    private let sendBuffer: Int?
    private var connections: [Connection] = []
    /// Set while the system has no descriptor for a connection that waits: asked again at once, it would say so for ever.
    private var acceptsAgainAt: ContinuousClock.Instant?
    private var buffer = [UInt8](repeating: 0, count: 16 * 1024)

    init(core: ServerCore, listener: Int32, sendBuffer: Int?) {
        self.core = core
        self.listener = listener
        self.sendBuffer = sendBuffer
    }

    /// Serves until the core is told to stop; then closes everything.
    func run() {
        while !core.isStopping {
            var polled = interests()
            let ready = poll(&polled, nfds_t(polled.count), timeout())
            guard ready >= 0 || errno == EINTR else { break }
            if polled[0].revents != 0 { drainWakePipe() }
            for (connection, interest) in zip(connections, polled.dropFirst(2)) {
                if interest.revents & ~Int16(POLLOUT) != 0 { connection.receive(into: &buffer) }
            }
            if polled[1].revents != 0 { acceptAll() }
            let now = ContinuousClock.now
            if let moment = acceptsAgainAt, moment <= now { acceptsAgainAt = nil }
            for connection in connections where !connection.isClosed { connection.advance(at: now) }
            connections.removeAll { $0.isClosed }
        }
        Socket.close(listener)
        for connection in connections { connection.end(.stopped) }
        core.log.close()
    }

    private func interests() -> [pollfd] {
        // A negative descriptor is passed over.
        let fixed = [core.wakeReader, acceptsAgainAt == nil ? listener : -1].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        return fixed
            + connections.map { connection in
                let events = connection.awaitsSpace ? POLLIN | POLLOUT : POLLIN
                return pollfd(fd: connection.descriptor, events: Int16(events), revents: 0)
            }
    }

    /// Milliseconds until the first connection wants to go on, or connections are accepted again; -1: never.
    private func timeout() -> Int32 {
        guard let next = (connections.map(\.wakeAt) + [acceptsAgainAt]).compactMap({ $0 }).min() else { return -1 }
        let left = ContinuousClock.now.duration(to: next)
        let milliseconds = left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000 + 1
        return Int32(clamping: max(0, milliseconds))
    }

    private func drainWakePipe() {
        while buffer.withUnsafeMutableBytes({ read(core.wakeReader, $0.baseAddress, $0.count) }) > 0 {}
    }

    private func acceptAll() {
        while let descriptor = Socket.accept(from: listener, sendBuffer: sendBuffer) {
            connections.append(Connection(descriptor: descriptor, core: core))
        }
        if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) { acceptsAgainAt = .now + .milliseconds(20) }
    }
}
