import Dispatch
import ImagePipeline
import Streams
import Synchronization

/// Loads that are awaited together.
final class Crowd: Sendable {
    private let group = DispatchGroup()
    private let loads = Mutex<[AnyCancellable]>([])
    private let finals = Atomic(0)

    var finalCount: Int { finals.load(ordering: .relaxed) }

    func load(_ request: ImageRequest, from source: some Source<ImageRequest, ImageEvent>) {
        group.enter()
        let load = source.events(for: request).sink(
            receiveCompletion: { [group] _ in group.leave() },
            receiveValue: { [self] event in
                if event.finalValue != nil { finals.wrappingAdd(1, ordering: .relaxed) }
            })
        loads.withLock { $0.append(load) }
    }

    func wait() { group.wait() }

    func cancel() {
        for load in loads.withLock({ $0 }) { load.cancel() }
    }
}

/// A source of files' bytes that counts loads.
final class CountedFiles: Source {
    private let files: FileSource
    private let count = Atomic(0)

    init() {
        files = FileSource()
    }

    var loads: Int { count.load(ordering: .relaxed) }

    func events(for request: ImageRequest) -> AnyPublisher<DataEvent, LoadError> {
        Deferred { [self] in
            count.wrappingAdd(1, ordering: .relaxed)
            return files.events(for: request)
        }.eraseToAnyPublisher()
    }
}
