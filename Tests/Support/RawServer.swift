import CThread
import Files
import Synchronization

/// A server whose connections say exactly what a test writes: for peers that no proper server imitates.
///
/// It listens on 127.0.0.1; each connection is served by the closure on a thread of its own, and closed when that returns.
public final class RawServer: Sendable {
    /// One client's connection. Only the thread that serves it uses it.
    public struct Connection {
        let descriptor: Int32

        /// Reads a request's head; nil when the client has gone.
        @discardableResult
        public func readHead() -> String? {
            var head: [UInt8] = []
            var byte: UInt8 = 0
            while !head.suffix(4).elementsEqual([13, 10, 13, 10]) {
                guard read(descriptor, &byte, 1) == 1 else { return nil }
                head.append(byte)
            }
            return String(decoding: head, as: UTF8.self)
        }

        /// Waits for what the client sends next, up to 64 KiB at a time; nil when it has gone.
        public func readNext() -> [UInt8]? {
            var buffer = [UInt8](repeating: 0, count: 64 << 10)
            let count = read(descriptor, &buffer, buffer.count)
            return count > 0 ? Array(buffer[..<count]) : nil
        }

        /// Returns whether the client has taken it.
        @discardableResult
        public func write(_ bytes: [UInt8]) -> Bool {
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }

        @discardableResult
        public func write(_ text: String) -> Bool { write(Array(text.utf8)) }

        /// Waits for that many milliseconds, or until the client closes: the pace of a slow server.
        ///
        /// - Returns: Whether the time is over, and the client there.
        @discardableResult
        public func pace(_ milliseconds: Int32) -> Bool {
            var gone = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            return poll(&gone, 1, milliseconds) == 0
        }

        /// Waits until the client closes.
        public func waitForClose() {
            var buffer = [UInt8](repeating: 0, count: 4096)
            while read(descriptor, &buffer, buffer.count) > 0 {}
        }

        /// Makes the end of the connection a reset.
        public func reset() {
            var option = linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        }
    }

    public let port: UInt16
    private let listener: Int32
    private let accepted = Atomic(0)

    /// The number of connections so far.
    public var connections: Int { accepted.load(ordering: .acquiring) }

    /// Starts a server, or returns nil where the machine has no socket left.
    public init?(_ serve: @escaping @Sendable (Connection) -> Void) {
        guard let (listener, port) = LoopbackPort.bound(streamSocket), listen(listener, 512) == 0 else { return nil }
        (self.listener, self.port) = (listener, port)
        Self.thread { [weak self] in
            while true {
                let descriptor = accept(listener, nil, nil)
                guard descriptor >= 0 else { break }
                self?.accepted.add(1, ordering: .releasing)
                Self.thread {
                    serve(Connection(descriptor: descriptor))
                    close(descriptor)
                }
            }
            close(listener)
        }
    }

    deinit {
        // Ends `accept`; the thread closes it.
        shutdown(listener, Int32(SHUT_RDWR))
    }

    /// The whole URL of a path.
    public func url(_ path: String = "/a.jpg") -> String { "http://127.0.0.1:\(port)\(path)" }

    private static func thread(_ body: @escaping @Sendable () -> Void) {
        final class Work: Sendable {
            let body: @Sendable () -> Void
            init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        }
        let work = Unmanaged.passRetained(Work(body))
        let status = start_thread(
            "raw server", 0, { Unmanaged<Work>.fromOpaque($0).takeRetainedValue().body() }, work.toOpaque())
        precondition(status == 0, "there is no thread")
    }
}
