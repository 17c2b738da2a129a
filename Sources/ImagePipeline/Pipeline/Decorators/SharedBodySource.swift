import Streams
import Synchronization

extension Source where Request: ShareableRequest, Event == DataEvent {
    /// Shares the body of requests that are in flight at the same time and have the same key: it is transferred, or read, once.
    ///
    /// Whoever joins later gets the body from its first byte on. Cancelling one leaves the others alone; the last one to cancel cancels the
    /// load, which has the highest priority of those who share it, live.
    ///
    /// Behind a ``DiskCache`` (``Source/httpCached(in:openBodies:on:clock:)``, ``Source/cached(in:openBodies:on:clock:)``) the bytes that have
    /// arrived are read from the file that is being written, by whoever comes late or is slow: a body of any length takes about 2 MiB of
    /// memory, and 128 KiB for each who reads the file, and no reader holds the others up. Where they cannot be read from there, the reader's
    /// load begins anew, by itself. Those of a file that ``FileSource`` reads are read from that, in the same way.
    ///
    /// Elsewhere without a directory, and for a body that it does not take, the bytes that have arrived stay in memory within the limit. Who joins
    /// after more than that have come begins a load of their own, and the slowest reader holds the others up when it is a megabyte behind.
    ///
    /// Demand: each one's own. The load goes at the pace of the fastest.
    ///
    /// - Parameters:
    ///   - key: Returns what tells bodies apart; nil for a request that shares nothing.
    ///   - limit: The number of bytes kept in memory for who may join, of all bodies together.
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
    /// See ``Source/coalesced(by:keeping:)``.
    ///
    /// - Parameter limit: The number of bytes kept in memory for who may join, of all bodies together.
    public func coalesced(keeping limit: Int = 16 << 20) -> some Source<ImageRequest, DataEvent> {
        coalesced(by: { $0.bodyKey }, keeping: limit)
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
        guard let key = key(request) else { return upstream.events(for: request) }
        return SharedBodyEvents { [self] downstream in attach(downstream, to: request, key) }
            .catch { [upstream] fault -> AnyPublisher<DataEvent, LoadError> in
                switch fault {
                case .load(let error): Fail(error: error).eraseToAnyPublisher()
                case .unreadable: upstream.events(for: request)
                }
            }
            .eraseToAnyPublisher()
    }

    private func attach(_ downstream: SharedBody.Downstream, to request: Request, _ key: CacheKey) {
        let level = request.priority.level
        let (body, id, isNew) = bodies.withLock { bodies -> (SharedBody, Int?, Bool) in
            if let body = bodies[key], let id = body.join(downstream) { return (body, id, false) }
            let body = SharedBody(priority: level, room: room) { [weak self] in self?.forget($0, key) }
            bodies[key] = body
            return (body, body.join(downstream), true)
        }
        guard let id else { return }
        let share = body.priority.join(request.priority)
        downstream.receive(
            subscription: BodySubscription(body: body, id: id) {
                share.cancel()
                body.leave(id)
            })
        body.deliver(to: id)
        guard isNew else { return }
        var shared = request
        shared.priority = .live(body.priority.live)
        upstream.events(for: shared).subscribe(SharedBodyFeed(body: body))
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
    typealias Failure = SharedBody.Fault

    let attach: @Sendable (SharedBody.Downstream) -> Void

    func receive<S: Subscriber>(subscriber: S) where S.Input == DataEvent, S.Failure == SharedBody.Fault {
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
