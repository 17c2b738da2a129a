import Synchronization

/// A publisher that delivers one value or one failure, which comes later.
///
///     Future { promise in … promise(.success(1)) }   ----1|
///
/// The work starts when the future is made, once, whether or not anybody subscribes. The promise may be called from any
/// thread and any number of times: the first call counts. Every subscriber gets the result when it has requested; a
/// failure needs no request. Cancelling a subscriber leaves the work alone.
public final class Future<Output: Sendable, Failure: Error>: Publisher {
    /// Takes the result.
    public typealias Promise = @Sendable (Result<Output, Failure>) -> Void

    private typealias Waiting = Emitter<Output, Failure>

    private struct State: Sendable {
        var result: Result<Output, Failure>?
        var waiting: [Int: Waiting] = [:]
        var serial = 0
    }

    private let state = Mutex(State())

    /// Starts the work, on the calling thread.
    public init(_ attemptToFulfill: (@escaping Promise) -> Void) {
        attemptToFulfill { result in self.fulfill(result) }
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        Publishers.Create<Output, Failure> { emitter in
            let (result, key) = self.state.withLock { state in
                state.serial += 1
                if state.result == nil { state.waiting[state.serial] = emitter }
                return (state.result, state.serial)
            }
            if let result { Self.deliver(result, to: emitter) }
            return Disposable {
                let left = self.state.withLock { $0.waiting.removeValue(forKey: key) }
                withExtendedLifetime(left) {}
            }
        }.receive(subscriber: subscriber)
    }

    private func fulfill(_ result: Result<Output, Failure>) {
        let waiting = state.withLock { state -> [Int: Waiting] in
            guard state.result == nil else { return [:] }
            state.result = result
            defer { state.waiting = [:] }
            return state.waiting
        }
        for (_, emitter) in waiting.sorted(by: { $0.key < $1.key }) { Self.deliver(result, to: emitter) }
    }

    private static func deliver(_ result: Result<Output, Failure>, to emitter: Waiting) {
        switch result {
        case .success(let value):
            emitter.onNext(value)
            emitter.onComplete()
        case .failure(let error): emitter.onError(error)
        }
    }
}
