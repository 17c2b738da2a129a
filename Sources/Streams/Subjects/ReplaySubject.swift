/// A subject that delivers the newest values to new subscribers, before those that are sent from then on.
///
///     ReplaySubject(2)      1---2---3---4|
///     subscriber            --------23--4|   (subscribed after 3)
///
/// Demand: values that a subscriber has not requested are kept for it, without a limit, and delivered in order when it
/// requests them. Failure: what is sent; later subscribers get the kept values and then the completion. Cancellation
/// releases the subscriber, in constant time, amortised. Thread: the sender's, or that of a request or subscription;
/// signals are serial. Memory: the newest values, as many as `bufferSize`, and those that subscribers have not requested.
public final class ReplaySubject<Output: Sendable, Failure: Error>: Subject {
    @usableFromInline let core: ReplayCore<Output, Failure>

    /// Creates a subject that replays values.
    ///
    /// - Parameter bufferSize: The number of values that are kept; `.max` for all.
    @inlinable
    public init(bufferSize: Int) {
        precondition(bufferSize >= 0, "A replay keeps zero values or more.")
        core = ReplayCore(capacity: bufferSize)
    }

    deinit {
        core.abandon()
    }

    @inlinable
    public func send(_ value: Output) {
        core.post(.value(value))
    }

    @inlinable
    public func send(completion: Subscribers.Completion<Failure>) {
        core.post(.completion(completion))
    }

    @inlinable
    public func send(subscription: any Subscription) {
        core.upstreams.add(subscription)
        subscription.request(.unlimited)
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        attach(AnySubscriber(subscriber))
    }

    @inlinable @inline(never)
    func attach(_ subscriber: AnySubscriber<Output, Failure>) {
        let emitter = EmitterCore(AnySubscriber<Output, Failure>(subscriber), strategy: .unbounded)
        emitter.start { [core] emitter in
            core.post(.attach(emitter))
            return Disposable { core.post(.detach) }
        }
    }
}
