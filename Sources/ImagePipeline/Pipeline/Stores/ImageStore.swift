import Streams

/// A store of images as files, for the sources that keep images in it, and the queue that they are encoded and decoded in.
struct ImageStore<Context: Scheduler>: Sendable {
    let tier: StoreTier
    /// The form of images whose requests name none; nil to keep only those whose requests do.
    let form: StoredForm?
    /// The time for which an image from the network is fresh whose server has said nothing of it.
    let assumedFreshness: Duration
    let limits: DecodeLimits
    let queue: WorkQueue<Context>

    func form(of request: ImageRequest) -> StoredForm? { request.storedForm ?? form }

    /// The load of an image from the store; nil for an image that is not kept, or goes past it.
    func load(of request: ImageRequest) -> StoreLoad? {
        guard let form = form(of: request), request.isWorthStoring, request.namesItsContent,
            request.storedImagePolicy.mayStore
        else { return nil }
        return tier.load(of: request.storedImageKey(as: form), priority: request.priority)
    }

    /// Whether an image is older than the one that the store has.
    var isOlder: StoreLoad.IsOlder {
        { [store = tier.store] own, present in
            guard let own = StoredImage.Facts(metadata: own), let present = StoredImage.Facts(metadata: present) else {
                return false
            }
            return present.isNewer(than: own.asking.time, at: store.wallClock)
        }
    }

    /// A moment: the time since 1970 of a clock that may jump, and that of one that does not.
    struct Moment: Sendable {
        let wall: Duration
        let steady: Duration
    }

    var now: Moment { Moment(wall: tier.store.wallClock, steady: tier.clock.elapsed()) }

    /// Encodes an image; on a thread of the queue.
    ///
    /// - Parameter beginning: The moment at which its load began. A clock that has jumped ahead since adds nothing to the time for which it is
    ///   fresh.
    func file(
        of image: Image, _ provenance: Provenance, for request: ImageRequest, since beginning: Moment
    ) throws(EncodeError) -> StoredImage {
        var rest = provenance.aged().freshness
        if case .url = request.resource, rest == nil { rest = assumedFreshness }
        let now = now
        let time = min(now.wall, beginning.wall + now.steady - beginning.steady)
        return try StoredImage(
            image, provenance, as: form(of: request) ?? .png(), freshUntil: rest.map { time + $0 },
            asking: asking(of: provenance, since: beginning))
    }

    /// The moment at which a server was asked for an image, or else at which its load began.
    private func asking(of provenance: Provenance, since beginning: Moment) -> StoredImage.Asking {
        StoredImage.Asking(
            time: provenance.asked?.sinceEpoch ?? beginning.wall, isKnown: provenance.asked != nil || provenance.isNews)
    }

    /// The image in the store, where it is fresh, or somebody waits for a degraded one; nil otherwise.
    func image(
        of load: StoreLoad, for request: ImageRequest
    ) -> AnyPublisher<(image: Image, provenance: Provenance)?, Never> {
        let interest = SingleAssignmentDisposable()
        return tier.gate.admitting(priority: load.priority) { load.work { try load.storedImage() } }
            .replaceError(with: nil)
            .flatMap { stored -> AnyPublisher<(image: Image, provenance: Provenance)?, Never> in
                guard let stored else { return Just(nil).eraseToAnyPublisher() }
                let provenance = stored.facts.provenance(at: tier.store.wallClock)
                guard provenance.freshness != .zero || request.waitsForPreview else {
                    return Just(nil).eraseToAnyPublisher()
                }
                return Just(stored).receive(on: queue.turn(load.priority)).map { stored in
                    do throws(DecodeError) {
                        return (try stored.image(limits: limits) { interest.isCancelled }, provenance)
                    } catch {
                        if LoadError.decode(error).blamesBody {
                            load.aside { try load.store.removeBody(for: load.key) }
                        }
                        return nil
                    }
                }.eraseToAnyPublisher()
            }
            .handleEvents(receiveCancel: { interest.cancel() })
            .eraseToAnyPublisher()
    }

    /// Keeps an image beside the load that has brought it, in place of the one before, unless a newer one has come.
    ///
    /// - Returns: What the load waits for before it ends: the removal of the one before, where this one may not be kept, or is to be the next
    ///   that is served however long its encoding takes.
    func keep(
        _ image: Image, _ provenance: Provenance, of request: ImageRequest, in load: StoreLoad,
        as brought: WriteOrder.Load, since beginning: Moment
    ) -> AnyPublisher<ImageEvent, LoadError> {
        let nothing = Empty<ImageEvent, LoadError>().eraseToAnyPublisher()
        guard let place = brought.place(for: provenance), !tier.health.isPaused else { return nothing }
        let isOutdated = { @Sendable [tier, asking = asking(of: provenance, since: beginning)] in
            // Another process may have brought a newer one.
            guard let present = try load.store.metadata(for: load.key).flatMap({ StoredImage.Facts(metadata: $0) })
            else { return false }
            return present.isNewer(than: asking.time, at: tier.store.wallClock)
        }
        guard image.damage == nil, provenance.freshness != .zero, provenance.lifetime == nil else {
            return load.remove(at: place, unless: isOutdated)
        }
        // Begun before the writing, which follows it.
        let removal =
            request.storedImagePolicy.mayServe ? nothing : load.remove(at: place, unless: isOutdated)
        queue.aside(holding: image.byteCount, for: load.priority) {
            guard let stored = try? file(of: image, provenance, for: request, since: beginning) else { return }
            load.aside(at: place) {
                if try !isOutdated() { try load.write(stored.bytes, metadata: stored.facts.metadata) }
            }
        }
        return removal
    }
}

extension ImageRequest {
    /// Returns the key of the image in a store that keeps it as it is shown.
    ///
    ///     disk.remove(request.storedImageKey(as: .jpeg()))
    ///
    /// - Parameter form: The form in which it is kept.
    public func storedImageKey(as form: StoredForm) -> CacheKey {
        CacheKey(["image", imageKey.digest, form.identifier])
    }

    /// True if somebody waits for a degraded image now.
    var waitsForPreview: Bool { previews && previewInterest?.isWanted != false }

    /// True if its image is another thing than the body.
    fileprivate var isWorthStoring: Bool { rendition.targetSize != nil || !rendition.processors.isEmpty }

    /// True if its keys say all that the content depends on: nobody would notice that a file has changed of which only the path is known.
    var namesItsContent: Bool {
        if case .file = resource { return version != nil || identity != nil }
        return true
    }
}

extension StoreLoad {
    struct EndedEarly: Error {}

    /// Reads an image's file, on a thread of the store; nil where there is none.
    fileprivate func storedImage() throws -> StoredImage? {
        guard let body = try store.storedBody(for: key) else { return nil }
        guard let facts = StoredImage.Facts(metadata: body.metadata) else {
            try body.removal()
            return nil
        }
        var bytes: [UInt8] = []
        while bytes.count < body.bodyLength {
            let chunk = try body.chunk(at: bytes.count)
            if chunk.isEmpty { throw EndedEarly() }
            bytes += chunk
        }
        return StoredImage(facts: facts, bytes: bytes)
    }

    /// Writes an entry that is at hand, on a thread of the store.
    func write(_ bytes: [UInt8], metadata: [UInt8] = []) throws {
        let writer = try store.bodyWriter(for: key, metadata: metadata, expectedLength: bytes.count)
        try writer?.append(bytes)
        _ = try writer?.publish()
    }
}
