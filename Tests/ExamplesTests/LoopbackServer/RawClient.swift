import CLibrary
import Files

/// A client that sends what it is given and shows what comes, byte by byte: no HTTP library stands between the server
/// and its tests. Blocks; a timeout of the socket is the safety net.
struct RawClient: ~Copyable {
    private struct Failure: Error { let call: String }

    private let descriptor: Int32

    /// - Parameter receiveBuffer: how much the system may take in ahead of `receive`; `nil`: what it thinks best.
    init(port: UInt16, receiveBuffer: Int32? = nil) throws {
        descriptor = socket(AF_INET, streamSocket, 0)
        var limit = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        if var receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
        let descriptor = descriptor
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw Failure(call: "connect") }
    }

    deinit { close(descriptor) }

    func send(_ text: String) throws {
        let bytes = Array(text.utf8)
        guard write(descriptor, bytes, bytes.count) == bytes.count else { throw Failure(call: "write") }
    }

    func get(_ target: String, _ headers: String...) throws {
        try send("GET \(target) HTTP/1.1\r\nHost: x\r\n" + headers.map { $0 + "\r\n" }.joined() + "\r\n")
    }

    /// Up to so many bytes; fewer only where the stream ends. A reset ends it, too.
    func receive(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let read = bytes.withUnsafeMutableBytes {
                recv(descriptor, $0.baseAddress?.advanced(by: filled), count - filled, 0)
            }
            guard read > 0 else { break }
            filled += read
        }
        return Array(bytes[..<filled])
    }

    /// All bytes up to the end of the stream.
    func receiveAll() -> String {
        var all: [UInt8] = []
        while true {
            let more = receive(4096)
            all += more
            if more.count < 4096 { return String(decoding: all, as: UTF8.self) }
        }
    }

    /// A head, with its blank line.
    func receiveHead() -> String {
        var all: [UInt8] = []
        while !all.suffix(4).elementsEqual([13, 10, 13, 10]), case let byte = receive(1), !byte.isEmpty { all += byte }
        return String(decoding: all, as: UTF8.self)
    }

    /// What `recv` says behind what has been received: 0 for an end in good order, `ECONNRESET` for a reset.
    func endOfStream() -> Int32 {
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, 0)
        return count < 0 ? errno : count == 0 ? 0 : -1
    }
}
