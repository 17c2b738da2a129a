import Streams
import Synchronization

extension Source {
    /// Shares one load between requests that are in flight at the same time and have the same key.
    ///
    /// A subscriber that joins later gets the newest event first. Cancelling one leaves the others alone; the last one
    /// to cancel cancels the load.
    ///
    /// - Parameter key: Returns what tells loads apart. Two requests with the same key must stand for the same value.
    public func coalesced<Value>(
        by key: @escaping @Sendable (Request) -> CacheKey
    ) -> some Source<Request, LoadEvent<Value>> where Event == LoadEvent<Value> {
        CoalescedSource(upstream: self, key: key)
    }
}

extension Source where Request == ImageRequest, Event == ImageEvent {
    /// Shares one load between requests for one image that are in flight at the same time, by
    /// ``ImageRequest/imageKey``.
    public func coalesced() -> some Source<ImageRequest, ImageEvent> {
        coalesced { $0.imageKey }
    }
}

private final class CoalescedSource<Upstream: Source<Request, LoadEvent<Value>>, Request, Value>: Source {
    private let upstream: Upstream
    private let key: @Sendable (Request) -> CacheKey
    private let flights = Mutex<[CacheKey: Membership]>([:])

    /// One load. The subject puts what comes and who joins into one order: each member gets the newest event first and
    /// then all that follow.
    private final class Flight: Sendable {
        let events = ReplaySubject<LoadEvent<Value>, LoadError>(bufferSize: 1)
        let load = SingleAssignmentDisposable()
    }

    private struct Membership: Sendable {
        let flight: Flight
        var members = 1
    }

    init(upstream: Upstream, key: @escaping @Sendable (Request) -> CacheKey) {
        self.upstream = upstream
        self.key = key
    }

    func events(for request: Request) -> AnyPublisher<LoadEvent<Value>, LoadError> {
        AnyPublisher.create(.latest) { [self] emitter in
            let key = key(request)
            let (flight, isNew) = join(key)
            let member = flight.events.sink(
                receiveCompletion: { emitter.send(completion: $0) }, receiveValue: { emitter.onNext($0) })
            if isNew { start(flight, request, key) }
            return Disposable {
                member.cancel()
                self.leave(flight, key)
            }
        }
    }

    private func join(_ key: CacheKey) -> (Flight, isNew: Bool) {
        flights.withLock { flights in
            if let flight = flights[key]?.flight {
                flights[key]?.members += 1
                return (flight, false)
            }
            let flight = Flight()
            flights[key] = Membership(flight: flight)
            return (flight, true)
        }
    }

    private func start(_ flight: Flight, _ request: Request, _ key: CacheKey) {
        flight.load.set(
            upstream.events(for: request).sink(
                receiveCompletion: { [self] completion in
                    // Who comes from now on begins a load of their own.
                    remove(flight, key) { _ in true }
                    flight.events.send(completion: completion)
                },
                receiveValue: { flight.events.send($0) }))
    }

    private func leave(_ flight: Flight, _ key: CacheKey) {
        let isAbandoned = remove(flight, key) { membership in
            membership.members -= 1
            return membership.members == 0
        }
        if isAbandoned { flight.load.cancel() }
    }

    /// Takes a flight out, if it is still there and the closure, which runs under the lock, says so.
    @discardableResult
    private func remove(_ flight: Flight, _ key: CacheKey, where isOver: (inout Membership) -> Bool) -> Bool {
        flights.withLock { flights in
            // The caller holds the flight: what it keeps is not let go of under the lock.
            guard var membership = flights[key], membership.flight === flight else { return false }
            let isOver = isOver(&membership)
            flights[key] = isOver ? nil : membership
            return isOver
        }
    }
}
