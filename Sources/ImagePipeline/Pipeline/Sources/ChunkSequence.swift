import Files
import Streams

/// The pieces of something that is read by position, each read when it is asked for; ends behind the first failure.
struct ChunkSequence: Sequence, Sendable {
    let size: Int
    /// How much is read at once behind the first four pieces. Somebody takes these: a load that waits for its decoder has not asked for
    /// more, and holds no more than they are.
    var largest = FileDescriptor.chunkSize
    let read: @Sendable (Range<Int>) throws -> [UInt8]

    func makeIterator() -> Iterator {
        Iterator(sequence: self)
    }

    struct Iterator: IteratorProtocol {
        let sequence: ChunkSequence
        var offset = 0
        var isOver = false

        mutating func next() -> Result<[UInt8], any Error>? {
            guard !isOver, offset < sequence.size else { return nil }
            let first = FileDescriptor.chunkSize
            let count = offset < 4 * first ? first : sequence.largest
            let range = offset..<Swift.min(offset + count, sequence.size)
            let result = Result { try sequence.read(range) }
            switch result {
            case .success(let bytes):
                // It got shorter since its length was taken: that is its end.
                guard !bytes.isEmpty else {
                    isOver = true
                    return nil
                }
                offset += bytes.count
            case .failure: isOver = true
            }
            return result
        }
    }

    /// The stream of a body that is read this way.
    func events(
        after response: DataResponse, failure: @escaping @Sendable (any Error) -> LoadError
    ) -> AnyPublisher<DataEvent, LoadError> {
        let chunks = publisher.tryMap { DataEvent.chunk(try $0.get()) }.mapError(failure)
        return Just(DataEvent.response(response)).setFailureType(to: LoadError.self)
            .append(chunks).eraseToAnyPublisher()
    }
}
