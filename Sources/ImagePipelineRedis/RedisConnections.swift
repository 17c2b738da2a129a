import Synchronization

/// An error of a Redis server, or of the connection to it.
struct RedisError: Error, CustomStringConvertible {
    let description: String
    /// Whether the connection was closed before an answer came, as it is when a server was restarted.
    var isClosed = false
    /// Whether it is what the server has answered.
    var isAnswer = false

    static let late = RedisError("no answer within the time limit")

    init(_ description: String, isClosed: Bool = false) {
        self.description = description
        self.isClosed = isClosed
    }

    init(answered text: String) {
        description = text
        isAnswer = true
    }

    /// Whether the key has another type of value than those that a store writes.
    var isWrongType: Bool { isAnswer && description.hasPrefix("WRONGTYPE") }

    /// Whether the server is well, and does not take what it is to keep: it is full, cannot save it, or is to be read only.
    var isRefusal: Bool {
        isAnswer && ["OOM", "MISCONF", "READONLY"].contains { description.hasPrefix("\($0) ") }
    }
}

/// An answer of a Redis server.
enum RedisReply: Sendable, Equatable {
    case none
    case status(String)
    case integer(Int)
    case bytes([UInt8])
}

/// A part of a command: text or bytes.
protocol RedisArgument: Sendable {
    var argumentBytes: [UInt8] { get }
}

extension String: RedisArgument {
    var argumentBytes: [UInt8] { Array(utf8) }
}

extension [UInt8]: RedisArgument {
    var argumentBytes: [UInt8] { self }
}

/// The connections to a server: as many as are in use at once; those that are idle are used again.
final class RedisConnections: Sendable {
    private let address: RedisAddress
    private let timeLimit: Duration
    private let idle = Mutex<[RedisConnection]>([])

    init(_ address: RedisAddress, timeLimit: Duration) {
        self.address = address
        self.timeLimit = timeLimit
    }

    /// Sends a command and waits for its answer, for the time limit at most.
    func command(_ arguments: any RedisArgument...) throws -> RedisReply {
        let words = arguments.map(\.argumentBytes)
        while let connection = idle.withLock({ $0.popLast() }) {
            guard connection.isQuiet else { continue }
            do {
                return try run(words, on: connection)
            } catch let error as RedisError where error.isClosed {
                // It, and those beside it, are older than the server.
                let old = idle.withLock { idle in
                    defer { idle = [] }
                    return idle
                }
                withExtendedLifetime(old) {}
            }
        }
        return try run(words, on: RedisConnection(address, timeLimit: timeLimit))
    }

    private func run(_ words: [[UInt8]], on connection: RedisConnection) throws -> RedisReply {
        // One that has failed is closed with its last reference: an answer that comes late must not be taken for another's.
        let reply = try connection.run(words)
        idle.withLock { $0.append(connection) }
        return reply
    }
}
