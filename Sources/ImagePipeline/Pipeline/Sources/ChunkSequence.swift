import Files
import Streams

/// The pieces of something that is read by position, each read when it is asked for; ends behind the first failure.
///
/// Those at the beginning are small, since loads that wait for a decoder hold as many as they have asked for. The others are only read by
/// loads that are being decoded, of which there are few at once; they are large, as each piece costs its way through the pipeline.
struct ChunkSequence: Sequence, Sendable {
    /// The size of a large piece, and of all the small ones together.
    private static let large = 4 * FileDescriptor.chunkSize

    let size: Int
    let read: @Sendable (Range<Int>) throws -> [UInt8]

    func makeIterator() -> Iterator {
        Iterator(sequence: self)
    }

    struct Iterator: IteratorProtocol {
        let sequence: ChunkSequence
        private var offset = 0
        private var isOver = false

        init(sequence: ChunkSequence) {
            self.sequence = sequence
        }

        /// The place of the next piece; nil behind the last.
        var range: Range<Int>? {
            guard !isOver, offset < sequence.size else { return nil }
            let count = offset < ChunkSequence.large ? FileDescriptor.chunkSize : ChunkSequence.large
            return offset..<Swift.min(offset + count, sequence.size)
        }

        mutating func next() -> Result<[UInt8], any Error>? {
            guard let range else { return nil }
            let result = Result { try sequence.read(range) }
            switch result {
            case .success(let bytes):
                // It got shorter since its length was taken: that is its end.
                guard !bytes.isEmpty else {
                    isOver = true
                    return nil
                }
                skip(bytes.count)
            case .failure: isOver = true
            }
            return result
        }

        /// Goes on behind bytes that were read by another way.
        mutating func skip(_ count: Int) {
            offset += count
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
