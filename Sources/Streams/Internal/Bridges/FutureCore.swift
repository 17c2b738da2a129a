import Synchronization

/// The result of a `Future`, and who waits for it.
@usableFromInline
final class FutureCore<Output: Sendable, Failure: Error>: Sendable {
    @usableFromInline typealias Waiter = FinalValue<Output, AnySubscriber<Output, Failure>>

    struct State: Sendable {
        var result: Result<Output, Failure>?
        var waiters: [Int: Waiter] = [:]
        var nextID = 0
    }

    private let state = Mutex(State())

    @usableFromInline
    init() {}

    /// Nobody can call the promise any more: lets go of the subscribers.
    deinit {
        for waiter in state.withLock({ $0.waiters }).values { waiter.cancel() }
    }

    /// Whether there is no result yet.
    var isPending: Bool {
        state.withLock { if case nil = $0.result { true } else { false } }
    }

    /// The first result counts.
    @usableFromInline
    func resolve(_ result: Result<Output, Failure>) {
        let waiters = state.withLock { state -> [Int: Waiter] in
            guard state.result == nil else { return [:] }
            state.result = result
            defer { state.waiters = [:] }
            return state.waiters
        }
        for (_, waiter) in waiters.sorted(by: { $0.key < $1.key }) { Self.finish(waiter, with: result) }
    }

    /// - Parameter work: Kept until the subscriber has its result or has cancelled.
    @usableFromInline
    func attach(_ subscriber: AnySubscriber<Output, Failure>, keeping work: AnyCancellable?) {
        let waiter = Waiter(downstream: subscriber)
        waiter.start()
        let (result, id) = state.withLock { state -> (Result<Output, Failure>?, Int) in
            if let result = state.result { return (result, 0) }
            state.nextID += 1
            state.waiters[state.nextID] = waiter
            return (nil, state.nextID)
        }
        if let result { return Self.finish(waiter, with: result) }
        // Refused, and so taken out again, when it was cancelled or resolved meanwhile.
        _ = waiter.upstream.receive(FutureRegistration(core: self, id: id, work: work))
    }

    func remove(_ id: Int) {
        let waiter = state.withLock { $0.waiters.removeValue(forKey: id) }
        withExtendedLifetime(waiter) {}
    }

    private static func finish(_ waiter: Waiter, with result: Result<Output, Failure>) {
        switch result {
        case .success(let value): waiter.finish(with: value)
        case .failure(let error): waiter.fail(error)
        }
    }
}

/// A waiter's place in a future.
///
/// Weak: a promise that is let go of without being called must not leave a cycle behind. Unchecked because a weak
/// variable can't be checked: it is set once, and the runtime zeroes it atomically.
private final class FutureRegistration<Output: Sendable, Failure: Error>: Subscription, @unchecked Sendable {
    private weak var core: FutureCore<Output, Failure>?
    private let id: Int
    private let work: AnyCancellable?

    init(core: FutureCore<Output, Failure>, id: Int, work: AnyCancellable?) {
        self.core = core
        self.id = id
        self.work = work
    }

    func request(_ demand: Subscribers.Demand) {}

    func cancel() {
        core?.remove(id)
    }
}
