import Files
import Streams

extension ImageLoader {
    /// Returns the pipeline that suits most programs: memory, then disk, then network or file, decoded as the bytes
    /// arrive.
    ///
    /// - Parameters:
    ///   - transport: What carries HTTP.
    ///   - retries: When a transfer that has failed for a reason that may pass is tried again; nil for never.
    ///   - disk: Where bodies are kept; nil for nowhere.
    ///   - memory: Where images are kept.
    ///   - limits: What a decoder may use.
    ///   - decoders: The formats known.
    ///   - decodesAtOnce: How many images are decoded and processed at a time, each on a thread of its own; nil for as many as
    ///     there are processors.
    public static func standard(
        transport: any HTTPTransport = CurlTransport(),
        retries: RetryPolicy? = .exponential(),
        disk: DiskCache? = nil,
        memory: MemoryCache<CacheKey, Image> = MemoryCache(costLimit: 128 << 20),
        limits: DecodeLimits = .safe,
        decoders: ImageDecoders = .standard,
        decodesAtOnce: Int? = nil
    ) -> ImageLoader {
        let threads = ThreadPoolScheduler(width: 4)
        let workers = ThreadPoolScheduler(
            width: decodesAtOnce ?? Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), name: "ImageDecode")

        let plain = HTTPSource(transport)
        let network = retries.map { AnySource(plain.retrying($0, on: threads)) } ?? AnySource(plain)
        let remote = disk.map { AnySource(network.cached(in: $0, on: threads)) } ?? AnySource(network)
        let bytes = ResourceSource(remote: remote, local: FileSource(on: threads))
        return ImageLoader(
            bytes
                .decoded(limits: limits, decoders: decoders, on: workers)
                .processed(on: workers)
                .coalesced()
                .cached(in: memory))
    }
}
