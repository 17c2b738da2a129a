import Streams

/// A store of bodies and the threads that it is used on, for the sources that keep bodies in it.
///
/// A load that the store keeps waiting too long, or that it fails, goes on below it; a store that fails again and again is left alone
/// for a while.
struct StoreTier: Sendable {
    let store: any BodyStore
    /// The bodies that may be read at once. Who waits holds nothing.
    let gate: AdmissionGate<Never>
    let threads: ThreadPoolScheduler
    let clock: StoreClock
    let health: StoreHealth
    /// The order in which what its source's loads have brought is kept.
    let order: WriteOrder

    init(_ store: any BodyStore, openBodies: Int, threads: ThreadPoolScheduler, clock: StoreClock) {
        self.store = store
        self.threads = threads
        self.clock = clock
        gate = AdmissionGate(limit: openBodies)
        health = StoreHealth(terms: store.terms, clock: clock)
        order = WriteOrder { store.wallClock }
    }

    /// A load of a body, with the time that it may wait for the store.
    func load(of key: CacheKey, priority: LoadPriority) -> StoreLoad {
        StoreLoad(tier: self, key: key, priority: priority, allowance: StoreAllowance(store.terms.timeLimit))
    }
}

/// The way in which a stored body is served.
struct ServedBody: Sendable {
    var provenance = Provenance.disk
    /// Whether another one may follow.
    var isProvisional = false
    var contentType: String?
}

/// One load's dealings with its store.
struct StoreLoad: Sendable {
    let tier: StoreTier
    let key: CacheKey
    let priority: LoadPriority
    let allowance: StoreAllowance
    var store: any BodyStore { tier.store }

    /// The body, as the closure says it is served; where it says nil, what is below. What has begun may begin anew below, with another response.
    ///
    /// A miss leaves the gate before it turns elsewhere, where it may take as long as it likes.
    func stored(
        as serve: @escaping @Sendable (any StoredBody) -> ServedBody?,
        else below: @escaping @Sendable () -> AnyPublisher<DataEvent, LoadError>
    ) -> AnyPublisher<DataEvent, LoadError> {
        Deferred { () -> AnyPublisher<DataEvent, StoreFault> in
            let start = tier.clock.elapsed()
            return tier.gate.admitting(priority: priority) {
                // It was the store then that held those before up, and not their subscribers.
                if tier.health.hasJustFailed { allowance.spend(tier.clock.elapsed() - start) }
                guard !allowance.isSpent, tier.health.mayAsk else { return Fail(error: .paused).eraseToAnyPublisher() }
                return Deferred { found(as: serve) }.subscribe(on: tier.threads)
                    .waiting(atMost: allowance, tier.clock, or: .timedOut)
            }
        }
        .catch { fault -> AnyPublisher<DataEvent, LoadError> in
            note(fault)
            return below()
        }
        .eraseToAnyPublisher()
    }

    /// Does what ``stored(as:else:)`` does, and lets one process at a time load what is below, where the store has leases:
    /// the others wait until that has put it into the store, or has given up.
    func storedOnce(
        as serve: @escaping @Sendable (any StoredBody) -> ServedBody?,
        else below: @escaping @Sendable () -> AnyPublisher<DataEvent, LoadError>
    ) -> AnyPublisher<DataEvent, LoadError> {
        stored(as: serve) {
            guard let time = store.terms.leaseTime else { return below() }
            return lease(for: time).flatMap { lease -> AnyPublisher<DataEvent, LoadError> in
                guard let lease else { return below() }
                guard lease.mayHaveComeMeanwhile else { return lease.covering(below()) }
                return lease.covering(stored(as: serve, else: below))
            }.eraseToAnyPublisher()
        }
    }

    /// Does something with the store on its threads; fails if that takes too long. It is not called back then: what it brings late is
    /// released.
    func work<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) -> AnyPublisher<Result, StoreFault> {
        Deferred { () -> AnyPublisher<Result, StoreFault> in
            guard !allowance.isSpent, tier.health.mayAsk else { return Fail(error: .paused).eraseToAnyPublisher() }
            return Deferred { Just(()).tryMap { try body() } }
                .mapError { StoreFault.failed("\($0)") }
                .subscribe(on: tier.threads)
                .answering(within: allowance, tier.clock, or: .timedOut)
                .handleEvents(
                    receiveOutput: { _ in tier.health.didAnswer() },
                    receiveCompletion: { if case .failure(let fault) = $0 { note(fault) } }
                )
                .eraseToAnyPublisher()
        }.eraseToAnyPublisher()
    }

    /// A fault ends the load's dealings with the store.
    private func note(_ fault: StoreFault) {
        switch fault {
        case .miss: break
        case .paused: allowance.spendAll()
        case .timedOut, .failed:
            allowance.spendAll()
            tier.health.didFail(fault)
        }
    }

    /// On a thread of the store.
    private func found(as serve: @Sendable (any StoredBody) -> ServedBody?) -> AnyPublisher<DataEvent, StoreFault> {
        do {
            let body = try store.storedBody(for: key)
            tier.health.didAnswer()
            guard let body, let served = serve(body) else { return Fail(error: .miss).eraseToAnyPublisher() }
            return events(of: body, served)
        } catch {
            return Fail(error: .failed("\(error)")).eraseToAnyPublisher()
        }
    }

    private func events(of body: any StoredBody, _ served: ServedBody) -> AnyPublisher<DataEvent, StoreFault> {
        // Not the body: whoever keeps the response would keep its descriptor.
        let discard = discarding { [removal = body.removal] in
            try removal()
            return true
        }
        let length = body.bodyLength
        var response = DataResponse(
            provenance: served.provenance, expectedLength: length, contentType: served.contentType, discard: discard)
        response.isProvisional = served.isProvisional
        response.arrived = (body as? DiskEntry)?.written.map { ArrivedBody($0, work: reading) }
        return Just(DataEvent.response(response)).setFailureType(to: StoreFault.self)
            .append(
                BodyChunks(body: body).publisher.tryMap { DataEvent.chunk(try $0.get()) }
                    .mapError { $0 is DamagedBody ? StoreFault.miss : .failed("\($0)") }
            )
            .eraseToAnyPublisher()
    }

    /// Reads on the store's threads, for a load with time of its own.
    var reading: ArrivedBody.Work {
        { tier.load(of: key, priority: priority).work($0) }
    }

    /// Removes a body that nothing can be made of, long after it was found: with time of its own.
    ///
    /// - Parameter below: Removes it from the cache below, which may keep something of it, too.
    func discarding(
        and below: (@Sendable () -> AnyPublisher<Bool, Never>)? = nil, _ body: @escaping @Sendable () throws -> Bool
    ) -> @Sendable () -> AnyPublisher<Bool, Never> {
        let load = tier.load(of: key, priority: priority)
        let own = { @Sendable in load.work(body).replaceError(with: false).eraseToAnyPublisher() }
        guard let below else { return own }
        return { own().flatMap { wasHere in below().map { $0 || wasHere } }.eraseToAnyPublisher() }
    }
}

/// The pieces of a stored body, each read when it is asked for; ends behind the first failure, and one that comes to its end too
/// early is one.
private struct BodyChunks: Sequence, Sendable {
    let body: any StoredBody

    struct EndedEarly: Error {}

    func makeIterator() -> Iterator { Iterator(body: body) }

    struct Iterator: IteratorProtocol {
        let body: any StoredBody
        var offset = 0

        mutating func next() -> Result<[UInt8], any Error>? {
            guard offset < body.bodyLength else { return nil }
            let result = Result {
                let bytes = try body.chunk(at: offset)
                if bytes.isEmpty { throw EndedEarly() }
                return bytes
            }
            switch result {
            case .success(let bytes): offset += bytes.count
            case .failure: offset = .max
            }
            return result
        }
    }
}
