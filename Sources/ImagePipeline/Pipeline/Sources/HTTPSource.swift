import Streams
import Synchronization

/// A source of bytes loaded by HTTP. Demand reaches the socket; a cancel closes it.
///
/// A status other than 200, or 203 for what a proxy has changed, is a failure unless the request is one that a cache has completed, and so is a body that is shorter
/// or longer than announced, whatever the transport. A body that ends with its connection is not for caches: whether it is whole cannot be known.
public struct HTTPSource: Source {
    private let transport: any HTTPTransport
    private let preparation: RequestPreparation?
    private let now: @Sendable () -> Duration
    private let clock: StoreClock

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - transport: The transport of HTTP.
    ///   - preparation: Changes each request before it is sent, for instance adds a token; nil for nothing.
    ///   - now: The time since 1970, which a server's word about when to come back is measured against.
    ///   - clock: The clock that measures how long a preparation takes.
    public init(
        _ transport: any HTTPTransport, preparing preparation: RequestPreparation? = nil,
        now: @escaping @Sendable () -> Duration = { DiskCache.timeSinceEpoch }, clock: StoreClock = .system
    ) {
        self.transport = transport
        self.preparation = preparation
        self.now = now
        self.clock = clock
    }

    public func events(for request: ImageRequest) -> AnyPublisher<DataEvent, LoadError> {
        guard case .url(let url) = request.resource else {
            return Fail(error: .unsupported("only URLs are loaded by HTTP")).eraseToAnyPublisher()
        }
        // No cache upstream of this could have it.
        if request.caching.disk == .cacheOnly { return Fail(error: .notCached).eraseToAnyPublisher() }
        let plain = HTTPRequest(
            url: url,
            headers: request.headers + (request.validators?.fields ?? []) + (request.resumption?.fields ?? []),
            limits: request.limits, priority: request.priority)
        let statuses =
            HTTPResponseHead.wholeStatuses + (request.validators == nil ? [] : [304])
            + (request.resumption == nil ? [] : [206, 416])
        guard let preparation else { return send(plain, wanting: statuses) }
        guard preparation.responses == .forEverybody || request.partition != nil else {
            return Fail(
                error: .preparation(reason: "its responses are for one user: the request has to name a partition")
            )
            .eraseToAnyPublisher()
        }
        return prepared(plain, by: preparation, again: false, wanting: statuses)
            .catch { error -> AnyPublisher<DataEvent, LoadError> in
                // Nothing has been delivered yet. Once: a token that was refreshed a moment ago and is refused is refused.
                guard case .status(401) = error else { return Fail(error: error).eraseToAnyPublisher() }
                return prepared(plain, by: preparation, again: true, wanting: statuses)
            }.eraseToAnyPublisher()
    }

    private func prepared(
        _ request: HTTPRequest, by preparation: RequestPreparation, again: Bool, wanting statuses: [Int]
    ) -> AnyPublisher<DataEvent, LoadError> {
        Deferred {
            Future { () async throws(LoadError) -> HTTPRequest in
                do {
                    return try await preparation.prepare(request, again)
                } catch {
                    throw .preparation(reason: "\(error)")
                }
            }
        }
        .answering(
            within: StoreAllowance(preparation.timeLimit), clock,
            or: .preparation(reason: "it took longer than \(preparation.timeLimit)")
        )
        .flatMap { send($0, wanting: statuses) }
        .eraseToAnyPublisher()
    }

    private func send(
        _ request: HTTPRequest, wanting statuses: [Int]
    ) -> AnyPublisher<DataEvent, LoadError> {
        AnyPublisher<DataEvent, LoadError>.create { [transport, now] emitter in
            let receiver = EmittingReceiver(
                emitter: emitter, headers: request.headers, statuses: statuses, now: now)
            let transfer = transport.start(request, receiver: receiver)
            emitter.onRequest { transfer.request($0.max ?? .max) }
            return Disposable { transfer.cancel() }
        }
        // Somebody's own transport may send pieces without a byte.
        .filter { if case .chunk(let bytes) = $0 { !bytes.isEmpty } else { true } }
        .eraseToAnyPublisher()
    }
}

/// Passes on what a transfer receives.
private final class EmittingReceiver: HTTPReceiver {
    private let emitter: Emitter<DataEvent, LoadError>
    /// Those of the request.
    private let headers: [HTTPField]
    /// The statuses that are no failure.
    private let statuses: [Int]
    private let now: @Sendable () -> Duration
    private let asked: AskingTime
    /// The bytes of the body so far, and how many there should be.
    private let length = Mutex<(received: Int, announced: Int?)>((0, nil))

    init(
        emitter: Emitter<DataEvent, LoadError>, headers: [HTTPField], statuses: [Int],
        now: @escaping @Sendable () -> Duration
    ) {
        self.emitter = emitter
        self.headers = headers
        self.statuses = statuses
        self.now = now
        asked = AskingTime(now: now())
    }

    func didReceive(_ head: HTTPResponseHead) {
        guard statuses.contains(head.status) else {
            let delay = head.retryAfter(at: now())
            return emitter.onError(delay.map { .busy(head.status, retryAfter: $0) } ?? .status(head.status))
        }
        // The length that comes with 304 is that of the body which is not sent.
        if head.status != 304 { length.withLock { $0.announced = head.contentLength } }
        let mayBeStored = !CacheDirectives(head.headers).has("no-store")
        var provenance = Provenance(.network, freshFor: head.statedFreshness(for: headers, at: now()))
        provenance.asked = asked
        emitter.onNext(
            .response(
                DataResponse(
                    provenance: provenance,
                    expectedLength: head.contentLength, status: head.status,
                    contentType: head["content-type"].first, head: head,
                    isStorable: mayBeStored && head.isDelimited)))
    }

    func didReceive(_ bytes: [UInt8]) {
        let isTooLong = length.withLock { length in
            length.received += bytes.count
            return length.announced.map { length.received > $0 } ?? false
        }
        if isTooLong {
            emitter.onError(.transport(.protocolViolation("the body is longer than announced")))
        } else {
            emitter.onNext(.chunk(bytes))
        }
    }

    func didEnd(_ error: TransportError?) {
        let (received, announced) = length.withLock { $0 }
        if let error {
            emitter.onError(.transport(error))
        } else if received < announced ?? 0 {
            emitter.onError(.transport(.truncated(received: received)))
        } else {
            emitter.onComplete()
        }
    }
}
