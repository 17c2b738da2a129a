import Streams

extension Source where Request == ImageRequest, Event == ImageEvent {
    /// Serves images that need no more of a body than the beginning that an earlier load has left on disk.
    ///
    ///     bytes.decoded(in: workers)
    ///         .servingPrefixes(in: disk, workers: workers, on: storeThreads)
    ///         .processed(in: workers)
    ///
    /// The transfer of a progressive photo ends when its thumbnail is final, and ``Source/resumed(in:on:)`` keeps what has come, where the
    /// server names a strong entity tag. As long as that response is fresh it is decoded before anything upstream is touched: if it
    /// suffices, the image is final, and its stage is ``Provenance/disk``. If not, upstream is asked, which continues the body. Only the final
    /// image is made of a beginning; previews are those of upstream.
    ///
    /// - Parameters:
    ///   - cache: The cache whose directory beginnings are kept in.
    ///   - limits: The limits of a decode.
    ///   - decoders: The formats known.
    ///   - workers: The queue that beginnings are decoded in.
    ///   - threads: The threads that read the disk, and do nothing else.
    ///   - clock: The clock that measures how long a load has waited for the disk.
    public func servingPrefixes<Context: Scheduler>(
        in cache: DiskCache, limits: DecodeLimits = .safe, decoders: ImageDecoders = .standard,
        workers: WorkQueue<Context>, on threads: ThreadPoolScheduler, clock: StoreClock = .system
    ) -> some Source<ImageRequest, ImageEvent> {
        let prefixes = PrefixBytes(
            cache: cache, tier: StoreTier(cache, openBodies: 16, threads: threads, clock: clock))
        return PrefixSource(
            upstream: self, prefixes: prefixes,
            images: AnySource(prefixes.decoded(limits: limits, decoders: decoders, in: workers)))
    }
}

private struct PrefixSource<Upstream: Source<ImageRequest, ImageEvent>>: Source {
    let upstream: Upstream
    let prefixes: PrefixBytes
    /// The images that are decoded of them.
    let images: AnySource<ImageRequest, ImageEvent>

    func events(for request: ImageRequest) -> AnyPublisher<ImageEvent, LoadError> {
        guard case .url = request.resource, request.storedImagePolicy.mayServe else {
            return upstream.events(for: request)
        }
        // A load whose body begins nowhere does not wait for a decoder to find that out.
        return prefixes.mayHave(request).setFailureType(to: LoadError.self)
            .flatMap { mayBeThere -> AnyPublisher<ImageEvent, LoadError> in
                guard mayBeThere else { return upstream.events(for: request) }
                return images.events(for: request.withoutPreviews)
                    .filter { $0.finalValue != nil }
                    .catch { _ in upstream.events(for: request) }
                    .eraseToAnyPublisher()
            }
            .eraseToAnyPublisher()
    }
}

/// The beginnings of bodies that are on disk and fresh. Each ends with a failure: whoever needs more has to ask elsewhere.
private struct PrefixBytes: Source {
    let cache: DiskCache
    let tier: StoreTier

    /// Delivers true if there is one, whole or not.
    func mayHave(_ request: ImageRequest) -> AnyPublisher<Bool, Never> {
        Deferred {
            let load = tier.load(of: request.partialKey, priority: request.priority)
            return load.work { [cache] in cache.hasBody(for: load.key) }.replaceError(with: false)
        }.eraseToAnyPublisher()
    }

    func events(for request: ImageRequest) -> AnyPublisher<DataEvent, LoadError> {
        let load = tier.load(of: request.partialKey, priority: request.priority)
        let end = Fail<DataEvent, LoadError>(error: .notCached).eraseToAnyPublisher()
        return load.stored { body in
            guard let entry = body as? DiskEntry, let part = PartialBody(entry) else { return nil }
            return part.served(to: request.headers, at: cache.wallClock)
        } else: {
            end
        }
        .append(end)
        .eraseToAnyPublisher()
    }
}

extension ImageRequest {
    /// The key of the beginning of the body in its cache (``Source/resumed(in:on:)``).
    public var partialKey: CacheKey { CacheKey(parts: [Array("partial".utf8), dataKey.bytes]) }
}
