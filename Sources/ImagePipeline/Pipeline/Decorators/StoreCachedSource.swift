import Streams

extension Source where Event == DataEvent {
    /// Keeps bodies in a store, byte for byte as they arrived.
    ///
    /// A hit touches nothing upstream; a miss is written while it passes and published when it is whole. Of processes that miss one body
    /// at once one loads it, where the store has leases, and the others wait for it. A store that is slow or fails makes no load fail:
    /// within its ``StoreTerms/timeLimit`` the load goes on upstream, also from the middle of a hit, whose body then begins anew with a
    /// further response. Each response has a ``DataResponse/discard``, which `decoded` uses for bodies that nothing can be made of.
    ///
    /// - Parameters:
    ///   - store: The store that bodies are looked up and kept in, such as a ``DiskCache``.
    ///   - key: Returns what a request's body is found by. Two requests with the same key must stand for the same body.
    ///   - priority: Returns the priority of a request among those that wait to read the store.
    ///   - policy: Returns the use that a request makes of the store. This tier asks no server whether a body is as it was:
    ///     ``CachePolicy/revalidate`` loads it anew.
    ///   - openBodies: The number of bodies that are read at once; other loads wait, and hold nothing.
    ///   - threads: The threads that the store is used on. Nothing else should run there: a store that hangs holds them up.
    ///   - clock: The clock that measures how long a load has waited for the store.
    public func cached(
        in store: some BodyStore, by key: @escaping @Sendable (Request) -> CacheKey,
        priority: @escaping @Sendable (Request) -> LoadPriority = { _ in .normal },
        policy: @escaping @Sendable (Request) -> CachePolicy = { _ in .useCache }, openBodies: Int = 16,
        on threads: ThreadPoolScheduler, clock: StoreClock = .system
    ) -> some Source<Request, DataEvent> {
        StoreCachedSource(
            upstream: self, tier: StoreTier(store, openBodies: openBodies, threads: threads, clock: clock),
            key: key, priority: priority, policy: policy)
    }
}

extension Source where Request == ImageRequest, Event == DataEvent {
    /// Keeps bodies in a store, byte for byte as they arrived, by ``ImageRequest/dataKey``.
    ///
    /// See ``Source/cached(in:by:priority:policy:openBodies:on:clock:)``.
    ///
    /// - Parameters:
    ///   - store: The store that bodies are looked up and kept in, such as a ``DiskCache``.
    ///   - openBodies: The number of bodies that are read at once; other loads wait, and hold nothing.
    ///   - threads: The threads that the store is used on, and nothing else.
    ///   - clock: The clock that measures how long a load has waited for the store.
    public func cached(
        in store: some BodyStore, openBodies: Int = 16, on threads: ThreadPoolScheduler, clock: StoreClock = .system
    ) -> some Source<ImageRequest, DataEvent> {
        cached(
            in: store, by: { $0.dataKey }, priority: { $0.priority }, policy: { $0.caching.disk },
            openBodies: openBodies,
            on: threads, clock: clock)
    }
}

private struct StoreCachedSource<Upstream: Source<Request, DataEvent>, Request>: Source {
    let upstream: Upstream
    let tier: StoreTier
    let key: @Sendable (Request) -> CacheKey
    let priority: @Sendable (Request) -> LoadPriority
    let policy: @Sendable (Request) -> CachePolicy

    func events(for request: Request) -> AnyPublisher<DataEvent, LoadError> {
        Deferred { () -> AnyPublisher<DataEvent, LoadError> in
            let policy = policy(request)
            guard policy.mayStore else { return upstream.events(for: request) }
            let load = tier.load(of: key(request), priority: priority(request))
            guard policy.mayServe else { return loaded(request, load, policy) }
            let serve: @Sendable (any StoredBody) -> ServedBody? = { body in
                guard let end = EntryEnd(metadata: body.metadata) else { return ServedBody() }
                let rest = end.time - tier.store.wallClock
                guard rest <= .zero else { return ServedBody(provenance: Provenance(.disk, lifetime: rest)) }
                // If that fails it is not served either.
                try? body.removal()
                return nil
            }
            if policy == .cacheOnly { return load.stored(as: serve) { notCached } }
            return load.storedOnce(as: serve) { loaded(request, load, policy) }
        }.eraseToAnyPublisher()
    }

    private func loaded(
        _ request: Request, _ load: StoreLoad, _ policy: CachePolicy
    ) -> AnyPublisher<DataEvent, LoadError> {
        let brought = load.begin()
        let events = load.recorded(upstream.events(for: request), as: brought, replaces: !policy.mayServe) { response in
            let now = tier.store.wallClock
            var end = response.provenance.lifetime.map { now + $0 }
            if case .expires(let own) = policy { end = min(own, end ?? own) }
            guard let end else { return [] }
            return end > now ? EntryEnd(time: end).metadata : nil
        }
        // Where it was not looked for there may be one.
        return policy.mayServe ? events : events.catch { load.forgetting($0, as: brought) }.eraseToAnyPublisher()
    }

    private var notCached: AnyPublisher<DataEvent, LoadError> { Fail(error: .notCached).eraseToAnyPublisher() }
}

/// The moment from which an entry is not served any more, in the bytes beside its body: milliseconds since 1970.
private struct EntryEnd {
    let time: Duration

    init(time: Duration) { self.time = time }

    /// Reads it; nil for an entry that has none.
    init?(metadata: [UInt8]) {
        guard let time = Duration(stored: metadata) else { return nil }
        self.time = time
    }

    var metadata: [UInt8] { time.storedBytes }
}
