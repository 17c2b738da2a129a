import Streams
import Synchronization

extension Source where Request == ImageRequest, Event == DataEvent {
    /// Keeps bodies in a store for as long as HTTP allows, by ``ImageRequest/dataKey`` (RFC 9111, as a private cache).
    ///
    /// A response that is fresh is served without asking anybody. One that is not is validated: if the server answers that it is as it
    /// was (304), the stored body is served and counts as new; any other body takes its place, unless the one there was asked for when
    /// this had come. Within `stale-while-revalidate` the stored one is delivered before the server is asked
    /// (``DataResponse/isProvisional``), and stays if it cannot be. `no-store`, `no-cache`,
    /// `must-revalidate`, `immutable`, `stale-if-error` and `Vary` are heeded, and of a request's own `Cache-Control` field `no-cache`,
    /// `no-store`, `max-age`, `min-fresh`, `max-stale`, `stale-if-error` and `only-if-cached`, which fails with ``LoadError/notCached`` on
    /// a miss. A server that answers 404 or 410 to a validation ends the entry.
    ///
    /// Of processes that miss one body at once one loads it, where the store has leases. A store that is slow or fails makes no load fail:
    /// see ``Source/cached(in:by:priority:policy:openBodies:on:clock:)``.
    ///
    /// Responses without a word about their freshness are fresh for a tenth of their age at arrival, or validated each time.
    ///
    /// - Parameters:
    ///   - store: The store that bodies are looked up and kept in, such as a ``DiskCache``; its wall clock counts.
    ///   - openBodies: The number of bodies that are read at once. Other loads wait, by ``ImageRequest/priority``.
    ///   - threads: The threads that the store is used on. Nothing else should run there: a store that hangs holds them up.
    ///   - clock: The clock that measures how long a load has waited for the store.
    public func httpCached(
        in store: some BodyStore, openBodies: Int = 16, on threads: ThreadPoolScheduler, clock: StoreClock = .system
    ) -> some Source<ImageRequest, DataEvent> {
        HTTPCachedSource(
            upstream: self, tier: StoreTier(store, openBodies: openBodies, threads: threads, clock: clock))
    }
}

private struct HTTPCachedSource<Upstream: Source<ImageRequest, DataEvent>>: Source {
    let upstream: Upstream
    let tier: StoreTier

    func events(for request: ImageRequest) -> AnyPublisher<DataEvent, LoadError> {
        let goesPast = request.caching.disk == .reload || request.caching.disk == .noStore
        let request = request.statingDiskPolicy
        return Deferred { () -> AnyPublisher<DataEvent, LoadError> in
            let load = tier.load(of: request.dataKey, priority: request.priority)
            if goesPast { return answer(to: request, having: nil, load, supersedes: request.caching.disk == .reload) }
            let stale = Noted<StoredResponse>()
            // The response that is delivered before the server is asked, unless the store fails in its middle.
            let provisional = Noted<StoredResponse?>()
            let serve: @Sendable (any StoredBody) -> ServedBody? = { body in
                guard let stored = StoredResponse(metadata: body.metadata), stored.matches(request.headers) else {
                    return nil
                }
                switch stored.use(for: request.headers, at: tier.store.wallClock) {
                case .serve: return served(stored)
                case .serveStale:
                    provisional.note(stored)
                    return served(stored, isProvisional: true)
                case .validate:
                    stale.note(stored)
                    return nil
                }
            }
            return load.storedOnce(as: serve) {
                provisional.note(nil)
                return answer(to: request, having: stale.value, load)
            }
            .append(Deferred { provisional.value.flatMap { $0 }.map { renewal(of: $0, request, load) } ?? nothing })
            .eraseToAnyPublisher()
        }.eraseToAnyPublisher()
    }

    private func served(_ stored: StoredResponse, isProvisional: Bool = false) -> ServedBody {
        let freshness = stored.statedFreshness(at: tier.store.wallClock)
        return ServedBody(provenance: Provenance(.disk, freshFor: freshness), isProvisional: isProvisional)
    }

    /// The events that replace a response that has been delivered: none if it is as it was, or if the server cannot be asked. If what was
    /// to replace it is cut, it is delivered again, for good.
    private func renewal(
        of stored: StoredResponse, _ request: ImageRequest, _ load: StoreLoad
    ) -> AnyPublisher<DataEvent, LoadError> {
        let isBegun = Noted<Bool>()
        return answer(to: request, having: stored, load, isDelivered: true)
            .handleEvents(receiveOutput: { _ in isBegun.note(true) })
            .catch { error -> AnyPublisher<DataEvent, LoadError> in
                let failure = Fail<DataEvent, LoadError>(error: error).eraseToAnyPublisher()
                if error.saysThatItIsGone {
                    return load.remove().append(isBegun.value == true ? failure : nothing).eraseToAnyPublisher()
                }
                return isBegun.value == true ? again(stored, load, else: failure) : nothing
            }.eraseToAnyPublisher()
    }

    /// The server's answer, or what of the cache takes its place.
    ///
    /// - Parameters:
    ///   - stored: The response that is in the cache and may not be served without a word from the server.
    ///   - isDelivered: Whether its body is with the subscriber already.
    ///   - supersedes: Whether the answer takes the place of a response that is in the cache, also where that is not asked about.
    private func answer(
        to request: ImageRequest, having stored: StoredResponse?, _ load: StoreLoad, isDelivered: Bool = false,
        supersedes: Bool = false
    ) -> AnyPublisher<DataEvent, LoadError> {
        if CacheDirectives(request.headers).has("only-if-cached") {
            return Fail(error: .notCached).eraseToAnyPublisher()
        }
        var asked = request
        asked.validators = stored?.validators
        let (store, requestTime) = (tier.store, tier.store.wallClock)
        // Nil inside: the server has confirmed another response.
        let confirmation = Noted<StoredResponse?>()
        let metadata: @Sendable (DataResponse) -> [UInt8]? = { response in
            // HTTP's rules know no end that a client sets: the body goes by.
            guard request.caching.disk.mayStoreForGood else { return nil }
            return response.head.flatMap { head in
                StoredResponse(head, to: request.headers, requestTime: requestTime, responseTime: store.wallClock)?
                    .metadata
            }
        }
        let events = load.recorded(upstream.events(for: asked), unless: isOlder, metadata: metadata)
        guard stored != nil || supersedes else { return events }
        let newer = superseding(events, of: request, load) { $0.isStorable && metadata($0) != nil }
        guard let stored else { return newer.catch { load.forgetting($0) }.eraseToAnyPublisher() }
        return
            newer
            .filter { event in
                guard case .response(let response) = event, response.status == 304, let head = response.head else {
                    return true
                }
                confirmation.note(stored.confirmed(by: head, requestTime: requestTime, responseTime: store.wallClock))
                return false
            }
            .append(
                Deferred { confirmation.value.map { confirmed(stored, as: $0, request, load, isDelivered) } ?? nothing }
            )
            .catch { error in
                isDelivered ? Fail(error: error).eraseToAnyPublisher() : replacement(of: error, stored, request, load)
            }
            .eraseToAnyPublisher()
    }

    /// Whether a response had come before the one in the store was asked for. One of the future is of a clock that was wrong.
    private func isOlder(_ own: [UInt8], _ present: [UInt8]) -> Bool {
        guard let own = StoredResponse(metadata: own), let present = StoredResponse(metadata: present) else {
            return false
        }
        return present.requestTime > own.responseTime && present.requestTime <= tier.store.wallClock
    }

    /// The stored body, which the server has said is as it was; what it was said of may have left the cache since.
    private func confirmed(
        _ stored: StoredResponse, as confirmed: StoredResponse?, _ request: ImageRequest, _ load: StoreLoad,
        _ isDelivered: Bool
    ) -> AnyPublisher<DataEvent, LoadError> {
        // Said of another response than the one that was asked about (RFC 9111, 4.3.4).
        guard let confirmed else { return answer(to: request, having: nil, load, supersedes: true) }
        let serve: @Sendable (any StoredBody) -> ServedBody? = { body in
            guard let present = StoredResponse(metadata: body.metadata) else { return nil }
            if present == stored { keep(confirmed, of: body, request) }
            if isDelivered { return nil }
            if present == stored { return served(confirmed) }
            // Somebody else may have put a newer one there.
            return present.use(for: request.headers, at: tier.store.wallClock) == .serve ? served(present) : nil
        }
        return load.stored(as: serve) {
            isDelivered ? nothing : answer(to: request, having: nil, load)
        }
    }

    /// Notes what the server has said of a body, unless nothing of it may be kept. If the store fails, it is validated again the next
    /// time.
    private func keep(_ confirmed: StoredResponse, of body: any StoredBody, _ request: ImageRequest) {
        if CacheDirectives(confirmed.headers).has("no-store") {
            try? tier.store.removeBody(for: request.dataKey)
        } else if !CacheDirectives(request.headers).has("no-store") {
            try? tier.store.setMetadata(confirmed.metadata, of: body)
        }
    }

    private func replacement(
        of error: LoadError, _ stored: StoredResponse, _ request: ImageRequest, _ load: StoreLoad
    ) -> AnyPublisher<DataEvent, LoadError> {
        guard error.mayPass, stored.mayReplaceError(for: request.headers, at: tier.store.wallClock) else {
            return load.forgetting(error)
        }
        return again(stored, load, else: Fail(error: error).eraseToAnyPublisher())
    }

    /// Removes what is in the cache when a response has come in its place that is not to be kept there, or of which no more is wanted than
    /// its beginning. One that is cut takes nobody's place.
    private func superseding(
        _ events: AnyPublisher<DataEvent, LoadError>, of request: ImageRequest, _ load: StoreLoad,
        isStorable: @escaping @Sendable (DataResponse) -> Bool
    ) -> AnyPublisher<DataEvent, LoadError> {
        guard request.caching.disk.mayStoreForGood, !CacheDirectives(request.headers).has("no-store") else {
            return events
        }
        // The facts of such a response: whether it may be kept, and the bytes that are still to come of it.
        let newer = Mutex<(isStorable: Bool, rest: Int)?>(nil)
        return events.handleEvents(
            receiveOutput: { event in
                switch event {
                case .response(let response):
                    guard response.status != 304 else { return }
                    newer.withLock { $0 = (isStorable(response), response.expectedLength ?? .max) }
                case .chunk(let bytes): newer.withLock { $0?.rest -= bytes.count }
                }
            },
            receiveCancel: {
                guard let newer = newer.withLock({ $0 }), newer.rest > 0 || !newer.isStorable else { return }
                load.aside { try load.store.removeBody(for: load.key) }
            }
        )
        .append(Deferred { newer.withLock { $0?.isStorable == false } ? load.remove() : nothing })
        .eraseToAnyPublisher()
    }

    /// The stored body, if it is still in the cache.
    private func again(
        _ stored: StoredResponse, _ load: StoreLoad, else failure: AnyPublisher<DataEvent, LoadError>
    ) -> AnyPublisher<DataEvent, LoadError> {
        let serve: @Sendable (any StoredBody) -> ServedBody? = { body in
            StoredResponse(metadata: body.metadata) == stored ? served(stored) : nil
        }
        return load.stored(as: serve) { failure }
    }

    private var nothing: AnyPublisher<DataEvent, LoadError> { Empty().eraseToAnyPublisher() }
}

extension LoadError {
    /// Whether the same request may succeed later (RFC 5861, 4).
    fileprivate var mayPass: Bool {
        switch self {
        case .status(500), .status(502), .status(503), .status(504), .busy(503, _), .transport: true
        default: false
        }
    }
}
