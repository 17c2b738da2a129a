import Files
import Streams
import Synchronization

/// Sends the bytes of an open file as they are requested: those that the system holds in memory on the thread that requests them, the
/// others on a thread that may wait for the medium.
///
/// A change of threads costs more than a copy out of memory. Where both threads want to read, the one that comes second leaves it to the
/// first, which looks again.
final class FileBody: Sendable {
    private enum Turn {
        case free, taken, missed
    }

    private enum Piece: Sendable {
        case bytes([UInt8])
        case notInMemory
        case end
        case failure(any Error)
    }

    private let pieces: SerialState<ChunkSequence.Iterator>
    private let readCached: @Sendable (Range<Int>) throws -> [UInt8]?
    private let mayWait: @Sendable (@escaping @Sendable () -> Void) -> Void
    private let emitter: Emitter<DataEvent, LoadError>
    private let failure: @Sendable (any Error) -> LoadError
    private let turn = Mutex(Turn.free)

    /// - Parameters:
    ///   - readCached: reads a piece if it is in memory.
    ///   - mayWait: has the others read on a thread that may wait for the medium.
    init(
        _ pieces: ChunkSequence, readCached: @escaping @Sendable (Range<Int>) throws -> [UInt8]?,
        elsewhere mayWait: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
        to emitter: Emitter<DataEvent, LoadError>, failure: @escaping @Sendable (any Error) -> LoadError
    ) {
        self.pieces = SerialState(pieces.makeIterator())
        self.readCached = readCached
        self.mayWait = mayWait
        self.emitter = emitter
        self.failure = failure
    }

    /// Sends as much as is requested.
    func send() {
        let isFree = turn.withLock { turn in
            defer { turn = turn == .free ? .taken : .missed }
            return turn == .free
        }
        if isFree { send(waits: false) }
    }

    private func send(waits: Bool) {
        repeat {
            while emitter.requested > .none {
                switch next(waits: waits) {
                case .bytes(let bytes): emitter.send(.chunk(bytes))
                case .notInMemory: return mayWait { self.send(waits: true) }
                case .end: emitter.onComplete()
                case .failure(let error): emitter.onError(failure(error))
                }
            }
            if pieces.withValue({ $0.range == nil }) { emitter.onComplete() }
        } while !leave()
    }

    private func next(waits: Bool) -> Piece {
        pieces.withValue { pieces in
            do {
                guard let range = pieces.range else { return .end }
                if let bytes = try readCached(range) {
                    pieces.skip(bytes.count)
                    return .bytes(bytes)
                }
                guard waits else { return .notInMemory }
                return try pieces.next().map { .bytes(try $0.get()) } ?? .end
            } catch {
                return .failure(error)
            }
        }
    }

    /// - Returns: whether nobody has come meanwhile.
    private func leave() -> Bool {
        turn.withLock { turn in
            defer { turn = turn == .missed ? .taken : .free }
            return turn != .missed
        }
    }
}
