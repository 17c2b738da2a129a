import Streams
import Synchronization
import TestSupport

@testable import ImagePipeline

/// A source that a test drives by hand, at the pace of those who load.
final class HandDrivenOrigin: Source {
    private let state = Mutex((emitter: Emitter<DataEvent, LoadError>?.none, loads: 0, cancels: 0))
    let chunks: [[UInt8]]
    let body: [UInt8]

    init(chunks: Int, of size: Int = 64 << 10) {
        self.chunks = (0..<chunks).map { chunk in
            [1, 2, 3, 4] + [UInt8](repeating: UInt8(truncatingIfNeeded: chunk), count: size - 4)
        }
        body = self.chunks.reduce(into: []) { $0 += $1 }
    }

    var loads: Int { state.withLock { $0.loads } }
    var cancels: Int { state.withLock { $0.cancels } }
    var isWanted: Bool { state.withLock { $0.emitter.map { $0.requested > .none } ?? false } }

    func events(for request: ImageRequest) -> AnyPublisher<DataEvent, LoadError> {
        AnyPublisher.create { [self] emitter in
            state.withLock { ($0.emitter, $0.loads) = (emitter, $0.loads + 1) }
            return Disposable { self.state.withLock { $0.cancels += 1 } }
        }
    }

    /// Sends when there is demand.
    ///
    /// - Returns: whether there was.
    @discardableResult
    func send(_ event: DataEvent) -> Bool {
        guard comesTrue({ self.isWanted }) else { return false }
        state.withLock { $0.emitter }?.send(event)
        return true
    }

    func respond() {
        send(.response(DataResponse(provenance: .network, expectedLength: body.count)))
    }

    func send(_ range: Range<Int>) -> Bool { range.allSatisfy { send(.chunk(chunks[$0])) } }

    func end(_ completion: Subscribers.Completion<LoadError> = .finished) {
        state.withLock { $0.emitter }?.send(completion: completion)
    }
}
