import Files
import Synchronization

/// A way to a server of this machine that a test can make slow, in the middle of what the server is sending.
package final class Relay: Sendable {
    private final class Pace: Sendable {
        let isSlow = Atomic(false)
    }

    private let listener: RawServer
    private let pace: Pace

    /// The port that leads to the server.
    package var port: Int { Int(listener.port) }

    /// The number of clients so far.
    package var connections: Int { listener.connections }

    /// A Boolean value that indicates whether the server's bytes come one by one, fifty a second.
    package var isSlow: Bool {
        get { pace.isSlow.load(ordering: .acquiring) }
        set { pace.isSlow.store(newValue, ordering: .releasing) }
    }

    /// Begins to listen; nil where the machine has no socket left.
    ///
    /// - Parameters:
    ///   - port: The port of the server.
    ///   - admit: Whether a client is led there; asked before anything is passed on.
    package init?(to port: Int, admit: @escaping @Sendable (RawServer.Connection) -> Bool = { _ in true }) {
        let pace = Pace()
        let listener = RawServer { client in
            guard admit(client), let server = LoopbackPort.connection(to: UInt16(clamping: port)) else { return }
            while Self.pass(between: client, and: server, pace) {}
            close(server)
        }
        guard let listener else { return nil }
        (self.listener, self.pace) = (listener, pace)
    }

    /// Waits until one side has sent something, and passes it on.
    ///
    /// - Returns: False at the end of either side.
    private static func pass(between client: RawServer.Connection, and server: Int32, _ pace: Pace) -> Bool {
        var ends = [client.descriptor, server].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        guard poll(&ends, 2, -1) > 0 else { return false }
        if ends[0].revents != 0 {
            guard let bytes = read(from: client.descriptor, 65_536) else { return false }
            return (try? bytes.withUnsafeBytes { try writeAll($0, to: server) }) != nil
        }
        let isSlow = pace.isSlow.load(ordering: .acquiring)
        guard let bytes = read(from: server, isSlow ? 1 : 65_536) else { return false }
        if isSlow { client.pace(20) }
        return client.write(bytes)
    }

    private static func read(from descriptor: Int32, _ most: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: most)
        let count = Files.read(descriptor, &bytes, most)
        return count > 0 ? Array(bytes[..<count]) : nil
    }
}
