import Streams
import Synchronization

extension Source where Request: ShareableRequest, Event == DataEvent {
    /// Shares the body of requests that are in flight at the same time and have the same key: it is transferred, or read, once.
    ///
    /// Whoever joins later gets the body from its first byte on, as long as what has arrived is kept; after that they begin a load of their
    /// own. Cancelling one leaves the others alone; the last one to cancel cancels the load, which has the highest priority of those who
    /// share it, live.
    ///
    /// Demand: each one's own. The load goes at the pace of the fastest, unless the slowest is a megabyte behind.
    ///
    /// - Parameters:
    ///   - key: Returns what tells bodies apart; nil for a request that shares nothing.
    ///   - limit: The number of bytes kept for who may join, of all bodies together.
    public func coalesced(
        by key: @escaping @Sendable (Request) -> CacheKey?, keeping limit: Int = 16 << 20
    ) -> some Source<Request, DataEvent> {
        SharedBodySource<Self, Request>(upstream: self, key: key, room: KeptBytes(limit: limit))
    }
}

extension Source where Request == ImageRequest, Event == DataEvent {
    /// Shares the body of requests that are in flight at the same time, by ``ImageRequest/dataKey`` and what their headers say of
    /// caches: it is transferred, or read, once, for whatever sizes.
    ///
    /// - Parameter limit: The number of bytes kept for who may join, of all bodies together.
    public func coalesced(keeping limit: Int = 16 << 20) -> some Source<ImageRequest, DataEvent> {
        coalesced(by: { $0.bodyKey }, keeping: limit)
    }
}

extension ImageRequest {
    /// The identity of a transfer, which requests for several renditions may share. Nil for bytes at hand.
    fileprivate var bodyKey: CacheKey? {
        if case .data = resource { return nil }
        let directives = headers.filter { ["cache-control", "pragma"].contains($0.name.lowercased()) }
        guard !directives.isEmpty || caching.disk != .useCache else { return dataKey }
        return CacheKey([dataKey.digest, "\(caching.disk)"] + directives.flatMap { [$0.name.lowercased(), $0.value] })
    }
}

private final class SharedBodySource<Upstream: Source<Request, DataEvent>, Request: ShareableRequest>: Source {
    private let upstream: Upstream
    private let key: @Sendable (Request) -> CacheKey?
    private let room: KeptBytes
    private let bodies = Mutex<[CacheKey: SharedBody]>([:])

    init(upstream: Upstream, key: @escaping @Sendable (Request) -> CacheKey?, room: KeptBytes) {
        self.upstream = upstream
        self.key = key
        self.room = room
    }

    func events(for request: Request) -> AnyPublisher<DataEvent, LoadError> {
        SharedBodyEvents { [self] downstream in
            guard let key = key(request) else { return upstream.events(for: request).subscribe(downstream) }
            let level = request.priority.level
            let (body, id, isNew) = bodies.withLock { bodies -> (SharedBody, Int?, Bool) in
                if let body = bodies[key], let id = body.join(downstream) { return (body, id, false) }
                let body = SharedBody(priority: level, room: room)
                bodies[key] = body
                return (body, body.join(downstream), true)
            }
            guard let id else { return }
            let share = body.priority.join(request.priority)
            downstream.receive(
                subscription: BodySubscription(body: body, id: id) { [self] in
                    share.cancel()
                    if body.leave(id) { forget(body, key) }
                })
            body.deliver(to: id)
            guard isNew else { return }
            var shared = request
            shared.priority = .live(body.priority.live)
            upstream.events(for: shared)
                .subscribe(SharedBodyFeed(body: body) { [weak body] in if let body { self.forget(body, key) } })
        }
        .eraseToAnyPublisher()
    }

    private func forget(_ body: SharedBody, _ key: CacheKey) {
        bodies.withLock { bodies in
            // The caller holds it: what it keeps is not let go of under the lock.
            if bodies[key] === body { bodies[key] = nil }
        }
    }
}

private struct SharedBodyEvents: Publisher {
    typealias Output = DataEvent
    typealias Failure = LoadError

    let attach: @Sendable (AnySubscriber<DataEvent, LoadError>) -> Void

    func receive<S: Subscriber>(subscriber: S) where S.Input == DataEvent, S.Failure == LoadError {
        attach(AnySubscriber(subscriber))
    }
}

private final class BodySubscription: Subscription {
    private let body: SharedBody
    private let id: Int
    private let leaving: Disposable

    init(body: SharedBody, id: Int, leave: @escaping @Sendable () -> Void) {
        self.body = body
        self.id = id
        leaving = Disposable(leave)
    }

    func request(_ demand: Subscribers.Demand) { body.request(demand, for: id) }

    func cancel() { leaving.cancel() }
}
