import Streams
import Synchronization

extension Source where Request == ImageRequest, Event == DataEvent {
    /// Keeps bodies in a store for as long as HTTP allows, by ``ImageRequest/dataKey`` (RFC 9111, as a private cache).
    ///
    /// A response that is fresh is served without asking anybody. One that is not is validated: if the server answers that it is as it
    /// was (304), the stored body is served and counts as new; any other answer takes its place, or removes it where it is not to be kept.
    /// A load that asked before it and ends later takes no place if it is one of the same process. Within
    /// `stale-while-revalidate` the stored one is delivered before the server is asked (``DataResponse/isProvisional``), and stays if it
    /// cannot be. `no-store`, `no-cache`, `must-revalidate`, `immutable`, `stale-if-error` and `Vary` are heeded, and of a request's own
    /// `Cache-Control` field `no-cache`, `no-store`, `max-age`, `min-fresh`, `max-stale`, `stale-if-error` and `only-if-cached`,
    /// which fails with ``LoadError/notCached`` on a miss. A server that answers 404 or 410 to a validation ends the entry.
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
            if goesPast { return answer(to: request, having: nil, load, as: load.begin()) }
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
                return answer(to: request, having: stale.value, load, as: load.begin())
            }
            .append(Deferred { provisional.value.flatMap { $0 }.map { renewal(of: $0, request, load) } ?? nothing })
            .eraseToAnyPublisher()
        }.eraseToAnyPublisher()
    }

    private func served(
        _ stored: StoredResponse, asked: AskingTime? = nil, isProvisional: Bool = false
    ) -> ServedBody {
        var provenance = Provenance(.disk, freshFor: stored.statedFreshness(at: tier.store.wallClock))
        provenance.asked = asked ?? AskingTime(noted: stored.requestTime)
        return ServedBody(provenance: provenance, isProvisional: isProvisional)
    }

    /// The events that replace a response that has been delivered: none if it is as it was, or if the server cannot be asked. If what was
    /// to replace it is cut, it is delivered again, for good.
    private func renewal(
        of stored: StoredResponse, _ request: ImageRequest, _ load: StoreLoad
    ) -> AnyPublisher<DataEvent, LoadError> {
        let isBegun = Noted<Bool>()
        let brought = load.begin()
        return answer(to: request, having: stored, load, as: brought, isDelivered: true)
            .handleEvents(receiveOutput: { _ in isBegun.note(true) })
            .catch { error -> AnyPublisher<DataEvent, LoadError> in
                let failure = Fail<DataEvent, LoadError>(error: error).eraseToAnyPublisher()
                if error.saysThatItIsGone {
                    return load.remove(as: brought).append(isBegun.value == true ? failure : nothing)
                        .eraseToAnyPublisher()
                }
                return isBegun.value == true ? again(stored, load, else: failure) : nothing
            }.eraseToAnyPublisher()
    }

    /// The server's answer, or what of the cache takes its place.
    ///
    /// - Parameters:
    ///   - stored: The response that is in the cache and may not be served without a word from the server.
    ///   - isDelivered: Whether its body is with the subscriber already.
    private func answer(
        to request: ImageRequest, having stored: StoredResponse?, _ load: StoreLoad, as brought: WriteOrder.Load,
        isDelivered: Bool = false
    ) -> AnyPublisher<DataEvent, LoadError> {
        if CacheDirectives(request.headers).has("only-if-cached") {
            return Fail(error: .notCached).eraseToAnyPublisher()
        }
        var question = request
        question.validators = stored?.validators
        let (store, asked) = (tier.store, AskingTime(now: tier.store.wallClock))
        let confirmation = Noted<Confirmation>()
        let metadata: @Sendable (DataResponse) -> [UInt8]? = { response in
            // HTTP's rules know no end that a client sets: the body goes by.
            guard request.caching.disk.mayStoreForGood else { return nil }
            return response.head.flatMap { head in
                StoredResponse(
                    head, to: request.headers, requestTime: (response.provenance.asked ?? asked).sinceEpoch,
                    responseTime: store.wallClock)?
                    .metadata
            }
        }
        let answers = upstream.events(for: question).map { $0.asked(at: asked, now: store.wallClock) }
        let isPast = !request.caching.disk.mayStoreForGood || CacheDirectives(request.headers).has("no-store")
        let events = load.recorded(
            answers.eraseToAnyPublisher(), as: brought, replaces: !isPast, unless: isOlder, metadata: metadata)
        guard let stored else {
            return isPast ? events : events.catch { load.forgetting($0, as: brought) }.eraseToAnyPublisher()
        }
        return
            events
            .filter { event in
                guard case .response(let response) = event, response.status == 304, let head = response.head else {
                    return true
                }
                let asked = response.provenance.asked ?? asked
                let confirmed = stored.confirmed(
                    by: head, requestTime: asked.sinceEpoch, responseTime: store.wallClock)
                confirmation.note(Confirmation(response: confirmed, asked: asked, place: brought.place(asked: asked)))
                return false
            }
            .append(
                Deferred {
                    confirmation.value.map { confirmed(stored, by: $0, request, load, isDelivered) } ?? nothing
                }
            )
            .catch { error in
                isDelivered
                    ? Fail(error: error).eraseToAnyPublisher()
                    : replacement(of: error, stored, request, load, as: brought)
            }
            .eraseToAnyPublisher()
    }

    private func isOlder(_ own: [UInt8], _ present: [UInt8]) -> Bool {
        StoredResponse(metadata: own)?.isOlder(than: present, at: tier.store.wallClock) ?? false
    }

    /// The stored body, which the server has said is as it was; what it was said of may have left the cache since.
    private func confirmed(
        _ stored: StoredResponse, by confirmation: Confirmation, _ request: ImageRequest, _ load: StoreLoad,
        _ isDelivered: Bool
    ) -> AnyPublisher<DataEvent, LoadError> {
        guard let confirmed = confirmation.response else {
            return answer(to: request, having: nil, load, as: load.begin())
        }
        let serve: @Sendable (any StoredBody) -> ServedBody? = { body in
            guard let present = StoredResponse(metadata: body.metadata) else { return nil }
            if present == stored, let place = confirmation.place { keep(confirmed, of: body, request, at: place) }
            if isDelivered { return nil }
            if present == stored { return served(confirmed, asked: confirmation.asked) }
            // Somebody else may have put a newer one there.
            return present.use(for: request.headers, at: tier.store.wallClock) == .serve ? served(present) : nil
        }
        return load.stored(as: serve) {
            isDelivered ? nothing : answer(to: request, having: nil, load, as: load.begin())
        }
    }

    /// Notes what the server has said of a body, unless nothing of it may be kept. If the store fails, it is validated again the next
    /// time.
    private func keep(
        _ confirmed: StoredResponse, of body: any StoredBody, _ request: ImageRequest, at place: WriteOrder.Place
    ) {
        guard place.isNewest else { return }
        if CacheDirectives(confirmed.headers).has("no-store") {
            try? tier.store.removeBody(for: request.dataKey)
        } else if !CacheDirectives(request.headers).has("no-store") {
            try? tier.store.setMetadata(confirmed.metadata, of: body)
            // Another body may have come between these two, and have been written over.
            if !place.isNewest { try? tier.store.removeBody(for: request.dataKey) }
        }
    }

    private func replacement(
        of error: LoadError, _ stored: StoredResponse, _ request: ImageRequest, _ load: StoreLoad,
        as brought: WriteOrder.Load
    ) -> AnyPublisher<DataEvent, LoadError> {
        guard error.mayPass, stored.mayReplaceError(for: request.headers, at: tier.store.wallClock) else {
            return load.forgetting(error, as: brought)
        }
        return again(stored, load, else: Fail(error: error).eraseToAnyPublisher())
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

/// A server's word that it has what a cache has.
private struct Confirmation: Sendable {
    /// The response as it is from now on; nil where another one is meant than the one that was asked about (RFC 9111, 4.3.4).
    let response: StoredResponse?
    let asked: AskingTime
    let place: WriteOrder.Place?
}

extension DataEvent {
    /// The event, with the moment at which its server was asked where that is the network's and not said by the same clock: a retry may
    /// have asked later than the load did.
    fileprivate func asked(at beginning: AskingTime, now: Duration) -> DataEvent {
        guard case .response(var response) = self, response.provenance.isNews else { return self }
        if let asked = response.provenance.asked?.sinceEpoch, asked >= beginning.sinceEpoch, asked <= now {
            return self
        }
        response.provenance.asked = beginning
        return .response(response)
    }
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
