import CHiredis
import Files

/// One connection to a server.
///
/// Unchecked: whoever takes it from the list of idle ones is the only one that uses it, until it is put back; the list's lock orders one
/// use before the next.
final class RedisConnection: @unchecked Sendable {
    private let context: UnsafeMutablePointer<redisContext>

    init(_ address: RedisAddress, timeLimit: Duration) throws {
        let time = timeval(timeLimit)
        guard let context = redisConnectWithTimeout(address.host, Int32(clamping: address.port), time) else {
            throw RedisError("no memory for a connection")
        }
        self.context = context
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

    func run(_ words: [[UInt8]]) throws -> RedisReply {
        let lengths = words.map(\.count)
        let all = words.flatMap { $0 }
        let answer = withoutPipeSignal {
            all.withUnsafeBufferPointer { buffer -> UnsafeMutableRawPointer? in
                // An empty word has to stand somewhere, too.
                let empty: [CChar] = [0]
                return empty.withUnsafeBufferPointer { nothing in
                    var offset = 0
                    var starts: [UnsafePointer<CChar>?] = lengths.map { length in
                        defer { offset += length }
                        guard let base = buffer.baseAddress else { return nothing.baseAddress }
                        return UnsafeRawPointer(base + offset).assumingMemoryBound(to: CChar.self)
                    }
                    return redisCommandArgv(context, Int32(words.count), &starts, lengths)
                }
            }
        }
        guard let answer else { throw failure }
        defer { freeReplyObject(answer) }
        let reply = answer.assumingMemoryBound(to: redisReply.self).pointee
        switch reply.type {
        case REDIS_REPLY_STATUS: return .status(String(decoding: Self.bytes(of: reply), as: UTF8.self))
        case REDIS_REPLY_INTEGER: return .integer(Int(reply.integer))
        case REDIS_REPLY_STRING: return .bytes(Self.bytes(of: reply))
        case REDIS_REPLY_ERROR: throw RedisError(String(decoding: Self.bytes(of: reply), as: UTF8.self))
        default: return .none
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
