import Files
import Streams
import Synchronization

/// A gate that lets a limited number of publishers run at once: in all, and within each group.
///
/// A publisher that waits has not been subscribed to: it holds no descriptor, no thread and no bytes. A place is held until the publisher
/// ends or is cancelled, also without demand.
public final class AdmissionGate<Group: Hashable & Sendable>: Sendable {
    private let state: Mutex<State>

    private struct State {
        var queue: AdmissionQueue<Int, Group>
        var starts: [Int: @Sendable () -> Void] = [:]
        var next = 0
        /// Threads that let in whoever may begin. What ends on such a thread leaves the next to its loop, so that any number of
        /// publishers that end at once take the same stack.
        var admitters: Set<UInt> = []
    }

    /// Creates a gate; limits below 1 count as 1.
    ///
    /// - Parameters:
    ///   - limit: The number of publishers that may be under way at once.
    ///   - perGroup: The number of those of one group.
    public init(limit: Int, perGroup: Int = .max) {
        state = Mutex(State(queue: AdmissionQueue(limit: limit, perGroup: perGroup)))
    }

    /// The number of publishers that wait.
    public var waitingCount: Int { state.withLock { $0.queue.waitingCount } }

    /// The number of publishers that are running.
    public var admittedCount: Int { state.withLock { $0.queue.admittedCount } }

    /// Returns a publisher that is subscribed to when there is room.
    ///
    /// Demand: the upstream's, from the moment at which it begins. Cancelling one that waits takes logarithmic time, and the upstream
    /// is never touched. Thread: the upstream is subscribed to on the subscriber's thread when there is room at once, else on that of
    /// whichever ends or is cancelled.
    ///
    /// - Parameters:
    ///   - group: The group whose limit counts; nil for the limit of all alone.
    ///   - priority: The place among those that wait; a live one may change meanwhile.
    ///   - make: Makes the publisher when its turn has come.
    public func admitting<Output: Sendable, Failure: Error>(
        _ group: Group? = nil, priority: LoadPriority = .normal,
        _ make: @escaping @Sendable () -> AnyPublisher<Output, Failure>
    ) -> AnyPublisher<Output, Failure> {
        AnyPublisher.create { [self] emitter in
            let upstream = SingleAssignmentDisposable()
            let changes = SingleAssignmentDisposable()
            let id = wait(in: group, level: priority.level) {
                changes.cancel()
                make().subscribe(AdmittedSubscriber(emitter: emitter, upstream: upstream))
            }
            if case .live(let priority) = priority {
                changes.set(priority.observe { [weak self] in self?.setLevel(to: $0, of: id) })
                setLevel(to: priority, of: id)
            }
            admit()
            return Disposable { [self] in
                changes.cancel()
                upstream.cancel()
                leave(id)
            }
        }
    }

    private func wait(in group: Group?, level: LoadPriority.Level, _ start: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            let id = state.next
            state.next += 1
            state.starts[id] = start
            state.queue.append(id, to: group, level: level)
            return id
        }
    }

    private func setLevel(to priority: LivePriority, of id: Int) {
        state.withLock { $0.queue.setLevel(priority.level, of: id) }
    }

    private func leave(_ id: Int) {
        let start = state.withLock { state in
            state.queue.remove(id)
            return state.starts.removeValue(forKey: id)
        }
        // Its closure and references are released outside the lock.
        withExtendedLifetime(start) {}
        admit()
    }

    /// Starts whoever may begin.
    private func admit() {
        let thread = withUnsafeBytes(of: pthread_self()) { $0.loadUnaligned(as: UInt.self) }
        guard state.withLock({ $0.admitters.insert(thread).inserted }) else { return }
        while let start = nextStart(on: thread) { start() }
    }

    private func nextStart(on thread: UInt) -> (@Sendable () -> Void)? {
        state.withLock { state in
            while let id = state.queue.admit() {
                if let start = state.starts.removeValue(forKey: id) { return start }
            }
            state.admitters.remove(thread)
            return nil
        }
    }
}

/// Passes on what an admitted publisher sends.
private struct AdmittedSubscriber<Input: Sendable, Failure: Error>: Subscriber {
    let emitter: Emitter<Input, Failure>
    let upstream: SingleAssignmentDisposable

    func receive(subscription: any Subscription) {
        if upstream.set(subscription) { emitter.onRequest { subscription.request($0) } }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        emitter.onNext(input)
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        emitter.send(completion: completion)
    }
}
