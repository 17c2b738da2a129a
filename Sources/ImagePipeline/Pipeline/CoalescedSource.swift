import Streams
import Synchronization

extension Source where Request == ImageRequest, Event == ImageEvent {
    /// Lets requests that are in flight at the same time and share a key share one load.
    ///
    /// A subscriber that joins later gets the newest event first. Cancelling one leaves the others alone; the last one
    /// to cancel cancels the load.
    public func coalesced(
        by key: @escaping @Sendable (ImageRequest) -> CacheKey = { $0.imageKey }
    ) -> some Source<ImageRequest, ImageEvent> {
        CoalescedSource(upstream: self, key: key)
    }
}

private final class CoalescedSource<Upstream: Source<ImageRequest, ImageEvent>>: Source {
    private let upstream: Upstream
    private let key: @Sendable (ImageRequest) -> CacheKey
    private let flights = Mutex(Flights())

    private typealias Out = Emitter<ImageEvent, LoadError>

    private struct Flight: Sendable {
        var members: [UInt64: Out] = [:]
        var newest: ImageEvent?
        let load = SingleAssignmentDisposable()
        let serial: UInt64
    }

    private struct Flights: Sendable {
        var byKey: [CacheKey: Flight] = [:]
        var serial: UInt64 = 0
    }

    init(upstream: Upstream, key: @escaping @Sendable (ImageRequest) -> CacheKey) {
        self.upstream = upstream
        self.key = key
    }

    func events(for request: ImageRequest) -> AnyPublisher<ImageEvent, LoadError> {
        AnyPublisher.create(.latest) { [self] emitter in
            let key = key(request)
            let (member, newest, load) = join(key, emitter)
            if let newest { emitter.onNext(newest) }
            if let load { start(request, key: key, load: load.disposable, flight: load.flight) }
            return Disposable { self.leave(key, member: member) }
        }
    }

    private func join(
        _ key: CacheKey, _ emitter: Out
    ) -> (member: UInt64, newest: ImageEvent?, load: (disposable: SingleAssignmentDisposable, flight: UInt64)?) {
        flights.withLock { flights in
            flights.serial += 1
            let member = flights.serial
            if flights.byKey[key] != nil {
                flights.byKey[key]?.members[member] = emitter
                return (member, flights.byKey[key]?.newest, nil)
            }
            var flight = Flight(serial: member)
            flight.members[member] = emitter
            flights.byKey[key] = flight
            return (member, nil, (flight.load, member))
        }
    }

    private func start(_ request: ImageRequest, key: CacheKey, load: SingleAssignmentDisposable, flight: UInt64) {
        load.set(
            upstream.events(for: request).sink(
                receiveCompletion: { [self] completion in
                    for member in end(key, flight: flight) { member.send(completion: completion) }
                },
                receiveValue: { [self] event in
                    for member in members(key, flight: flight, noting: event) { member.onNext(event) }
                }))
    }

    /// Whom an event goes to. A load that was left by all and not yet stopped has nobody, even if its key flies again.
    private func members(_ key: CacheKey, flight: UInt64, noting event: ImageEvent) -> [Out] {
        flights.withLock { flights in
            guard flights.byKey[key]?.serial == flight else { return [] }
            flights.byKey[key]?.newest = event
            return flights.byKey[key].map { Array($0.members.values) } ?? []
        }
    }

    private func end(_ key: CacheKey, flight: UInt64) -> [Out] {
        flights.withLock { flights in
            guard flights.byKey[key]?.serial == flight, let ended = flights.byKey.removeValue(forKey: key) else {
                return []
            }
            return Array(ended.members.values)
        }
    }

    private func leave(_ key: CacheKey, member: UInt64) {
        let (_, abandoned) = flights.withLock { flights -> (Out?, SingleAssignmentDisposable?) in
            // A removed emitter leaves the lock before it is released.
            guard let emitter = flights.byKey[key]?.members.removeValue(forKey: member) else { return (nil, nil) }
            guard flights.byKey[key]?.members.isEmpty == true else { return (emitter, nil) }
            return (emitter, flights.byKey.removeValue(forKey: key)?.load)
        }
        abandoned?.cancel()
    }
}
