import CLibrary

/// One client's connection, as the server's thread drives it: reads requests, carries out the steps of the answers.
/// Owned by that thread, like the descriptor, which it closes.
final class Connection {
    /// The most bytes in one `send`: small enough that many connections share the thread fairly.
    private static let piece = 64 * 1024

    let descriptor: Int32
    /// Whether the descriptor is closed, so that the connection can be forgotten.
    private(set) var isClosed = false
    /// Whether `poll` should say when the system takes more bytes.
    private(set) var awaitsSpace = false
    /// When to come back even if `poll` has nothing to say.
    private(set) var wakeAt: ContinuousClock.Instant?

    private let core: ServerCore
    private let number: Int
    private var parser = RequestParser()
    private var exchange: Exchange?

    init(descriptor: Int32, core: ServerCore) {
        self.descriptor = descriptor
        self.core = core
        number = core.log.opened()
    }

    /// Reads what has come. The end of the stream ends the connection, even if an answer is under way: a client that
    /// has lost interest is what this server is there to see.
    func receive(into buffer: inout [UInt8]) {
        switch Socket.receive(into: &buffer, from: descriptor) {
        case .bytes(let count):
            parser.append(buffer[..<count])
            if exchange != nil, parser.count > RequestParser.limit { end(.refused) }
        case .wouldBlock: break
        case .closed: end(.clientClosed)
        }
    }

    /// Goes as far as it can without blocking.
    func advance(at now: ContinuousClock.Instant) {
        awaitsSpace = false
        wakeAt = nil
        while !isClosed {
            guard let step = exchange?.step else {
                finishExchange()
                guard !isClosed, beginExchange() else { return }
                continue
            }
            guard take(step, at: now) else { return }
        }
    }

    /// Ends the answer under way, if any, and the connection.
    func end(_ ending: RequestEnding) {
        guard !isClosed else { return }
        isClosed = true
        Socket.close(descriptor)
        if let exchange { core.log.update(exchange.id) { $0.finish(ending) } }
        core.log.closed()
    }

    private func finishExchange() {
        guard let exchange else { return }
        core.log.update(exchange.id) { $0.finish(.complete) }
        self.exchange = nil
    }

    /// Whether a request was there to be answered.
    private func beginExchange() -> Bool {
        let request: Request
        let reply: Reply
        switch parser.next() {
        case .incomplete: return false
        case .refused(let status):
            request = Request(method: "", target: "", headers: [Header("Connection", "close")])
            reply = .status(status)
        case .request(let parsed):
            request = parsed
            reply = ConditionalReply.adjusted(core.reply(to: parsed), for: parsed)
        }
        let id = core.log.arrived(request, connection: number, status: reply.status)
        let script = ReplyScript(reply, to: request, date: HTTPDate.text(secondsSince1970: time(nil)))
        exchange = Exchange(id: id, path: request.path, script: script)
        return true
    }

    /// Whether there may be more to do at once.
    private func take(_ step: ReplyScript.Step, at now: ContinuousClock.Instant) -> Bool {
        switch step {
        case .head(let bytes), .framing(let bytes): return send(bytes[...], isBody: false, at: now)
        case .body(let bytes): return send(bytes, isBody: true, at: now)
        case .pace(let rate):
            exchange?.pacer = rate.map { Pacer(bytesPerSecond: $0, start: now) }
            exchange?.nextStep()
        case .stall:
            guard let exchange else { return false }
            let isReleased = core.isReleased(exchange.path)
            core.log.update(exchange.id) { $0.isStalled = !isReleased }
            guard isReleased else { return false }
            self.exchange?.nextStep()
        case .close(let ending):
            shutdown(descriptor, Int32(SHUT_WR))
            end(ending)
        case .reset:
            Socket.setReset(descriptor)
            end(.fault)
        }
        return true
    }

    private func send(_ bytes: ArraySlice<UInt8>, isBody: Bool, at now: ContinuousClock.Instant) -> Bool {
        guard let exchange else { return false }
        var piece = exchange.rest(of: bytes).prefix(Self.piece)
        if let pacer = exchange.pacer {
            piece = piece.prefix(pacer.allowance(at: now))
            if piece.isEmpty, !bytes.isEmpty {
                wakeAt = pacer.nextAllowance(after: now)
                return false
            }
        }
        switch Socket.send(piece, to: descriptor) {
        case .bytes(let count):
            self.exchange?.sent(count, of: bytes)
            if isBody { core.log.update(exchange.id) { $0.bodyBytesSent += count } }
            return true
        case .wouldBlock:
            awaitsSpace = true
            return false
        case .closed:
            end(.clientClosed)
            return false
        }
    }
}

extension LoggedRequest {
    fileprivate mutating func finish(_ ending: RequestEnding) {
        self.ending = ending
        isStalled = false
    }
}
