import Files
import Streams

extension ImageLoader {
    /// Returns the pipeline that suits most programs: memory, then disk, then network or file, decoded as the bytes
    /// arrive.
    ///
    /// Images that are not in memory are delivered on the pipeline's threads, most of it on those that decode. A subscriber that blocks in its
    /// signals keeps such a thread from everybody else: it belongs behind `receive(on:)`.
    ///
    /// - Parameters:
    ///   - transport: The transport of HTTP.
    ///   - retries: The largest number of further attempts.
    ///   - disk: The store of bodies, such as a ``DiskCache``; nil for none.
    ///   - form: The form in which the store keeps images beside their bodies; nil for those alone whose requests name one
    ///     (``ImageRequest/storedForm``).
    ///   - placeholders: A Boolean value that determines whether the store keeps a placeholder of each picture, which is shown while the
    ///     next load of it begins.
    ///   - memory: The cache of images.
    ///   - limits: The limits of a decode.
    ///   - decoders: The formats known.
    ///   - decodesAtOnce: The number of images that are decoded and processed at a time, each on a thread of its own;
    ///     nil for as many as there are processors.
    ///   - metrics: The metrics to count in; nil for none.
    public static func standard(
        transport: any HTTPTransport = CurlTransport(),
        retries: RetryPolicy? = .exponential(),
        disk: (any BodyStore)? = nil,
        storingImagesAs form: StoredForm? = nil,
        placeholders: Bool = false,
        memory: MemoryCache<CacheKey, Image> = MemoryCache(),
        limits: DecodeLimits = .safe,
        decoders: ImageDecoders = .standard,
        decodesAtOnce: Int? = nil,
        metrics: LoadMetrics? = nil
    ) -> ImageLoader {
        let threads = ThreadPoolScheduler(width: 4)
        let storeThreads = ThreadPoolScheduler(width: 8, name: "Store")
        let workers = WorkQueue(
            on: ThreadPoolScheduler(
                width: decodesAtOnce ?? Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), name: "ImageDecode"))

        let http = HTTPSource(transport)
        let plain = (disk as? DiskCache).map { AnySource(http.resumed(in: $0, on: storeThreads)) } ?? AnySource(http)
        let attempts = retries.map { AnySource(plain.retrying($0, on: threads)) } ?? AnySource(plain)
        let network = attempts.observed(as: .transfer, in: metrics)
        let remote = disk.map { AnySource(network.httpCached(in: $0, on: storeThreads)) } ?? AnySource(network)
        let bytes = ResourceSource(remote: remote, local: FileSource())
            .observed(as: .bytes, in: metrics)
            .coalesced()
        let whole = bytes.decoded(limits: limits, decoders: decoders, in: workers)
        let enough =
            (disk as? DiskCache).map { cache in
                AnySource(
                    whole.servingPrefixes(
                        in: cache, limits: limits, decoders: decoders, workers: workers, on: storeThreads))
            } ?? AnySource(whole)
        let decoded = enough.processed(in: workers).observed(as: .decoding, in: metrics)
        var images = AnySource(decoded)
        if let disk {
            if placeholders {
                images = AnySource(images.showingPlaceholders(in: disk, workers: workers, on: storeThreads))
            }
            images = AnySource(images.cached(in: disk, as: form, limits: limits, workers: workers, on: storeThreads))
        }
        let activity = LoadActivity()
        return ImageLoader(
            images
                .stored(in: memory)
                .showingVariants(in: memory)
                .coalesced(in: metrics)
                .counted(in: activity)
                .served(from: memory)
                .delivered()
                .observed(as: .request, in: metrics),
            bytes: AnySource(bytes), activity: activity)
    }
}
