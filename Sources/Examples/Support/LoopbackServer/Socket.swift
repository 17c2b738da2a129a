import CLibrary

/// The system calls on sockets, with the differences between systems in this one place. A descriptor belongs to whoever
/// made or accepted it, and to one thread.
enum Socket {
    /// What came of an attempt to send or receive.
    enum Outcome: Equatable {
        case bytes(Int)
        /// Nothing to be done now: ask `poll`.
        case wouldBlock
        /// The other side has closed or reset the connection.
        case closed
    }

    /// A socket that listens on 127.0.0.1, on a port that the system chooses.
    static func listener() throws(LoopbackServerError) -> (descriptor: Int32, port: UInt16) {
        let descriptor = socket(AF_INET, streamSocket, 0)
        guard descriptor >= 0 else { throw LoopbackServerError(call: "socket", code: errno) }
        do throws(LoopbackServerError) {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
            let size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let bound = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
            }
            guard bound == 0 else { throw LoopbackServerError(call: "bind", code: errno) }
            guard listen(descriptor, 256) == 0 else { throw LoopbackServerError(call: "listen", code: errno) }
            var length = size
            let named = withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
            }
            guard named == 0 else { throw LoopbackServerError(call: "getsockname", code: errno) }
            prepare(descriptor)
            return (descriptor, UInt16(bigEndian: address.sin_port))
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// A pipe whose ends never block: what is written to `writer` wakes a `poll` on `reader`.
    static func wakePipe() throws(LoopbackServerError) -> (reader: Int32, writer: Int32) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw LoopbackServerError(call: "pipe", code: errno) }
        ends.forEach(prepare)
        return (ends[0], ends[1])
    }

    /// A waiting connection, or `nil`; then `errno` says why.
    static func accept(from listener: Int32, sendBuffer: Int?) -> Int32? {
        let descriptor = CLibrary.accept(listener, nil, nil)
        guard descriptor >= 0 else { return nil }
        prepare(descriptor)
        set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, Int32(1))
        #if canImport(Darwin)
            set(descriptor, SOL_SOCKET, SO_NOSIGPIPE, Int32(1))
        #endif
        if let sendBuffer { set(descriptor, SOL_SOCKET, SO_SNDBUF, Int32(clamping: sendBuffer)) }
        return descriptor
    }

    static func send(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Outcome {
        #if canImport(Darwin)
            let flags: Int32 = 0
        #else
            let flags = Int32(MSG_NOSIGNAL)
        #endif
        let count = bytes.withUnsafeBytes { CLibrary.send(descriptor, $0.baseAddress, $0.count, flags) }
        return outcome(count)
    }

    /// Receives into `buffer`; `.closed` at the end of the stream, too.
    static func receive(into buffer: inout [UInt8], from descriptor: Int32) -> Outcome {
        let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
        return count == 0 ? .closed : outcome(count)
    }

    /// Makes the coming `close` a reset: what waits to be sent is thrown away.
    static func setReset(_ descriptor: Int32) {
        set(descriptor, SOL_SOCKET, SO_LINGER, linger(l_onoff: 1, l_linger: 0))
    }

    static func close(_ descriptor: Int32) {
        _ = CLibrary.close(descriptor)
    }

    private static func outcome(_ count: Int) -> Outcome {
        if count >= 0 { return .bytes(count) }
        return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? .wouldBlock : .closed
    }

    private static func prepare(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    private static func set<Value: BitwiseCopyable>(_ descriptor: Int32, _ level: Int32, _ name: Int32, _ value: Value)
    {
        withUnsafeBytes(of: value) {
            _ = setsockopt(descriptor, level, name, $0.baseAddress, socklen_t($0.count))
        }
    }
}
