import Streams
import Synchronization

/// Writes a body that passes by to the disk, and keeps it only if it was cut, for the next load to continue.
///
/// The serial signals of one stream record. A stream that is cancelled releases the recorder, which keeps what has come then.
final class PartialBodyRecorder: Sendable {
    private let cache: DiskCache
    private let key: CacheKey
    private let requestHeaders: [HTTPField]
    /// The beginning that is there already.
    private let present: PartialBody?
    private let threads: ThreadPoolScheduler
    private let recording = SerialState<Recording?>(nil)
    private let fate: Fate

    /// A smaller body is loaded in the time that asking for its rest takes.
    private static let smallest = 32 << 10

    private struct Recording: ~Copyable {
        var writer: DiskEntryWriter
        /// The number of bytes from which on they are worth more than what is there.
        let worth: Int
        var received = 0
    }

    /// The mark that a body is of no use. Any thread may set it.
    private final class Fate: Sendable {
        let isDiscarded = Atomic(false)
    }

    init(
        cache: DiskCache, key: CacheKey, requestHeaders: [HTTPField], present: PartialBody?,
        threads: ThreadPoolScheduler
    ) {
        self.cache = cache
        self.key = key
        self.requestHeaders = requestHeaders
        self.present = present
        self.threads = threads
        fate = Fate()
    }

    deinit {
        // On whichever thread cancels: the disk is for those that may block.
        if recording.withValue({ $0 != nil }) {
            threads.schedule { [cache, key, recording, fate] in Self.keep(recording, as: key, in: cache, fate) }
        }
    }

    /// Takes an event, and returns it as it goes on.
    func recorded(_ event: DataEvent) -> DataEvent {
        switch event {
        case .response(var response):
            begin(response)
            response.discard = discarding(else: response.discard)
            return .response(response)
        case .chunk(let bytes):
            recording.withValue { recording in
                recording?.received += bytes.count
                recording?.writer.append(bytes)
            }
            return event
        }
    }

    func end(_ completion: Subscribers.Completion<LoadError>) {
        switch completion {
        case .finished:
            recording.withValue { $0 = nil }
            present?.remove()
        case .failure(let error) where error.endsBeginnings:
            recording.withValue { $0 = nil }
            present?.remove()
        case .failure: Self.keep(recording, as: key, in: cache, fate)
        }
    }

    private func begin(_ response: DataResponse) {
        recording.withValue { $0 = nil }
        let now = cache.now()
        guard response.isStorable, let head = response.head, let total = response.expectedLength,
            total >= Self.smallest,
            let stored = StoredResponse(head, to: requestHeaders, requestTime: now, responseTime: now),
            let tag = stored.strongTag, stored.values("content-length") == ["\(total)"]
        else { return }
        let isContinuation = tag == present?.entityTag
        if !isContinuation { present?.remove() }
        let worth = isContinuation ? present?.length ?? 0 : 0
        recording.withValue { [cache, key] recording in
            guard let writer = cache.writer(for: key, metadata: stored.metadata, expectedLength: total) else { return }
            recording = Recording(writer: writer, worth: worth)
        }
    }

    private static func keep(
        _ recording: SerialState<Recording?>, as key: CacheKey, in cache: DiskCache, _ fate: Fate
    ) {
        let isDiscarded = fate.isDiscarded.load(ordering: .sequentiallyConsistent)
        let isKept = recording.withValue { recording in
            guard let cut = recording.take(), !isDiscarded, cut.received > cut.worth else { return false }
            return cut.writer.publish()
        }
        // Of this and a discard at the same time, the second sees the effect of the first.
        if isKept, fate.isDiscarded.load(ordering: .sequentiallyConsistent) { cache.remove(key) }
    }

    /// A body that nothing can be made of is not to be continued either.
    private func discarding(
        else discard: (@Sendable () -> AnyPublisher<Bool, Never>)?
    ) -> @Sendable () -> AnyPublisher<Bool, Never> {
        let wasPresent = present != nil
        return { [cache, key, threads, fate] in
            Deferred { () -> AnyPublisher<Bool, Never> in
                fate.isDiscarded.store(true, ordering: .sequentiallyConsistent)
                cache.remove(key)
                guard let discard, !wasPresent else { return Just(wasPresent).eraseToAnyPublisher() }
                return discard()
            }.subscribe(on: threads).eraseToAnyPublisher()
        }
    }
}

extension LoadError {
    /// Whether what has come is not to be continued: the resource is gone, or its server contradicts itself and would do so again.
    fileprivate var endsBeginnings: Bool {
        switch self {
        case .status(404), .status(410), .transport(.protocolViolation): true
        default: false
        }
    }
}
