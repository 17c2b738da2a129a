import Files

/// A socket that exchanges datagrams with one server; the system drops those of others.
final class DatagramSocket: Sendable {
    enum Arrival {
        case message([UInt8])
        /// Nothing is there.
        case nothing
        /// Nobody listens there, so that a datagram did not arrive.
        case refused
    }

    private let descriptor: FileDescriptor

    /// - Returns: nil where there is no way to the server, or no further descriptor.
    init?(to server: NameServices.Server) {
        let isVersion6 = server.address.isVersion6
        let number = socket(isVersion6 ? AF_INET6 : AF_INET, datagramSocket, 0)
        guard number >= 0 else { return nil }
        descriptor = FileDescriptor(owning: number)
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        let port = server.port.bigEndian
        let status: Int32
        if isVersion6 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port
            withUnsafeMutableBytes(of: &address.sin6_addr) { $0.copyBytes(from: server.address.bytes) }
            status = Self.connect(number, &address)
        } else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port
            withUnsafeMutableBytes(of: &address.sin_addr) { $0.copyBytes(from: server.address.bytes) }
            status = Self.connect(number, &address)
        }
        guard status == 0 else { return nil }
    }

    private static func connect<Address>(_ number: Int32, _ address: inout Address) -> Int32 {
        withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Files.connect(number, $0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }

    /// The descriptor, to wait for what arrives.
    var number: Int32 { descriptor.number }

    /// Sends a datagram, or drops it: it may be lost on its way just as well.
    ///
    /// - Returns: Whether the server can be reached, as far as is known.
    func send(_ bytes: [UInt8]) -> Bool {
        let count = bytes.withUnsafeBytes {
            Files.send(descriptor.number, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
        }
        return count >= 0 || [EAGAIN, EWOULDBLOCK, ENOBUFS, EINTR].contains(errno)
    }

    /// Takes the next datagram.
    func receive() -> Arrival {
        while true {
            var code: Int32 = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: DNSMessage.extendedSize) { buffer, filled in
                let count = recv(descriptor.number, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
                if count < 0 { code = errno }
                filled = max(0, count)
            }
            switch code {
            case 0: return .message(bytes)
            case EINTR: continue
            case EAGAIN, EWOULDBLOCK: return .nothing
            default: return .refused
            }
        }
    }
}
