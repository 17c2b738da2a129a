import Streams
import Synchronization

extension Source {
    /// Serves final values from memory.
    ///
    /// A hit is delivered at once, on the thread that subscribes, and nothing upstream is touched. A value whose time is over
    /// (``Provenance/freshness``), or that the policy wants to be asked about, is delivered as a degraded one until the final one is there.
    /// The upstream should have ``stored(in:by:cost:policy:now:)``.
    ///
    /// - Parameters:
    ///   - cache: The cache that values are looked up in.
    ///   - key: Returns what a request's value is found by.
    ///   - policy: Returns the use that a request makes of the cache.
    public func served<Value>(
        from cache: MemoryCache<CacheKey, Value>, by key: @escaping @Sendable (Request) -> CacheKey,
        policy: @escaping @Sendable (Request) -> CachePolicy = { _ in .useCache }
    ) -> some Source<Request, LoadEvent<Value>> where Event == LoadEvent<Value> {
        MemoryServedSource(upstream: self, cache: cache, use: StatedUse(key: key, policy: policy))
    }

    /// Keeps final values in memory and serves them from there: ``stored(in:by:cost:policy:now:)`` and
    /// ``served(from:by:policy:)`` in one, for sources whose loads are not shared.
    ///
    /// - Parameters:
    ///   - cache: The cache that values are looked up and kept in.
    ///   - key: Returns what a request's value is found by. Two requests with the same key must stand for the same value.
    ///   - cost: Returns what a value costs, in the unit of the cache's limit.
    ///   - policy: Returns the use that a request makes of the cache.
    ///   - now: The wall clock, as the time since 1970, by which ``CachePolicy/expires(at:)`` is measured.
    public func cached<Value>(
        in cache: MemoryCache<CacheKey, Value>, by key: @escaping @Sendable (Request) -> CacheKey,
        cost: @escaping @Sendable (Value) -> Int,
        policy: @escaping @Sendable (Request) -> CachePolicy = { _ in .useCache },
        now: @escaping @Sendable () -> Duration = { DiskCache.timeSinceEpoch }
    ) -> some Source<Request, LoadEvent<Value>> where Event == LoadEvent<Value> {
        // The release compiler crashes on a client of an opaque type that is made of two others.
        AnySource(
            stored(in: cache, by: key, cost: cost, policy: policy, now: now)
                .served(from: cache, by: key, policy: policy))
    }
}

extension Source where Request == ImageRequest, Event == ImageEvent {
    /// Serves final images from memory, by ``ImageRequest/imageKey``. One whose time is over is delivered as a degraded one to requests
    /// that want ``ImageRequest/previews``.
    ///
    /// - Parameter cache: The cache that images are looked up in.
    public func served(from cache: MemoryCache<CacheKey, Image>) -> some Source<ImageRequest, ImageEvent> {
        MemoryServedSource(upstream: self, cache: cache, use: ImageUse())
    }

    /// Keeps final images in memory and serves them from there, by ``ImageRequest/imageKey`` and at the cost of their bytes.
    ///
    /// - Parameter cache: The cache that images are looked up and kept in.
    public func cached(in cache: MemoryCache<CacheKey, Image>) -> some Source<ImageRequest, ImageEvent> {
        AnySource(stored(in: cache).served(from: cache))
    }
}

/// The use that requests make of a cache in memory. A type for images, and no closures, which a hit would be slower by.
private protocol MemoryUse<Request>: Sendable {
    associatedtype Request: Sendable

    func key(of request: Request) -> CacheKey
    func policy(of request: Request) -> CachePolicy
    /// Whether a request wants degraded values.
    func wantsPreviews(_ request: Request) -> Bool
    /// Returns the request that is made of upstream behind a degraded value.
    func refreshing(_ request: Request) -> Request
}

private struct StatedUse<Request: Sendable>: MemoryUse {
    let key: @Sendable (Request) -> CacheKey
    let policy: @Sendable (Request) -> CachePolicy

    func key(of request: Request) -> CacheKey { key(request) }
    func policy(of request: Request) -> CachePolicy { policy(request) }
    func wantsPreviews(_ request: Request) -> Bool { true }
    func refreshing(_ request: Request) -> Request { request }
}

private struct ImageUse: MemoryUse {
    func key(of request: ImageRequest) -> CacheKey { request.imageKey }
    func policy(of request: ImageRequest) -> CachePolicy { request.memoryPolicy }
    func wantsPreviews(_ request: ImageRequest) -> Bool { request.previews }
    func refreshing(_ request: ImageRequest) -> ImageRequest { request.withoutPreviews }
}

private final class MemoryServedSource<Use: MemoryUse, Value: Sendable>: Source {
    let upstream: @Sendable (Use.Request) -> AnyPublisher<LoadEvent<Value>, LoadError>
    let cache: MemoryCache<CacheKey, Value>
    let use: Use

    init(upstream: some Source<Use.Request, LoadEvent<Value>>, cache: MemoryCache<CacheKey, Value>, use: Use) {
        self.upstream = { upstream.events(for: $0) }
        self.cache = cache
        self.use = use
    }

    func events(for request: Use.Request) -> AnyPublisher<LoadEvent<Value>, LoadError> {
        AnyPublisher(MemoryLookUp(request, in: self))
    }

    func deliver<S: Subscriber>(
        _ hit: MemoryCache<CacheKey, Value>.Hit, to subscriber: S, unless isCancelled: () -> Bool
    ) where S.Input == LoadEvent<Value>, S.Failure == LoadError {
        guard !isCancelled() else { return }
        _ = subscriber.receive(.final(hit.value, provenance(of: hit)))
        if !isCancelled() { subscriber.receive(completion: .finished) }
    }

    private func provenance(of hit: MemoryCache<CacheKey, Value>.Hit) -> Provenance {
        guard hit.entry.times != nil else { return Provenance(.memory, isLossy: hit.isLossy) }
        let rest = cache.rest(of: hit)
        return Provenance(.memory, freshFor: rest.freshness, lifetime: rest.lifetime, isLossy: hit.isLossy)
    }
}

/// Looks up when it is subscribed to, and delivers a hit itself, at the first request.
///
/// It is also the subscription of the first subscriber that has a hit: a hit is as quick as it makes few objects. What is requested
/// while the subscriber receives the subscription, as most do, is delivered when it has returned, and need not be kept until then.
private final class MemoryLookUp<Use: MemoryUse, Value: Sendable>: Publisher, Subscription {
    typealias Output = LoadEvent<Value>
    typealias Failure = LoadError

    private let source: MemoryServedSource<Use, Value>
    private let request: Use.Request
    private let marks = Atomic<UInt8>(0)
    private let waiting = Mutex<HitDelivery?>(nil)

    init(_ request: Use.Request, in source: MemoryServedSource<Use, Value>) {
        self.request = request
        self.source = source
    }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        let policy = source.use.policy(of: request)
        let hit = policy == .reload || policy == .noStore ? nil : source.cache.hit(forKey: source.use.key(of: request))
        if let hit, hit.isFresh, policy.mayServe {
            if set(.taken).contains(.taken) {
                MemoryLookUp(request, in: source).begin(hit, for: subscriber)
            } else {
                begin(hit, for: subscriber)
            }
        } else if policy == .cacheOnly {
            Fail(error: .notCached).receive(subscriber: subscriber)
        } else if let hit, source.use.wantsPreviews(request) {
            refreshing(hit.value).receive(subscriber: subscriber)
        } else {
            source.upstream(request).receive(subscriber: subscriber)
        }
    }

    /// A value whose time is over, and what upstream has to say: asked at once, whatever is requested.
    private func refreshing(_ value: Value) -> ConflatedEvents<Value> {
        ConflatedEvents { [source, request] member in
            let sink = Subscribers.Sink<LoadEvent<Value>, LoadError>(
                receiveCompletion: { member.send(completion: $0) },
                // An image before the final one is no better than the one that was whole a moment ago.
                receiveValue: { if !$0.isDegraded { member.send($0) } })
            member.bind(sink)
            member.send(.degraded(value, quality: 1))
            guard !member.isCancelled else { return }
            source.upstream(source.use.refreshing(request)).subscribe(sink)
        }
    }

    private func begin<S: Subscriber>(_ hit: MemoryCache<CacheKey, Value>.Hit, for subscriber: S)
    where S.Input == Output, S.Failure == Failure {
        subscriber.receive(subscription: self)
        guard !has(.requested) else { return source.deliver(hit, to: subscriber) { has(.cancelled) } }
        let delivery = HitDelivery { [source] in source.deliver(hit, to: subscriber, unless: $0) }
        waiting.withLock { $0 = delivery }
        // Whoever comes second, this or the request, delivers.
        if !set(.waiting).isDisjoint(with: [.requested, .cancelled]) { deliverWaiting() }
    }

    func request(_ demand: Subscribers.Demand) {
        if demand > .none, set(.requested).contains(.waiting) { deliverWaiting() }
    }

    func cancel() {
        // Released outside the lock.
        if set(.cancelled).contains(.waiting) { _ = takeWaiting() }
    }

    private func set(_ mark: HitMarks) -> HitMarks {
        HitMarks(rawValue: marks.bitwiseOr(mark.rawValue, ordering: .acquiringAndReleasing).oldValue)
    }

    private func has(_ mark: HitMarks) -> Bool {
        HitMarks(rawValue: marks.load(ordering: .acquiring)).contains(mark)
    }

    private func deliverWaiting() {
        takeWaiting()?.run { has(.cancelled) }
    }

    private func takeWaiting() -> HitDelivery? {
        waiting.withLock { $0.take() }
    }
}

/// Delivers a hit. A closure, and nothing that has the value's type: the runtime would look up what is made of that for each hit, which takes
/// as long as all the rest. A closure in a structure: one on its own would get others around it, to be kept by what is generic.
private struct HitDelivery: Sendable {
    let run: @Sendable (_ isCancelled: () -> Bool) -> Void
}

/// The past of a look-up: a subscriber has it for its subscription, has requested something or cancelled, and the hit waits for that.
private struct HitMarks: OptionSet {
    let rawValue: UInt8

    static let taken = HitMarks(rawValue: 1)
    static let requested = HitMarks(rawValue: 2)
    static let cancelled = HitMarks(rawValue: 4)
    static let waiting = HitMarks(rawValue: 8)
}
