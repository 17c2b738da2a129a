import Glibc
import ImagePipeline
import LoopbackServer
import Streams
import Synchronization

/// 2,000 loads that are cancelled after 0 to 5 ms, five times: what they held is given back, and the server sees the close.
struct CancelStorm {
    /// Whether the time until the server sees a close is judged.
    let isTimed: Bool

    private static let rounds = 5
    private static let loads = 2_000

    /// - Returns: Whether nothing is left, and 99 of 100 closes were seen within 10 ms if that is judged.
    func run() throws -> Bool {
        let listener = try CloseListener()
        var options = TransportOptions()
        options.transfersPerHost = options.transfers
        options.proxy = .none
        let source = HTTPSource(CurlTransport(options))
        var idle: Holdings?
        var delays: [Duration] = []
        for _ in 0..<Self.rounds {
            var cancels: [Int: ContinuousClock.Instant] = [:]
            for batch in 0..<Self.loads / 200 {
                let loads = (0..<200).map { number in
                    source.events(for: ImageRequest(.url(listener.url(batch * 200 + number)))).sink(
                        receiveCompletion: { _ in }, receiveValue: { _ in })
                }
                for (number, load) in loads.enumerated() {
                    usleep(UInt32.random(in: 0...50))
                    cancels[batch * 200 + number] = .now
                    load.cancel()
                }
            }
            let closes = listener.takeCloses()
            delays += closes.compactMap { number, time in cancels[number].map { time - $0 } }.filter { $0 > .zero }
            let holdings = Holdings.now()
            say("storm: \(closes.count) closes, \(holdings)")
            idle = idle ?? holdings
            if let idle,
                holdings.descriptors > idle.descriptors + 4 || holdings.threads > idle.threads + 2
                    || holdings.megabytes > idle.megabytes + 8
            {
                say("storm: something is left")
                return false
            }
        }
        delays.sort()
        guard let worst = delays.dropLast(delays.count / 100).last else { throw SoakError("no load was under way") }
        say("storm: of \(delays.count) cancels the server saw 99 % within \(worst)")
        return !isTimed || worst <= .milliseconds(10)
    }
}

/// A server of one thread that answers with the beginning of a body and notes when a client closes.
private final class CloseListener: Sendable {
    private let port: UInt16
    private let state = Mutex((closes: [Int: ContinuousClock.Instant](), open: 0))

    init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 1_024) == 0
                    ? getsockname(listener, $0, &length) : -1
            }
        }
        guard status == 0 else { throw SoakError("no port is free") }
        port = UInt16(bigEndian: address.sin_port)
        ThreadPoolScheduler(width: 1).schedule { [self] in serve(listener) }
    }

    func url(_ number: Int) -> String { "http://127.0.0.1:\(port)/\(number)" }

    /// The moments of the closes, once every connection is closed.
    func takeCloses() -> [Int: ContinuousClock.Instant] {
        // A moment for what is being cancelled, and then until none is open.
        repeat { usleep(20_000) } while state.withLock { $0.open > 0 }
        return state.withLock { state in
            defer { state.closes = [:] }
            return state.closes
        }
    }

    private func serve(_ listener: Int32) {
        var polled = [pollfd(fd: listener, events: Int16(POLLIN), revents: 0)]
        var numbers: [Int32: Int] = [:]
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\nx".utf8)
        while poll(&polled, nfds_t(polled.count), -1) > 0 {
            for entry in polled where entry.revents != 0 {
                if entry.fd == listener {
                    let client = accept(listener, nil, nil)
                    if client >= 0 { polled.append(pollfd(fd: client, events: Int16(POLLIN), revents: 0)) }
                    state.withLock { $0.open += client >= 0 ? 1 : 0 }
                    continue
                }
                let count = read(entry.fd, &buffer, buffer.count)
                if count > 0 {
                    let words = String(decoding: buffer[..<count], as: UTF8.self).split(separator: " ")
                    numbers[entry.fd] = words.count > 1 ? Int(words[1].dropFirst()) : nil
                    _ = send(entry.fd, answer, answer.count, Int32(MSG_NOSIGNAL))
                } else {
                    let number = numbers.removeValue(forKey: entry.fd)
                    state.withLock { state in
                        state.open -= 1
                        if let number { state.closes[number] = .now }
                    }
                    close(entry.fd)
                    polled.removeAll { $0.fd == entry.fd }
                }
            }
            for index in polled.indices { polled[index].revents = 0 }
        }
    }
}
