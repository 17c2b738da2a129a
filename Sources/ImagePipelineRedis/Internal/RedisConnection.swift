import CHiredis
import Files

/// One connection to a server.
///
/// Unchecked: whoever takes it from the list of idle ones is the only one that uses it, until it is put back; the list's lock orders one
/// use before the next.
final class RedisConnection: @unchecked Sendable {
    private let context: UnsafeMutablePointer<redisContext>
    private let timeLimit: Duration

    init(_ address: RedisAddress, timeLimit: Duration) throws {
        let time = timeval(timeLimit)
        guard let context = redisConnectWithTimeout(address.host, Int32(clamping: address.port), time) else {
            throw RedisError("no memory for a connection")
        }
        self.context = context
        self.timeLimit = timeLimit
        guard context.pointee.err == 0 else { throw failure }
        redisSetTimeout(context, time)
        if let password = address.password {
            let user = address.username.map { [Array($0.utf8)] } ?? []
            _ = try run([Array("AUTH".utf8)] + user + [Array(password.utf8)])
        }
        if address.database != 0 { _ = try run([Array("SELECT".utf8), Array("\(address.database)".utf8)]) }
    }

    deinit {
        redisFree(context)
    }

    /// Whether nothing waits to be read, nor the end: what comes before a command was sent is no answer to it.
    var isQuiet: Bool {
        guard let reader = context.pointee.reader, reader.pointee.pos == reader.pointee.len else { return false }
        return !isReadable(within: .zero)
    }

    /// Sends a command and waits for its answer, for the time limit at most however slowly it comes.
    func run(_ words: [[UInt8]]) throws -> RedisReply {
        let end = ContinuousClock.now + timeLimit
        try send(words, until: end)
        let answer = try receive(until: end)
        defer { freeReplyObject(answer) }
        let reply = answer.assumingMemoryBound(to: redisReply.self).pointee
        switch reply.type {
        case REDIS_REPLY_STATUS: return .status(String(decoding: Self.bytes(of: reply), as: UTF8.self))
        case REDIS_REPLY_INTEGER: return .integer(Int(reply.integer))
        case REDIS_REPLY_STRING: return .bytes(Self.bytes(of: reply))
        case REDIS_REPLY_ERROR: throw RedisError(answered: String(decoding: Self.bytes(of: reply), as: UTF8.self))
        default: return .none
        }
    }

    private func send(_ words: [[UInt8]], until end: ContinuousClock.Instant) throws {
        let lengths = words.map(\.count)
        let all = words.flatMap { $0 }
        let status = all.withUnsafeBufferPointer { buffer in
            // An empty word has to stand somewhere, too.
            let empty: [CChar] = [0]
            return empty.withUnsafeBufferPointer { nothing in
                var offset = 0
                var starts: [UnsafePointer<CChar>?] = lengths.map { length in
                    defer { offset += length }
                    guard let base = buffer.baseAddress else { return nothing.baseAddress }
                    return UnsafeRawPointer(base + offset).assumingMemoryBound(to: CChar.self)
                }
                return redisAppendCommandArgv(context, Int32(words.count), &starts, lengths)
            }
        }
        guard status == REDIS_OK else { throw failure }
        var isSent: Int32 = 0
        while isSent == 0 {
            guard ContinuousClock.now < end else { throw RedisError.late }
            guard withoutPipeSignal({ redisBufferWrite(context, &isSent) }) == REDIS_OK else { throw failure }
        }
    }

    private func receive(until end: ContinuousClock.Instant) throws -> UnsafeMutableRawPointer {
        var received = 0
        while true {
            var answer: UnsafeMutableRawPointer?
            guard redisGetReplyFromReader(context, &answer) == REDIS_OK else { throw failure }
            if let answer { return answer }
            // An answer without end always has more to read: the time is looked at before each piece.
            guard ContinuousClock.now < end, isReadable(within: end - .now) else { throw RedisError.late }
            let before = context.pointee.reader?.pointee.len ?? 0
            guard redisBufferRead(context) == REDIS_OK else { throw failure }
            let reader = context.pointee.reader?.pointee
            received += max(0, (reader?.len ?? 0) - before)
            // The reader takes whatever length is announced, and makes room for each element of an array: no command here has one for an answer.
            if received > RedisStore.largestReply { throw RedisError("the answer is too long") }
            if let reader, let start = reader.buf, reader.pos < reader.len, start[reader.pos] == 0x2a {
                throw RedisError("the answer is an array")
            }
        }
    }

    /// Waits for something to be read, or for the end.
    private func isReadable(within time: Duration) -> Bool {
        let end = ContinuousClock.now + time
        while true {
            var descriptor = pollfd(fd: context.pointee.fd, events: Int16(POLLIN), revents: 0)
            let count = poll(&descriptor, 1, Int32(clamping: milliseconds(max(.zero, end - .now), least: 0)))
            if count >= 0 || errno != EINTR { return count > 0 }
        }
    }

    private static func bytes(of reply: redisReply) -> [UInt8] {
        guard let start = reply.str, reply.len > 0 else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: Int(reply.len)))
    }

    private var failure: RedisError {
        let text = withUnsafeBytes(of: &context.pointee.errstr) {
            String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        let isReset = context.pointee.err == REDIS_ERR_IO && [EPIPE, ECONNRESET].contains(errno)
        return RedisError(text, isClosed: context.pointee.err == REDIS_ERR_EOF || isReset)
    }

    /// Writing to a connection that its server has closed must not end the program.
    private func withoutPipeSignal<Result>(_ body: () -> Result) -> Result {
        var pipe = sigset_t()
        var before = sigset_t()
        var pending = sigset_t()
        sigemptyset(&pipe)
        sigaddset(&pipe, SIGPIPE)
        sigpending(&pending)
        let wasPending = sigismember(&pending, SIGPIPE) == 1
        pthread_sigmask(SIG_BLOCK, &pipe, &before)
        let result = body()
        let code = errno
        sigpending(&pending)
        if !wasPending, sigismember(&pending, SIGPIPE) == 1 {
            var signal: Int32 = 0
            sigwait(&pipe, &signal)
        }
        pthread_sigmask(SIG_SETMASK, &before, nil)
        errno = code
        return result
    }
}

extension timeval {
    fileprivate init(_ time: Duration) {
        let (seconds, attoseconds) = time.components
        self.init(
            tv_sec: Int(clamping: min(max(0, seconds), 1 << 30)),
            tv_usec: .init(max(seconds == 0 ? 1 : 0, attoseconds / 1_000_000_000_000)))
    }
}
