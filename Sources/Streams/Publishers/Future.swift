/// A publisher of one value or a failure, made by work that starts at once, whether anybody is subscribed or not.
///
///     promise(.success(1))   ---1|
///     promise(.failure(e))   ---✕
///
/// Demand: the value waits for a request; a failure doesn't. Failure: the promise's. Cancelling a subscription lets go
/// of its subscriber and of nothing else: the work goes on. Thread: the one that calls the promise, or the one that
/// subscribes or requests afterwards. Every subscriber gets the same result, in the order of subscription.
public final class Future<Output: Sendable, Failure: Error>: Publisher {
    /// Takes the result, from any thread and any number of times: the first call counts.
    public typealias Promise = @Sendable (Result<Output, Failure>) -> Void

    @usableFromInline let core: FutureCore<Output, Failure>

    /// - Parameter attempt: The work; it runs before this returns.
    @inlinable
    public init(_ attempt: @Sendable @escaping (@escaping Promise) -> Void) {
        let core = FutureCore<Output, Failure>()
        self.core = core
        attempt { core.resolve($0) }
    }

    /// - Parameter work: Cancelled when nobody can get the result any more. The promise does not keep the future alive.
    init(cancelling work: any Cancellable, _ attempt: (@escaping Promise) -> Void) {
        let core = FutureCore<Output, Failure>(work)
        self.core = core
        attempt { [weak core] in core?.resolve($0) }
    }

    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        core.attach(AnySubscriber(subscriber))
    }
}
