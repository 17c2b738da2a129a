/// A publisher of one value or a failure, made by work that starts at once, even without a subscriber.
///
///     promise(.success(1))   ---1|
///     promise(.failure(e))   ---✕
///
/// Demand: the value waits for a request; a failure doesn't. Failure: the promise's. Cancelling a subscription lets go
/// of its subscriber and of nothing else: the work goes on, unless it is a task without subscribers. The
/// future need not be kept: its subscribers get the result all the same. Thread: the one that calls the promise, or the one that
/// subscribes or requests afterwards. Every subscriber gets the same result, in the order of subscription.
public final class Future<Output: Sendable, Failure: Error>: Publisher {
    /// A closure that takes the result, from any thread and any number of times: the first call counts.
    public typealias Promise = @Sendable (Result<Output, Failure>) -> Void

    @usableFromInline let core: FutureCore<Output, Failure>
    /// Cancels the work with its last reference: the future has one, and every subscription that waits.
    @usableFromInline let work: AnyCancellable?

    /// Creates a future, and starts its work.
    ///
    /// - Parameter attempt: The work; it runs before this returns.
    @preconcurrency
    @inlinable
    public init(_ attempt: @Sendable @escaping (@escaping Promise) -> Void) {
        let core = FutureCore<Output, Failure>()
        self.core = core
        work = nil
        attempt { core.resolve($0) }
    }

    /// - Parameter start: Starts work, which is cancelled when the future and everyone who waits for the result have gone.
    init(cancellable start: (@escaping Promise) -> any Cancellable) {
        let core = FutureCore<Output, Failure>()
        self.core = core
        let running = start { core.resolve($0) }
        // The work that delivers its result is not told that it is cancelled meanwhile.
        work = AnyCancellable { [weak core] in
            if core?.isPending == true { running.cancel() }
        }
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        attach(AnySubscriber(subscriber))
    }

    @inlinable @inline(never)
    func attach(_ subscriber: AnySubscriber<Output, Failure>) {
        core.attach(subscriber, keeping: work)
    }
}
