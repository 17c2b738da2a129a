import ImagePipeline
import Streams
import StreamsTesting
import Synchronization
import Testing

/// Loads of numbered bodies through a store, and how many of them the origin was asked for.
struct LoadsThroughStore: Sendable {
    let requests = RequestCounter()
    private let body = [UInt8](repeating: 5, count: 300_000)
    private let source: AnySource<Int, DataEvent>

    init(_ store: some BodyStore) {
        let (body, requests) = (body, requests)
        let origin = AnySource<Int, DataEvent> { _ in
            requests.add()
            let response = DataEvent.response(DataResponse(provenance: .network, expectedLength: body.count))
            return [response, .chunk(body)].publisher.setFailureType(to: LoadError.self).eraseToAnyPublisher()
        }
        source = AnySource(origin.cached(in: store, by: { CacheKey(["\($0)"]) }, on: ThreadPoolScheduler(width: 8)))
    }

    func start(_ number: Int) -> RecordingSubscriber<DataEvent, LoadError> {
        let load = RecordingSubscriber<DataEvent, LoadError>()
        source.events(for: number).subscribe(load)
        return load
    }

    func start() -> [RecordingSubscriber<DataEvent, LoadError>] { (0..<50).map { start($0) } }

    func expectBody(_ load: RecordingSubscriber<DataEvent, LoadError>) {
        #expect(load.waitForCompletion() && load.isFinished)
        var bytes: [UInt8] = []
        for event in load.values {
            switch event {
            case .response: bytes = []
            case .chunk(let chunk): bytes += chunk
            }
        }
        #expect(bytes == body)
    }

    func loadAll() { start().forEach(expectBody) }

    /// Loads until nothing more is asked of the origin: the store is used.
    func waitUntilUsed() {
        var before = -1
        while requests.value != before {
            before = requests.value
            loadAll()
        }
    }
}

final class RequestCounter: Sendable {
    private let count = Atomic(0)
    var value: Int { count.load(ordering: .relaxed) }
    func add() { count.add(1, ordering: .relaxed) }
}
