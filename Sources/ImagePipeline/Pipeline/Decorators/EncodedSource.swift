import Streams

extension Source where Request == ImageRequest, Event == ImageEvent {
    /// Delivers final images as files, and keeps them: for a server, which sends a result again without decoding or encoding it.
    ///
    ///     let thumbnails = bytes.decoded(in: workers).processed(in: workers)
    ///         .encoded(as: .jpeg(quality: 80), in: disk, workers: workers, on: storeThreads)
    ///
    /// A hit is read from the store in pieces, and touches nothing upstream. The response states the file's content type; its
    /// ``Provenance/freshness`` is the time for which the server's own clients may keep it, if the origin has said so. What is kept is
    /// that which ``cached(in:as:freshFor:limits:workers:on:clock:)`` keeps, in the same place: of a store that both use, each serves what
    /// the other has put there. What that does not keep is encoded each time.
    ///
    /// - Parameters:
    ///   - form: The form of images whose requests name none (``ImageRequest/storedForm``).
    ///   - store: The store that files are looked up and kept in, such as a ``DiskCache``.
    ///   - assumedFreshness: The time for which an image from the network is fresh of which its server has said nothing.
    ///   - workers: The queue that images are encoded in.
    ///   - threads: The threads that the store is used on, and nothing else.
    ///   - clock: The clock that measures how long a load has waited for the store.
    public func encoded<Context: Scheduler>(
        as form: StoredForm = .jpeg(), in store: some BodyStore, freshFor assumedFreshness: Duration = .zero,
        workers: WorkQueue<Context>, on threads: ThreadPoolScheduler, clock: StoreClock = .system
    ) -> some Source<ImageRequest, DataEvent> {
        let tier = StoreTier(store, openBodies: 16, threads: threads, clock: clock)
        return EncodedSource(
            upstream: self,
            images: ImageStore(
                tier: tier, form: form, assumedFreshness: assumedFreshness, limits: .safe, queue: workers))
    }
}

private struct EncodedSource<Upstream: Source<ImageRequest, ImageEvent>, Context: Scheduler>: Source {
    let upstream: Upstream
    let images: ImageStore<Context>

    func events(for request: ImageRequest) -> AnyPublisher<DataEvent, LoadError> {
        let policy = request.storedImagePolicy
        guard let load = images.load(of: request) else { return made(request, noting: nil) }
        guard policy.mayStoreForGood else {
            return Deferred { () -> AnyPublisher<DataEvent, LoadError> in
                let brought = load.begin(of: request.dataKey)
                return made(request, noting: nil).catch { load.forgetting($0, as: brought) }.eraseToAnyPublisher()
            }.eraseToAnyPublisher()
        }
        return Deferred { () -> AnyPublisher<DataEvent, LoadError> in
            let facts = Noted<StoredImage.Facts>()
            let brought = load.begin(of: request.dataKey)
            let kept = load.recorded(
                made(request, noting: facts), as: brought, replaces: true, unless: images.isOlder
            ) { response in
                let isToBeKept = response.provenance.freshness != .zero && response.provenance.lifetime == nil
                return isToBeKept ? facts.value?.metadata : nil
            }
            .catch { load.forgetting($0, as: brought) }
            .eraseToAnyPublisher()
            guard policy.mayServe else { return kept }
            return load.stored(as: { body in
                guard let facts = StoredImage.Facts(metadata: body.metadata) else { return nil }
                let provenance = facts.provenance(at: load.store.wallClock)
                guard provenance.freshness != .zero else { return nil }
                return ServedBody(provenance: provenance, contentType: facts.contentType)
            }) { kept }
        }.eraseToAnyPublisher()
    }

    private func made(
        _ request: ImageRequest, noting facts: Noted<StoredImage.Facts>?
    ) -> AnyPublisher<DataEvent, LoadError> {
        let beginning = images.now
        return upstream.events(for: request.withoutPreviews)
            .compactMap { event -> (image: Image, provenance: Provenance)? in
                if case .final(let image, let provenance) = event { (image, provenance) } else { nil }
            }
            .receive(on: images.queue.turn(request.priority))
            .flatMap { [images] image, provenance -> AnyPublisher<DataEvent, LoadError> in
                do throws(EncodeError) {
                    let file = try images.file(of: image, provenance, for: request, since: beginning)
                    if image.damage == nil { facts?.note(file.facts) }
                    var provenance = provenance
                    provenance.isLossy = file.facts.isLossy
                    let response = DataResponse(
                        provenance: provenance, expectedLength: file.bytes.count, contentType: file.facts.contentType)
                    return [DataEvent.response(response), .chunk(file.bytes)].publisher
                        .setFailureType(to: LoadError.self).eraseToAnyPublisher()
                } catch {
                    let failure = ProcessingError(processor: "imagestreams.encode", reason: "\(error)")
                    return Fail(error: .processing(failure)).eraseToAnyPublisher()
                }
            }
            .eraseToAnyPublisher()
    }
}
