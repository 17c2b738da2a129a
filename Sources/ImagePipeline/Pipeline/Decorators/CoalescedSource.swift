import Streams
import Synchronization

extension Source {
    /// Shares one load between requests that are in flight at the same time and have the same key.
    ///
    /// A subscriber that joins later gets the newest value first, then the newest progress; one that comes when the final value has begins
    /// another load. Cancelling one leaves the others alone; the last one to cancel cancels the load.
    ///
    /// Demand: each subscriber's own. What it has not requested is conflated to the newest value and the newest progress behind it; the
    /// final value is never dropped. The load is asked for everything, whatever those who share it request, so that a cache
    /// upstream gets the final value. Requests that are ``ShareableRequest`` let the load know when no subscriber waits for a
    /// degraded value.
    ///
    /// - Parameter key: Returns what tells loads apart. Two requests with the same key must stand for the same value.
    public func coalesced<Value>(
        by key: @escaping @Sendable (Request) -> CacheKey
    ) -> some Source<Request, LoadEvent<Value>> where Event == LoadEvent<Value> {
        CoalescedSource(
            upstream: self, key: key, previews: { _ in true }, priority: { _ in .normal }, didJoin: {},
            shared: { first, _, _ in first })
    }
}

extension Source where Request: ShareableRequest {
    /// Shares one load between requests that are in flight at the same time and have the same key.
    ///
    /// A subscriber that joins later gets the newest value first, then the newest progress; one that comes when the final value has begins
    /// another load. Cancelling one leaves the others alone; the last one to cancel cancels the load. The load has the highest priority of
    /// those who share it, live.
    ///
    /// Demand: each subscriber's own. What it has not requested is conflated to the newest value and the newest progress behind it; the
    /// final value is never dropped, and the load brings it whatever those who share it request. Degraded values are made while
    /// somebody waits for one (``PreviewInterest``), also for whoever joins a load that began without.
    ///
    /// - Parameter key: Returns what tells loads apart. Two requests with the same key must stand for the same value.
    public func coalesced<Value>(
        by key: @escaping @Sendable (Request) -> CacheKey
    ) -> some Source<Request, LoadEvent<Value>> where Event == LoadEvent<Value> {
        coalesced(by: key, didJoin: {})
    }

    fileprivate func coalesced<Value>(
        by key: @escaping @Sendable (Request) -> CacheKey, didJoin: @escaping @Sendable () -> Void
    ) -> CoalescedSource<Self, Request, Value> where Event == LoadEvent<Value> {
        CoalescedSource(
            upstream: self, key: key, previews: { $0.previews }, priority: { $0.priority }, didJoin: didJoin,
            shared: { first, priority, interest in
                var shared = first
                shared.previews = true
                shared.priority = .live(priority)
                shared.previewInterest = interest
                return shared
            })
    }
}

extension Source where Request == ImageRequest, Event == ImageEvent {
    /// Shares one load between requests for one image that are in flight at the same time, by
    /// ``ImageRequest/imageKey``, if they make the same use of caches.
    public func coalesced() -> some Source<ImageRequest, ImageEvent> {
        coalesced(didJoin: {})
    }

    /// - Parameter didJoin: A closure that is called for each request that joins a load under way.
    func coalesced(didJoin: @escaping @Sendable () -> Void) -> some Source<ImageRequest, ImageEvent> {
        coalesced(by: { $0.sharingKey }, didJoin: didJoin)
    }
}

private final class CoalescedSource<Upstream: Source<Request, LoadEvent<Value>>, Request, Value>: Source {
    private let upstream: Upstream
    private let key: @Sendable (Request) -> CacheKey
    private let previews: @Sendable (Request) -> Bool
    private let priority: @Sendable (Request) -> LoadPriority
    private let didJoin: @Sendable () -> Void
    /// Makes the request of a load of the one that begins it.
    private let shared: @Sendable (Request, LivePriority, PreviewInterest) -> Request
    private let flights = Mutex<[CacheKey: Flight<Value>]>([:])

    init(
        upstream: Upstream, key: @escaping @Sendable (Request) -> CacheKey,
        previews: @escaping @Sendable (Request) -> Bool, priority: @escaping @Sendable (Request) -> LoadPriority,
        didJoin: @escaping @Sendable () -> Void,
        shared: @escaping @Sendable (Request, LivePriority, PreviewInterest) -> Request
    ) {
        self.upstream = upstream
        self.key = key
        self.previews = previews
        self.priority = priority
        self.didJoin = didJoin
        self.shared = shared
    }

    func events(for request: Request) -> AnyPublisher<LoadEvent<Value>, LoadError> {
        ConflatedEvents(previews: previews(request)) { [self] member in
            let key = key(request)
            let priority = priority(request)
            let (flight, id, isNew) = join(member, key, priority)
            // Before the load begins, which may end at once.
            let level = flight.priority.join(priority)
            member.bind(
                Disposable {
                    level.cancel()
                    guard flight.leave(id) else { return }
                    self.forget(flight, key)
                    flight.load.cancel()
                })
            if isNew {
                start(flight, request, key)
            } else {
                didJoin()
                member.deliver()
            }
        }
        .eraseToAnyPublisher()
    }

    private func join(
        _ member: LoadSubscription<Value>, _ key: CacheKey, _ priority: LoadPriority
    ) -> (Flight<Value>, id: Int, isNew: Bool) {
        flights.withLock { flights in
            // One that is over may not have been forgotten yet.
            if let flight = flights[key], let id = flight.join(member) { return (flight, id, false) }
            let flight = Flight<Value>(first: member, priority: priority.level)
            flights[key] = flight
            return (flight, 0, true)
        }
    }

    private func start(_ flight: Flight<Value>, _ request: Request, _ key: CacheKey) {
        let sink = Subscribers.Sink<LoadEvent<Value>, LoadError>(
            receiveCompletion: { [self] completion in
                forget(flight, key)
                flight.end(completion)
            },
            receiveValue: { [self] event in
                // A subscriber that comes from now on, also when told of the value, begins a load of its own.
                if event.finalValue != nil { forget(flight, key) }
                flight.send(event)
            })
        flight.load.set(sink)
        upstream.events(for: shared(request, flight.priority.live, flight.interest)).subscribe(sink)
    }

    private func forget(_ flight: Flight<Value>, _ key: CacheKey) {
        flights.withLock { flights in
            // The caller holds the flight: what it keeps is not let go of under the lock.
            if flights[key] === flight { flights[key] = nil }
        }
    }
}

/// One load and those who share it. Its lock puts what comes and who joins into one order: each member gets what is newest first and then
/// all that follows.
private final class Flight<Value: Sendable>: Sendable {
    private struct State: Sendable {
        var members = MemberList<LoadSubscription<Value>>()
        var newest = Conflation<Value>()
        var hasFinal = false
        var isOver = false
    }

    let load = SingleAssignmentDisposable()
    let interest = PreviewInterest()
    let priority: SharedPriority
    private let state = Mutex(State())

    /// The first member's id is 0.
    init(first: LoadSubscription<Value>, priority: LoadPriority.Level) {
        self.priority = SharedPriority(priority)
        _ = join(first)
    }

    /// - Returns: what the member leaves by; nil where it comes too late.
    func join(_ member: LoadSubscription<Value>) -> Int? {
        state.withLock { state in
            guard !state.isOver else { return nil }
            member.join(with: state.newest, interest: interest)
            return state.members.append(member)
        }
    }

    /// - Returns: whether nobody is left for whom the load goes on.
    func leave(_ id: Int) -> Bool {
        let (member, isAbandoned) = state.withLock { state in
            let member = state.members.remove(id)
            let isAbandoned = member != nil && state.members.isEmpty && !state.isOver
            if isAbandoned { state.isOver = true }
            return (member, isAbandoned)
        }
        withExtendedLifetime(member) {}
        return isAbandoned
    }

    @specialized(where Value == Image)
    func send(_ event: LoadEvent<Value>) {
        let (members, replaced) = state.withLock { state in
            let (members, old) = (state.hasFinal ? MemberList() : state.members, state.newest)
            // Nothing comes behind a final value, whatever upstream sends.
            if !state.hasFinal { state.newest.keep(event) }
            if event.finalValue != nil { state.hasFinal = true }
            return (members, old)
        }
        withExtendedLifetime(replaced) {}
        for member in members.all { member.send(event) }
    }

    func end(_ completion: Subscribers.Completion<LoadError>) {
        let (members, kept) = state.withLock { state in
            defer {
                state.isOver = true
                state.members = MemberList()
                state.newest = Conflation()
            }
            return (state.members, state.newest)
        }
        withExtendedLifetime(kept) {}
        for member in members.all { member.send(completion: completion) }
    }
}
