import Streams

extension Source where Request == ImageRequest, Event == ImageEvent {
    /// Keeps images in a store as they are shown, decoded, scaled and processed: a second start decodes thumbnails and not photos.
    ///
    ///     bytes.decoded(in: workers).processed(in: workers)
    ///         .cached(in: disk, as: .jpeg(quality: 85), workers: workers, on: storeThreads)
    ///         .stored(in: memory).coalesced().served(from: memory)
    ///
    /// A hit touches nothing upstream. Its stage is ``Provenance/disk``, and ``Provenance/isLossy`` says whether it was kept as a JPEG. It is
    /// served for as long as the server has said of the body; from then on it is a degraded image until upstream has answered. One that the
    /// server has no more (404, 410) is removed before a load is told so, where the store can be reached. Each image has its own time: a
    /// reload renews the one that it is of.
    ///
    /// An image that must not be stored, or not without asking the server each time, is not kept, and neither is one that is damaged. What is
    /// kept is found by ``ImageRequest/storedImageKey(as:)``. An image at its own size and without processors is not kept, as it is its body;
    /// nor is that of a file without a ``ImageRequest/version``; nor one whose policy for the disk is ``CachePolicy/expires(at:)``.
    ///
    /// Demand: where an image is shown until upstream has answered, that is asked when the image has been requested; place the decorator below
    /// ``coalesced()``, which requests everything.
    ///
    /// The final image is delivered before it is encoded and written, which goes on when the load is cancelled then. Loads go before the
    /// encoding, until the images that wait for it hold more than ``WorkQueue/memory``. A store that is slow or fails makes no load fail: see
    /// ``StoreTerms``.
    ///
    /// - Parameters:
    ///   - store: The store that images are looked up and kept in, such as a ``DiskCache``; it may be the one of the bodies.
    ///   - form: The form of images whose requests name none (``ImageRequest/storedForm``); nil to keep those alone whose requests do.
    ///   - assumedFreshness: The time for which an image from the network is fresh of which its server has said nothing.
    ///   - limits: The limits of the decode of an image from the store.
    ///   - workers: The queue that images are encoded and decoded in.
    ///   - threads: The threads that the store is used on, and nothing else.
    ///   - clock: The clock that measures how long a load has waited for the store.
    public func cached<Context: Scheduler>(
        in store: some BodyStore, as form: StoredForm?, freshFor assumedFreshness: Duration = .zero,
        limits: DecodeLimits = .safe, workers: WorkQueue<Context>, on threads: ThreadPoolScheduler,
        clock: StoreClock = .system
    ) -> some Source<ImageRequest, ImageEvent> {
        let tier = StoreTier(store, openBodies: 16, threads: threads, clock: clock)
        return StoredImageSource(
            upstream: self,
            images: ImageStore(
                tier: tier, form: form, assumedFreshness: assumedFreshness, limits: limits, queue: workers))
    }
}

private struct StoredImageSource<Upstream: Source<ImageRequest, ImageEvent>, Context: Scheduler>: Source {
    let upstream: Upstream
    let images: ImageStore<Context>

    func events(for request: ImageRequest) -> AnyPublisher<ImageEvent, LoadError> {
        guard let load = images.load(of: request) else { return upstream.events(for: request) }
        let policy = request.storedImagePolicy
        let events = upstream.events(for: request)
        let made = Deferred { () -> AnyPublisher<ImageEvent, LoadError> in
            let rest = Noted<AnyPublisher<ImageEvent, LoadError>>()
            let (brought, beginning) = (load.begin(of: request.dataKey), images.now)
            return
                events
                .handleEvents(receiveOutput: { event in
                    guard policy.mayStoreForGood, case .final(let image, let provenance) = event else { return }
                    rest.note(images.keep(image, provenance, of: request, in: load, as: brought, since: beginning))
                })
                .append(Deferred { rest.value ?? Empty().eraseToAnyPublisher() })
                .catch { load.forgetting($0, as: brought) }
                .eraseToAnyPublisher()
        }
        guard policy.mayServe, policy.mayStoreForGood else { return made.eraseToAnyPublisher() }
        return images.image(of: load, for: request).setFailureType(to: LoadError.self)
            .flatMap { found -> AnyPublisher<ImageEvent, LoadError> in
                guard let (image, provenance) = found else { return made.eraseToAnyPublisher() }
                guard provenance.freshness == .zero else {
                    return Just(.final(image, provenance)).setFailureType(to: LoadError.self).eraseToAnyPublisher()
                }
                // An image before the final one is no better than the one that was whole a moment ago.
                return Just(.degraded(image, quality: 1)).setFailureType(to: LoadError.self)
                    .append(made.filter { !$0.isDegraded }).eraseToAnyPublisher()
            }
            .eraseToAnyPublisher()
    }
}
