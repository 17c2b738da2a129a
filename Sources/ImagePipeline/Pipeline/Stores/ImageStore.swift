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
    let order = WriteOrder()

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
            return own.isOlder(than: present, at: store.wallClock)
        }
    }

    /// Encodes an image; on a thread of the queue.
    ///
    /// - Parameter begun: The moment at which its load began.
    func file(
        of image: Image, _ provenance: Provenance, for request: ImageRequest, begun: Duration
    ) throws(EncodeError) -> StoredImage {
        var end = provenance.aged().freshness
        if case .url = request.resource, end == nil { end = assumedFreshness }
        return try StoredImage(
            image, provenance, as: form(of: request) ?? .png(), freshUntil: end.map { tier.store.wallClock + $0 },
            begun: begun)
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
        as brought: WriteOrder.Load, begun: Duration
    ) -> AnyPublisher<ImageEvent, LoadError> {
        let nothing = Empty<ImageEvent, LoadError>().eraseToAnyPublisher()
        guard let place = brought.place(isNew: provenance.isNews), !tier.health.isPaused else { return nothing }
        guard image.damage == nil, provenance.freshness != .zero, provenance.lifetime == nil else {
            return load.remove(at: place)
        }
        // Begun before the writing, which follows it.
        let removal = request.storedImagePolicy.mayServe ? nothing : load.remove(at: place)
        queue.aside(holding: image.byteCount, for: load.priority) {
            guard let stored = try? file(of: image, provenance, for: request, begun: begun) else { return }
            load.aside(at: place) {
                // Another process may have brought a newer one.
                let own = stored.facts.metadata
                if let present = try load.store.metadata(for: load.key), isOlder(own, present) { return }
                try load.write(stored.bytes, metadata: own)
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

    /// Does something with the store that no load waits for, and whose failure only counts against the store.
    ///
    /// - Parameter end: Called when it is done, or has taken too long.
    func aside(_ body: @escaping @Sendable () throws -> Void, end: @escaping @Sendable () -> Void = {}) {
        let link = SingleAssignmentDisposable()
        link.set(
            tier.load(of: key, priority: priority).work(body)
                .sink(
                    receiveCompletion: { _ in
                        link.cancel()
                        end()
                    }, receiveValue: {}))
    }

    /// Does something with the store so, in the order of the places, and nothing where there is a newer one.
    func aside(at place: WriteOrder.Place, _ body: @escaping @Sendable () throws -> Void) {
        place.write { turn in
            aside { try withExtendedLifetime(turn) { try body() } }
        }
    }

    /// Removes the entry in the order of the places. Begins at once, whoever waits for it.
    ///
    /// - Returns: Finishes without a value when that is done, has failed or is left to a newer place.
    func remove<Event>(at place: WriteOrder.Place) -> AnyPublisher<Event, LoadError> {
        Future<Void, LoadError> { promise in
            let removal = Removal { promise(.success(())) }
            place.write { turn in
                aside({ try withExtendedLifetime(turn) { try store.removeBody(for: key) } }, end: { removal.end() })
            }
        }
        .flatMap { _ in Empty<Event, LoadError>() }.eraseToAnyPublisher()
    }

    /// The error, behind the removal of an entry whose server has no such resource any more, unless it has had one since.
    func forgetting(_ error: LoadError, as brought: WriteOrder.Load) -> AnyPublisher<ImageEvent, LoadError> {
        let failure = Fail<ImageEvent, LoadError>(error: error).eraseToAnyPublisher()
        guard error.saysThatItIsGone, let place = brought.place(isNew: true) else { return failure }
        return remove(at: place).append(failure).eraseToAnyPublisher()
    }

    /// A removal that is waited for. It is over, too, when it is let go of: nothing has been left to it.
    private final class Removal: Sendable {
        let end: @Sendable () -> Void

        init(_ end: @escaping @Sendable () -> Void) {
            self.end = end
        }

        deinit { end() }
    }
}
