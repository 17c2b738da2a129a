import Streams

extension Source where Request == ImageRequest, Event == DataEvent {
    /// Keeps bodies on disk for as long as HTTP allows, by ``ImageRequest/dataKey`` (RFC 9111, as a private cache).
    ///
    /// A response that is fresh is served without asking anybody. One that is not is validated: if the server answers that it is as it
    /// was (304), the stored body is served and counts as new; any other body takes its place. Within `stale-while-revalidate` the stored
    /// one is delivered before the server is asked (``DataResponse/isProvisional``), and stays if it cannot be. `no-store`, `no-cache`,
    /// `must-revalidate`, `immutable`, `stale-if-error` and `Vary` are heeded, and of a request's own `Cache-Control` field `no-cache`,
    /// `no-store`, `max-age`, `min-fresh`, `max-stale`, `stale-if-error` and `only-if-cached`, which fails with ``LoadError/notCached`` on
    /// a miss. A server that answers 404 or 410 to a validation ends the entry.
    ///
    /// Responses without a word about their freshness are fresh for a tenth of their age at arrival, or validated each time.
    ///
    /// - Parameters:
    ///   - cache: The cache that bodies are looked up and kept in; its clock counts.
    ///   - openFiles: The number of entries that are open for reading at once. Other loads wait, by ``ImageRequest/priority``.
    ///   - threads: The threads that read and write the disk; events are delivered there too.
    public func httpCached(
        in cache: DiskCache, openFiles: Int = 16, on threads: ThreadPoolScheduler
    ) -> some Source<ImageRequest, DataEvent> {
        HTTPCachedSource(
            upstream: self, tier: DiskTier(cache: cache, gate: AdmissionGate(limit: openFiles), threads: threads))
    }
}

private struct HTTPCachedSource<Upstream: Source<ImageRequest, DataEvent>>: Source {
    let upstream: Upstream
    let tier: DiskTier

    func events(for request: ImageRequest) -> AnyPublisher<DataEvent, LoadError> {
        let goesPast = request.caching.disk == .reload || request.caching.disk == .noStore
        let request = request.statingDiskPolicy
        if goesPast { return Deferred { answer(to: request, having: nil) }.eraseToAnyPublisher() }
        return Deferred { () -> AnyPublisher<DataEvent, LoadError> in
            let stale = Noted<StoredResponse>()
            let provisional = Noted<StoredResponse>()
            return hit(request) { entry in
                guard let stored = StoredResponse(metadata: entry.metadata), stored.matches(request.headers) else {
                    return nil
                }
                switch stored.use(for: request.headers, at: tier.cache.now()) {
                case .serve: return stored
                case .serveStale:
                    provisional.note(stored)
                    return stored
                case .validate:
                    stale.note(stored)
                    return nil
                }
            }
            .map { event in
                guard provisional.value != nil, case .response(var response) = event else { return event }
                response.isProvisional = true
                return .response(response)
            }
            .append(Deferred { provisional.value.map { renewal(of: $0, request) } ?? nothing })
            .switchIfEmpty(Deferred { answer(to: request, having: stale.value) })
            .eraseToAnyPublisher()
        }.eraseToAnyPublisher()
    }

    /// What takes the place of a response that has been delivered: nothing if it is as it was, or if the server cannot be asked.
    private func renewal(of stored: StoredResponse, _ request: ImageRequest) -> AnyPublisher<DataEvent, LoadError> {
        let isBegun = Noted<Bool>()
        return answer(to: request, having: stored, isDelivered: true)
            .handleEvents(receiveOutput: { _ in isBegun.note(true) })
            .catch { error -> AnyPublisher<DataEvent, LoadError> in
                if error.saysThatItIsGone { tier.cache.remove(request.dataKey) }
                return isBegun.value == true ? Fail(error: error).eraseToAnyPublisher() : nothing
            }.eraseToAnyPublisher()
    }

    /// The body of an entry, with its freshness; nothing for a miss, and where the closure returns nil for its response.
    private func hit(
        _ request: ImageRequest, choosing response: @escaping @Sendable (DiskEntry) -> StoredResponse?
    ) -> AnyPublisher<DataEvent, LoadError> {
        Deferred {
            let freshness = Noted<Duration?>()
            return tier.hit(request.dataKey, priority: request.priority) { entry in
                guard let response = response(entry) else { return false }
                freshness.note(response.statedFreshness(at: tier.cache.now()))
                return true
            }
            .map { event in
                guard case .response(var response) = event else { return event }
                response.provenance.freshness = freshness.value ?? nil
                return .response(response)
            }
        }.eraseToAnyPublisher()
    }

    /// The server's answer, or what of the cache takes its place.
    ///
    /// - Parameters:
    ///   - stored: The response that is in the cache and may not be served without a word from the server.
    ///   - isDelivered: Whether its body is with the subscriber already.
    private func answer(
        to request: ImageRequest, having stored: StoredResponse?, isDelivered: Bool = false
    ) -> AnyPublisher<DataEvent, LoadError> {
        if CacheDirectives(request.headers).has("only-if-cached") {
            return Fail(error: .notCached).eraseToAnyPublisher()
        }
        var asked = request
        asked.validators = stored?.validators
        let (cache, key, requestTime) = (tier.cache, request.dataKey, tier.cache.now())
        // Nil inside: the server has confirmed another response.
        let confirmation = Noted<StoredResponse?>()
        let events = tier.recorded(upstream.events(for: asked), by: key) { response in
            // HTTP's rules know no end that a client sets: the body goes by.
            if case .expires = request.caching.disk { return nil }
            return response.head.flatMap { head in
                StoredResponse(head, to: request.headers, requestTime: requestTime, responseTime: cache.now())?.metadata
            }
        }
        guard let stored else { return events }
        return
            events
            .filter { event in
                guard case .response(let response) = event, response.status == 304, let head = response.head else {
                    return true
                }
                confirmation.note(stored.confirmed(by: head, requestTime: requestTime, responseTime: cache.now()))
                return false
            }
            .append(Deferred { confirmation.value.map { confirmed(stored, as: $0, request, isDelivered) } ?? nothing })
            .catch { error in
                isDelivered ? Fail(error: error).eraseToAnyPublisher() : replacement(of: error, stored, request)
            }
            .eraseToAnyPublisher()
    }

    /// The stored body, which the server has said is as it was; what it was said of may have left the cache since.
    private func confirmed(
        _ stored: StoredResponse, as confirmed: StoredResponse?, _ request: ImageRequest, _ isDelivered: Bool
    ) -> AnyPublisher<DataEvent, LoadError> {
        // Said of another response than the one that was asked about (RFC 9111, 4.3.4).
        guard let confirmed else { return answer(to: request, having: nil) }
        return hit(request) { entry in
            guard let present = StoredResponse(metadata: entry.metadata) else { return nil }
            if present == stored { keep(confirmed, of: entry, request) }
            if isDelivered { return nil }
            if present == stored { return confirmed }
            // Somebody else may have put a newer one there.
            return present.use(for: request.headers, at: tier.cache.now()) == .serve ? present : nil
        }
        .switchIfEmpty(Deferred { isDelivered ? nothing : answer(to: request, having: nil) })
        .eraseToAnyPublisher()
    }

    /// Notes what the server has said of an entry, unless nothing of it may be kept.
    private func keep(_ confirmed: StoredResponse, of entry: DiskEntry, _ request: ImageRequest) {
        if CacheDirectives(confirmed.headers).has("no-store") {
            tier.cache.remove(request.dataKey)
        } else if !CacheDirectives(request.headers).has("no-store") {
            tier.cache.update(entry, metadata: confirmed.metadata)
        }
    }

    private func replacement(
        of error: LoadError, _ stored: StoredResponse, _ request: ImageRequest
    ) -> AnyPublisher<DataEvent, LoadError> {
        let failure = Fail<DataEvent, LoadError>(error: error)
        if error.saysThatItIsGone {
            tier.cache.remove(request.dataKey)
        } else if error.mayPass, stored.mayReplaceError(for: request.headers, at: tier.cache.now()) {
            return hit(request) { entry in StoredResponse(metadata: entry.metadata) == stored ? stored : nil }
                .switchIfEmpty(failure).eraseToAnyPublisher()
        }
        return failure.eraseToAnyPublisher()
    }

    private var nothing: AnyPublisher<DataEvent, LoadError> { Empty().eraseToAnyPublisher() }
}

extension LoadError {
    fileprivate var saysThatItIsGone: Bool {
        switch self {
        case .status(404), .status(410): true
        default: false
        }
    }

    /// Whether the same request may succeed later (RFC 5861, 4).
    fileprivate var mayPass: Bool {
        switch self {
        case .status(500), .status(502), .status(503), .status(504), .busy(503, _), .transport: true
        default: false
        }
    }
}
