import CLibrary
import Files

/// Ports of this machine, for servers that a test starts.
package enum LoopbackPort {
    /// Returns a TCP port that nobody listens on; nil where the system has none.
    package static func free() -> UInt16? {
        guard let (descriptor, port) = bound(streamSocket) else { return nil }
        close(descriptor)
        return port
    }

    /// Opens a socket on a free port; nil where the system has none. The caller closes the descriptor.
    ///
    /// - Parameter type: That of the socket.
    package static func bound(_ type: Int32) -> (descriptor: Int32, port: UInt16)? {
        let descriptor = socket(AF_INET, type, 0)
        var address = loopback(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 ? getsockname(descriptor, $0, &length) : -1
            }
        }
        if status == 0 { return (descriptor, UInt16(bigEndian: address.sin_port)) }
        close(descriptor)
        return nil
    }

    /// Returns a Boolean value that indicates whether a server accepts connections on a port.
    package static func accepts(_ port: UInt16) -> Bool {
        guard let client = connection(to: port) else { return false }
        close(client)
        return true
    }

    /// Connects to a server; nil where there is none. The caller closes the descriptor.
    static func connection(to port: UInt16) -> Int32? {
        let client = socket(AF_INET, streamSocket, 0)
        let address = loopback(port)
        let isConnected = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        if !isConnected { close(client) }
        return isConnected ? client : nil
    }

    private static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        return address
    }
}
