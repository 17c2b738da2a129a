import Streams

extension Source {
    /// Keeps final values in memory, for as long as their freshness and the policy allow to serve them. Degraded values are never kept.
    ///
    /// Of what loads of one key bring at the same time that counts whose server was asked last: what another brings late takes nobody's place.
    /// A value that its server has no more (404, 410) is forgotten.
    ///
    ///     decoded.stored(in: memory, …).coalesced(by: key).served(from: memory, by: key)
    ///
    /// Before `coalesced(by:)` it keeps the value of each load once, whoever shares the load and whatever they have requested.
    ///
    /// - Parameters:
    ///   - cache: The cache that values are kept in.
    ///   - key: Returns what a request's value is found by. Two requests with the same key must stand for the same value.
    ///   - cost: Returns what a value costs, in the unit of the cache's limit.
    ///   - policy: Returns the use that a request makes of the cache.
    ///   - now: The wall clock, as the time since 1970, by which ``CachePolicy/expires(at:)`` is measured.
    public func stored<Value>(
        in cache: MemoryCache<CacheKey, Value>, by key: @escaping @Sendable (Request) -> CacheKey,
        cost: @escaping @Sendable (Value) -> Int,
        policy: @escaping @Sendable (Request) -> CachePolicy = { _ in .useCache },
        now: @escaping @Sendable () -> Duration = { DiskCache.timeSinceEpoch }
    ) -> some Source<Request, LoadEvent<Value>> where Event == LoadEvent<Value> {
        stored(in: cache, by: key, of: key, cost: cost, policy: policy, now: now, keeps: { _ in true })
    }

    /// - Parameters:
    ///   - resource: Returns what tells apart the things that values are of: none is kept that is older than what a load has brought of the same.
    ///   - keeps: whether a final value may be kept. For one that may not, the value before it is forgotten all the same.
    private func stored<Value>(
        in cache: MemoryCache<CacheKey, Value>, by key: @escaping @Sendable (Request) -> CacheKey,
        of resource: @escaping @Sendable (Request) -> CacheKey, cost: @escaping @Sendable (Value) -> Int,
        policy: @escaping @Sendable (Request) -> CachePolicy, now: @escaping @Sendable () -> Duration,
        keeps: @escaping @Sendable (Value) -> Bool
    ) -> AnySource<Request, LoadEvent<Value>> where Event == LoadEvent<Value> {
        let order = WriteOrder(now: now)
        return AnySource { [self] request in
            let policy = policy(request)
            guard policy.mayStore else { return events(for: request) }
            let key = key(request)
            let kept = { @Sendable (event: LoadEvent<Value>, brought: WriteOrder.Load) in
                guard case .final(let value, var provenance) = event,
                    let place = brought.place(for: provenance)
                else { return event }
                provenance = provenance.aged()
                var lifetime = provenance.lifetime
                if case .expires(let end) = policy {
                    let rest = end - now()
                    lifetime = min(rest, lifetime ?? rest)
                }
                if keeps(value), lifetime ?? .seconds(1) > .zero, provenance.freshness ?? .seconds(1) > .zero {
                    cache.insert(
                        value, forKey: key, cost: cost(value), freshFor: provenance.freshness,
                        lifetime: lifetime, isLossy: provenance.isLossy)
                } else {
                    cache.removeValue(forKey: key)
                }
                // Another may have been kept between these two: of the two nobody knows which came last.
                if !place.isNewest { cache.removeValue(forKey: key) }
                return event
            }
            return Deferred {
                let brought = order.begin(key, of: resource(request))
                return events(for: request).map { kept($0, brought) }.handleEvents(receiveCompletion: { completion in
                    guard case .failure(let error) = completion, error.saysThatItIsGone else { return }
                    if brought.place() != nil { cache.removeValue(forKey: key) }
                })
            }.eraseToAnyPublisher()
        }
    }
}

extension Source where Request == ImageRequest, Event == ImageEvent {
    /// Keeps final images in memory, by ``ImageRequest/imageKey`` and at the cost of their bytes. Its place is before
    /// ``coalesced()``: each load is then kept once.
    ///
    /// A picture that is damaged is not kept: it is made anew of its bytes whenever it is requested, so that each load says so.
    ///
    /// - Parameters:
    ///   - cache: The cache that images are kept in.
    ///   - now: The wall clock, as the time since 1970, by which ``CachePolicy/expires(at:)`` is measured.
    public func stored(
        in cache: MemoryCache<CacheKey, Image>, now: @escaping @Sendable () -> Duration = { DiskCache.timeSinceEpoch }
    ) -> some Source<ImageRequest, ImageEvent> {
        stored(
            in: cache, by: { $0.imageKey }, of: { $0.dataKey }, cost: { $0.byteCount }, policy: { $0.memoryPolicy },
            now: now,
            keeps: { $0.damage == nil })
    }
}
