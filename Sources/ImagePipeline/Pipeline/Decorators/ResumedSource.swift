import Streams

extension Source where Request == ImageRequest, Event == DataEvent {
    /// Keeps on disk what has come of a body when its transfer is cut or cancelled, and asks for the rest alone the next time
    /// (RFC 9110, 14).
    ///
    ///     HTTPSource(transport).resumed(in: cache, on: threads)
    ///         .retrying(.exponential(), on: threads)
    ///         .httpCached(in: cache, on: threads)
    ///
    /// That is done for bodies of 32 KB and more that caches may keep, that have a strong entity tag and an announced length, and that
    /// are not compressed for the transfer. The server's answer is checked: a rest that begins elsewhere, or is that of another body,
    /// is not used, and the body loaded as a whole; so it is where the request for the rest is refused with a status of 400 to 499 that
    /// may be about the range. A resource that has changed comes as a whole with the first answer. Where two requests for the rest brought no
    /// byte of it, the next one is for the whole: it may be the range that the server, or what stands before it, fails at.
    /// The bytes kept count towards the cache's limits.
    ///
    /// The disk is written beside the load. A directory that hangs holds it up for the ``StoreTerms/timeLimit`` of the cache at most, at
    /// its end; where the disk falls 2 MB behind, nothing is kept.
    ///
    /// - Parameters:
    ///   - cache: The cache whose directory what has come is kept in.
    ///   - threads: The threads that read and write the disk. Events come on the upstream's thread, and what was kept on these.
    public func resumed(in cache: DiskCache, on threads: ThreadPoolScheduler) -> some Source<ImageRequest, DataEvent> {
        ResumedSource(
            upstream: self, cache: cache, threads: threads,
            tier: StoreTier(cache, openBodies: 16, threads: threads, clock: .system))
    }
}

private struct ResumedSource<Upstream: Source<ImageRequest, DataEvent>>: Source {
    let upstream: Upstream
    let cache: DiskCache
    let threads: ThreadPoolScheduler
    /// The cache as a store that may hang.
    let tier: StoreTier
    /// The bodies whose rest a server has failed to deliver.
    let failures = FailedRests()

    private enum Beginning: Sendable {
        case found(PartialBody), missing
        /// The directory does not answer: nothing is kept there either.
        case unknown
    }

    func events(for request: ImageRequest) -> AnyPublisher<DataEvent, LoadError> {
        let policy = request.caching.disk
        guard policy != .noStore else { return upstream.events(for: request) }
        return Deferred { () -> AnyPublisher<DataEvent, LoadError> in
            let load = tier.load(of: request.partialKey, priority: request.priority)
            return
                load
                .work {
                    cache.entry(for: load.key, isCounted: false).flatMap { PartialBody($0) }.map { Beginning.found($0) }
                        ?? .missing
                }
                .replaceError(with: .unknown)
                .setFailureType(to: LoadError.self)
                .flatMap { beginning -> AnyPublisher<DataEvent, LoadError> in
                    switch beginning {
                    case .found(let part) where policy == .reload || failures.areEnough(for: load.key):
                        kept(upstream.events(for: request), request, load, having: part)
                    case .found(let part): continued(request, part, load)
                    case .missing: kept(upstream.events(for: request), request, load, having: nil)
                    case .unknown: upstream.events(for: request)
                    }
                }
                .eraseToAnyPublisher()
        }
        .eraseToAnyPublisher()
    }

    /// Asks for the rest, and for the whole if what comes is not the rest.
    private func continued(
        _ request: ImageRequest, _ part: PartialBody, _ load: StoreLoad
    ) -> AnyPublisher<DataEvent, LoadError> {
        var asked = request
        asked.resumption = part.resumption
        let isRefused = Noted<Bool>()
        let joined = JoinedBody(part, find: { [cache] in cache.entry(for: load.key, isCounted: false) }, by: load) {
            isRefused.note(true)
        }
        let events = upstream.events(for: asked).flatMap(maxPublishers: .max(1)) { joined.events(for: $0) }
            .append(Deferred { joined.end })
            .catch { error -> AnyPublisher<DataEvent, LoadError> in
                guard isRefused.value == true || error.mayConcernTheRangeAlone else {
                    if !joined.hasReceived, error.mayConcernTheRange { failures.note(load.key) }
                    return Fail(error: error).eraseToAnyPublisher()
                }
                return load.work { part.remove() }.replaceError(with: ()).setFailureType(to: LoadError.self)
                    .flatMap { upstream.events(for: request) }.eraseToAnyPublisher()
            }
        return kept(events.eraseToAnyPublisher(), request, load, having: part)
    }

    /// Keeps what comes, unless all of it comes.
    private func kept(
        _ events: AnyPublisher<DataEvent, LoadError>, _ request: ImageRequest, _ load: StoreLoad,
        having part: PartialBody?
    ) -> AnyPublisher<DataEvent, LoadError> {
        guard request.caching.disk.mayStoreForGood else { return events }
        return Deferred { () -> AnyPublisher<DataEvent, LoadError> in
            let writing = PartialBodyWriting(
                request, in: cache, by: load, present: part, continues: request.caching.disk != .reload)
            let recorder = PartialBodyRecorder(writing, of: load)
            return
                events
                .map { recorder.recorded($0) }
                .append(Deferred { recorder.ended(.finished) })
                .catch { recorder.ended(.failure($0)) }
                .eraseToAnyPublisher()
        }.eraseToAnyPublisher()
    }
}

/// A body of which the beginning is on disk and the rest comes from a server.
private final class JoinedBody: Sendable {
    private let part: PartialBody
    private let find: @Sendable () -> DiskEntry?
    private let load: StoreLoad
    private let refuse: @Sendable () -> Void
    /// The bytes so far; nil where another response came than the rest. Only one stream's signals touch it.
    private let received: SerialState<Int?>

    /// - Parameters:
    ///   - find: Opens the beginning's file.
    ///   - refuse: Called when what the server answers is neither the rest nor a whole body, or the beginning is gone.
    init(
        _ part: PartialBody, find: @escaping @Sendable () -> DiskEntry?, by load: StoreLoad,
        refuse: @escaping @Sendable () -> Void
    ) {
        self.part = part
        self.find = find
        self.load = load
        self.refuse = refuse
        received = SerialState(part.length)
    }

    /// Whether bytes of the rest have come, or another response than the rest.
    var hasReceived: Bool { received.withValue { $0 != part.length } }

    func events(for event: DataEvent) -> AnyPublisher<DataEvent, LoadError> {
        switch event {
        case .response(let response):
            guard let head = response.head, [206, 416].contains(head.status) else {
                received.withValue { $0 = nil }
                return Self.only(event)
            }
            guard var whole = part.whole(of: response, head) else { return refused(head) }
            // A new load brings another beginning.
            whole.discard = load.discarding(and: whole.discard) { [part] in
                part.remove()
                return true
            }
            received.withValue { $0 = part.length }
            return Deferred { [self, whole] in part.events(after: whole, from: find()) ?? refused(head) }
                .subscribe(on: load.tier.threads)
                .waiting(atMost: load.allowance, load.tier.clock, or: .status(head.status)) { [self] in
                    load.tier.health.didFail(.timedOut)
                    refuse()
                }
        case .chunk(let bytes):
            let isTooLong = received.withValue { received -> Bool in
                received? += bytes.count
                return received ?? 0 > part.total
            }
            return isTooLong
                ? Fail(error: .transport(.protocolViolation("the rest of the body is longer than it should be")))
                    .eraseToAnyPublisher() : Self.only(event)
        }
    }

    /// The events behind the last of the bytes.
    var end: AnyPublisher<DataEvent, LoadError> {
        let count = received.withValue { $0 } ?? part.total
        return count < part.total
            ? Fail(error: .transport(.truncated(received: count))).eraseToAnyPublisher() : Empty().eraseToAnyPublisher()
    }

    private func refused(_ head: HTTPResponseHead) -> AnyPublisher<DataEvent, LoadError> {
        refuse()
        return Fail(error: .status(head.status)).eraseToAnyPublisher()
    }

    private static func only(_ event: DataEvent) -> AnyPublisher<DataEvent, LoadError> {
        Just(event).setFailureType(to: LoadError.self).eraseToAnyPublisher()
    }
}

extension LoadError {
    /// Whether a server that knows nothing of ranges, or has them wrong, or what stands before it, may mean the range and not the resource: a
    /// request for the whole is answered otherwise. 304 is no answer to a request that names no validator but the range's own
    /// (RFC 9110, 13.1.5). A resource that is gone is so as a whole, and whoever is asked too often is not asked at once.
    fileprivate var mayConcernTheRangeAlone: Bool {
        switch self {
        case .status(404), .status(410), .status(429): false
        case .status(304), .status(400...499), .status(501): true
        default: false
        }
    }

    /// Whether the server has had the request, so that its failure may be about the range.
    fileprivate var mayConcernTheRange: Bool {
        switch self {
        case .status, .busy: true
        case .transport(let error):
            switch error {
            case .timedOut(.stall), .timedOut(.total), .connectionLost, .truncated, .protocolViolation,
                .unsupportedEncoding, .failed:
                true
            default: false
            }
        default: false
        }
    }
}
