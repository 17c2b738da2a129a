import Streams

extension Source where Request == ImageRequest, Event == ImageEvent {
    /// Shows another size of the picture that is in memory, smaller or larger, as a degraded image until the load has a better one.
    ///
    ///     bytes.decoded(on: workers).showingVariants(in: memory).coalesced().cached(in: memory)
    ///
    /// The decorator notes which sizes pass by; a variant is a picture of the same resource, of the same shape and without processors. Those
    /// before a reload are forgotten. It keeps its own size. Its quality is the share of the pixels that it has; degraded images that are no
    /// better are left out. An image whose time is over is not shown, and none where the request's policy has the source asked.
    ///
    /// Demand: the upstream is begun when the variant has been requested; place the decorator below ``coalesced()``, which requests everything.
    ///
    /// - Parameter cache: The cache of images, by ``ImageRequest/imageKey``.
    public func showingVariants(in cache: MemoryCache<CacheKey, Image>) -> some Source<ImageRequest, ImageEvent> {
        VariantSource(upstream: self, images: cache)
    }
}

private struct VariantSource<Upstream: Source<ImageRequest, ImageEvent>>: Source {
    /// The most sizes of one picture that are remembered.
    private static var sizes: Int { 8 }

    let upstream: Upstream
    let images: MemoryCache<CacheKey, Image>
    /// The keys of the images of one picture, the newest first. What is no longer in memory is passed over.
    private let variants = MemoryCache<CacheKey, [CacheKey]>(costLimit: 10_000)

    init(upstream: Upstream, images: MemoryCache<CacheKey, Image>) {
        self.upstream = upstream
        self.images = images
    }

    func events(for request: ImageRequest) -> AnyPublisher<ImageEvent, LoadError> {
        guard let picture = request.pictureKey else { return upstream.events(for: request) }
        return Deferred { () -> AnyPublisher<ImageEvent, LoadError> in
            let (key, size) = (request.imageKey, request.rendition.targetSize)
            let events = upstream.events(for: request).handleEvents(
                receiveOutput: { event in
                    guard case .final(_, let provenance) = event else { return }
                    // Others are of the bytes that were there before.
                    let policies = [request.memoryPolicy, request.storedImagePolicy]
                    let isRenewed = provenance == .network && !policies.allSatisfy(\.mayServe)
                    note(key, of: picture, alone: isRenewed)
                })
            guard request.previews, request.memoryPolicy.mayServe,
                let variant = best(for: size, of: picture, except: key)
            else {
                return events.eraseToAnyPublisher()
            }
            let quality = size.map { variant.share(of: $0) } ?? 0
            return events.filter { event in
                if case .degraded(_, let other) = event { other > quality } else { true }
            }
            .prepend(.degraded(variant, quality: quality)).eraseToAnyPublisher()
        }
        .eraseToAnyPublisher()
    }

    private func note(_ key: CacheKey, of picture: CacheKey, alone: Bool) {
        let others = alone ? [] : (variants.value(forKey: picture) ?? []).filter { $0 != key }
        variants.insert([key] + others.prefix(Self.sizes - 1), forKey: picture, cost: 1)
    }

    /// The smallest image that is large enough, else the largest.
    private func best(for size: PixelSize?, of picture: CacheKey, except key: CacheKey) -> Image? {
        let there = (variants.value(forKey: picture) ?? []).filter { $0 != key }
            .compactMap { images.hit(forKey: $0) }.filter(\.isFresh).map(\.value).sorted { $0.width < $1.width }
        guard let size else { return there.last }
        return there.first { $0.width >= size.width || $0.height >= size.height } ?? there.last
    }
}

extension Image {
    /// The share of a fitted image's pixels that this one has: at most 0.9, as the final image is better than any other.
    fileprivate func share(of box: PixelSize) -> Double {
        let side = max(Double(width) / Double(max(1, box.width)), Double(height) / Double(max(1, box.height)))
        return min(0.9, side * side)
    }
}

extension ImageRequest {
    /// The identity of a picture at any number of pixels; nil for one that does not show the whole of what it is made of.
    fileprivate var pictureKey: CacheKey? {
        guard rendition.processors.isEmpty else { return nil }
        switch rendition.contentMode {
        case .fit: return dataKey
        default: return nil
        }
    }
}
