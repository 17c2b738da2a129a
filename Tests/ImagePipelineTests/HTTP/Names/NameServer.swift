import Files
import Synchronization
import TestSupport

@testable import ImagePipeline

/// A name server of a test's own on a free loopback port. It knows some names, says of those below `.none` that there are none, and is
/// silent about all others.
final class NameServer: Sendable {
    let server: NameServices.Server
    private let names: [String: [String]]
    private let seen = Mutex<(questions: [String], ports: Set<UInt16>)>(([], []))

    init?(_ names: [String: [String]]) {
        self.names = names
        guard let loopback = IPAddress("127.0.0.1"), let (descriptor, port) = LoopbackPort.bound(datagramSocket) else {
            return nil
        }
        server = NameServices.Server(address: loopback, port: port)
        // The thread holds no more than it needs, so that the server goes with its test.
        let answer: @Sendable ([UInt8], UInt16) -> [UInt8]? = { [weak self] in self?.answer($0, from: $1) }
        guard DetachedThread.start("NameServer", { Self.serve(descriptor, answer) }) else {
            close(descriptor)
            return nil
        }
    }

    deinit {
        // An empty datagram to itself ends the thread, which closes the descriptor.
        guard let socket = DatagramSocket(to: server) else { return }
        _ = socket.send([])
    }

    /// The names that were asked for, once for each question.
    var questions: [String] { seen.withLock { $0.questions } }
    /// The number of sockets that have asked.
    var clients: Int { seen.withLock { $0.ports.count } }

    var services: NameServices {
        var services = NameServices(resolver: "", switching: "")
        services.servers = [server]
        return services
    }

    private func answer(_ question: [UInt8], from port: UInt16) -> [UInt8]? {
        let name = DNSAnswer.name(in: question)
        seen.withLock { seen in
            seen.questions.append(name)
            seen.ports.insert(port)
        }
        if name.hasSuffix(".none") { return DNSAnswer.bytes(to: question, code: 3) }
        return names[name].map { DNSAnswer.bytes(to: question, $0) }
    }

    private static func serve(_ descriptor: Int32, _ answer: ([UInt8], UInt16) -> [UInt8]?) {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            var client = sockaddr_in()
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            withUnsafeMutablePointer(to: &client) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { client in
                    let count = recvfrom(descriptor, &buffer, buffer.count, 0, client, &length)
                    guard count > 0 else {
                        length = 0
                        return
                    }
                    let port = client.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { $0.pointee.sin_port }
                    guard let bytes = answer(Array(buffer[..<count]), port) else { return }
                    _ = sendto(descriptor, bytes, bytes.count, 0, client, length)
                }
            }
            if length == 0 { break }
        }
        close(descriptor)
    }
}

/// Answers as a name server writes them.
enum DNSAnswer {
    /// The name that a question is for.
    static func name(in question: [UInt8]) -> String {
        var (labels, place) = ([String](), 12)
        while place < question.count, question[place] > 0 {
            let end = min(question.count, place + 1 + Int(question[place]))
            labels.append(String(decoding: question[(place + 1)..<end], as: UTF8.self))
            place = end
        }
        return labels.joined(separator: ".")
    }

    /// The answer to a question: those of the addresses that are of its kind, behind a name that the asked one stands for.
    static func bytes(to question: [UInt8], _ addresses: [String] = [], code: UInt8 = 0, isCut: Bool = false) -> [UInt8]
    {
        let end = 12 + name(in: question).utf8.count + 2 + 4
        let kind = question[end - 3]
        let matching = addresses.compactMap { IPAddress($0) }.filter { $0.isVersion6 == (kind == 28) }
        var bytes = Array(question[..<end])
        bytes[2] = 0x81 | (isCut ? 2 : 0)
        bytes[3] = 0x80 | code
        bytes[7] = UInt8(matching.count + 1)
        bytes[11] = 0
        // An alias, whose name is that of the question.
        bytes += [0xc0, 12, 0, 5, 0, 1, 0, 0, 0, 9, 0, 2, 0xc0, 12]
        for address in matching {
            bytes += [0xc0, 12, 0, kind, 0, 1, 0, 0, 0, 9, 0, UInt8(address.bytes.count)] + address.bytes
        }
        return bytes
    }
}
