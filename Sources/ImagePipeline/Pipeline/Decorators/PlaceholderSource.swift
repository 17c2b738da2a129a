import Streams

extension Source where Request == ImageRequest, Event == ImageEvent {
    /// Shows a picture of some 25 bytes, kept in a store when the image was first decoded, until the load has a better one.
    ///
    ///     bytes.decoded(in: workers).processed(in: workers)
    ///         .showingPlaceholders(in: disk, workers: workers, on: storeThreads)
    ///         .stored(in: memory).coalesced().served(from: memory)
    ///
    /// It is a degraded image of quality 0 and of 32 pixels, drawn while upstream begins, and only if somebody waits for a degraded image and
    /// none has come. Its bytes (``PlaceholderHash``) are an entry of their own beside that of the body: they are there too when the body
    /// is not, because it has made room or was never kept as a whole. All sizes of a picture have one of them; what is cropped or
    /// processed has its own.
    ///
    /// Each image that passes by renews it, if it looks otherwise. Images that are kept themselves (``cached(in:as:freshFor:limits:workers:on:clock:)``)
    /// may be of older bytes: place that decorator behind this one. What must not be stored has no placeholder, nor what the server has no more
    /// (404, 410), nor a file without a ``ImageRequest/version``.
    ///
    /// Demand: the upstream's; what was not requested is not conflated: place the decorator below ``coalesced()``. A store that is slow or
    /// fails makes no load wait: its placeholder does not come.
    ///
    /// - Parameters:
    ///   - store: The store that placeholders are looked up and kept in, such as the ``DiskCache`` of the bodies.
    ///   - workers: The queue that placeholders are computed in and drawn.
    ///   - threads: The threads that the store is used on, and nothing else.
    ///   - clock: The clock that measures how long a load has waited for the store.
    public func showingPlaceholders<Context: Scheduler>(
        in store: some BodyStore, workers: WorkQueue<Context>, on threads: ThreadPoolScheduler,
        clock: StoreClock = .system
    ) -> some Source<ImageRequest, ImageEvent> {
        let tier = StoreTier(store, openBodies: 16, threads: threads, clock: clock)
        return PlaceholderSource(upstream: self, tier: tier, queue: workers)
    }
}

private struct PlaceholderSource<Upstream: Source<ImageRequest, ImageEvent>, Context: Scheduler>: Source {
    let upstream: Upstream
    let tier: StoreTier
    let queue: WorkQueue<Context>

    func events(for request: ImageRequest) -> AnyPublisher<ImageEvent, LoadError> {
        let policy = request.storedImagePolicy
        guard policy.mayStore, request.namesItsContent else { return upstream.events(for: request) }
        return Deferred { () -> AnyPublisher<ImageEvent, LoadError> in
            let load = tier.load(of: request.placeholderKey, priority: request.priority)
            let brought = load.begin(of: request.dataKey)
            let own = upstream.events(for: request).handleEvents(receiveOutput: { event in
                guard case .final(let image, let provenance) = event, policy.mayStoreForGood else { return }
                keep(image, provenance, load, as: brought)
            })
            .catch { load.forgetting($0, as: brought) }
            guard policy.mayServe, request.previews else { return own.eraseToAnyPublisher() }
            let better = BetterImage(ofAtLeast: 0)
            let placeholder = found(load).receive(on: queue.turn(request.priority))
                .compactMap { hash -> ImageEvent? in
                    guard !better.isThere, request.waitsForPreview, let image = hash.image() else { return nil }
                    return .degraded(image, quality: 0)
                }
                .setFailureType(to: LoadError.self)
            return own.merge(with: placeholder.prefix(untilOutputFrom: better.signal))
                .filter { event in
                    // Here, where one event follows the other: something better may have come while the placeholder was drawn.
                    if case .degraded(_, let quality) = event, quality <= 0, better.isThere { return false }
                    better.note(event)
                    return true
                }
                .eraseToAnyPublisher()
        }.eraseToAnyPublisher()
    }

    private func found(_ load: StoreLoad) -> AnyPublisher<PlaceholderHash, Never> {
        tier.gate.admitting(priority: load.priority) {
            load.work { () -> PlaceholderHash? in
                guard let body = try load.store.storedBody(for: load.key) else { return nil }
                return PlaceholderHash(try body.chunk(at: 0))
            }
        }
        .replaceError(with: nil).compactMap { $0 }.eraseToAnyPublisher()
    }

    /// Keeps the placeholder of an image, which is computed when what is more urgent is done.
    private func keep(_ image: Image, _ provenance: Provenance, _ load: StoreLoad, as brought: WriteOrder.Load) {
        if tier.health.isPaused || image.damage != nil || provenance.lifetime != nil { return }
        guard let place = brought.place(for: provenance) else { return }
        guard provenance.freshness != .zero else {
            return load.aside(at: place) { try load.store.removeBody(for: load.key) }
        }
        queue.aside(holding: image.byteCount, for: load.priority) {
            let hash = PlaceholderHash(of: image)
            load.aside(at: place) {
                let kept = try? load.store.storedBody(for: load.key)?.chunk(at: 0)
                if kept != hash.bytes { try load.write(hash.bytes) }
            }
        }
    }
}

extension ImageRequest {
    /// The key of the placeholder in its store: of a picture at any number of pixels, or, of one that is cropped or processed, of the image.
    public var placeholderKey: CacheKey {
        let isWhole = rendition.processors.isEmpty && rendition.contentMode == .fit
        return CacheKey(["placeholder", (isWhole ? dataKey : imageKey).digest])
    }
}
