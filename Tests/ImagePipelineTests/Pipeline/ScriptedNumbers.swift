import Streams
import Synchronization

@testable import ImagePipeline

/// A request for a number; all of them share one load.
struct NumberRequest: ShareableRequest {
    var previews = true
    var priority = LoadPriority.normal
    var previewInterest: PreviewInterest?
}

typealias NumberEvent = LoadEvent<Int>

extension LoadEvent<Int> {
    /// The event as text, so that lists of them can be compared.
    var text: String {
        switch self {
        case .progress(let progress): "p\(progress.received)"
        case .degraded(let value, quality: _): "d\(value)"
        case .final(let value, _): "f\(value)"
        }
    }
}

/// A source whose one load the test is.
final class ScriptedNumbers: Source {
    private let state = Mutex((emitter: Emitter<NumberEvent, LoadError>?.none, loads: 0, cancels: 0))
    let request = Mutex<NumberRequest?>(nil)

    var loads: Int { state.withLock { $0.loads } }
    var cancels: Int { state.withLock { $0.cancels } }

    func events(for request: NumberRequest) -> AnyPublisher<NumberEvent, LoadError> {
        self.request.withLock { $0 = request }
        return AnyPublisher.create { [self] emitter in
            state.withLock { ($0.emitter, $0.loads) = (emitter, $0.loads + 1) }
            return Disposable { self.state.withLock { $0.cancels += 1 } }
        }
    }

    func send(_ event: NumberEvent) {
        state.withLock { $0.emitter }?.onNext(event)
    }

    func send(completion: Subscribers.Completion<LoadError>) {
        state.withLock { $0.emitter }?.send(completion: completion)
    }
}
