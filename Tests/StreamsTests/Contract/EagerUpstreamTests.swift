import Streams
import StreamsTesting
import Testing

@Suite("Upstreams that send everything inside their subscription")
struct EagerUpstreamTests {
    /// Sends five values and ends before it has returned.
    private static let eager = AnyPublisher<Int, Never>.create(.unbounded) { emitter in
        for value in 1...5 { emitter.send(value) }
        emitter.send(completion: .finished)
        return Disposable()
    }

    private static let joins: [any Publisher<Int, Never>] = [
        eager.combineLatest(eager) { $0 * 10 + $1 }, eager.combineLatest(eager, eager) { $0 + $1 + $2 },
        eager.zip(eager) { $0 * 10 + $1 }, eager.zip(eager, eager) { $0 + $1 + $2 },
        eager.withLatestFrom(eager).map(\.0), eager.merge(with: eager), eager.append(eager), eager.amb(eager),
        Just(eager).append(eager).flatMap { $0 }, Just(eager).append(eager).switchToLatest(),
        eager.interspersed(with: 0),
        eager.sample(eager), eager.drop(untilOutputFrom: Just(1)), eager.prefix(untilOutputFrom: Empty<Int, Never>()),
    ]

    /// Of several upstreams that send what was not requested: what operators with a queue of their own make of them.
    private static var queued: [any Publisher<Int, Never>] {
        let flood = Flood(count: 5)
        return [
            flood.zip(flood) { $0 * 10 + $1 }, flood.zip(flood, flood) { $0 + $1 + $2 },
            [flood, flood].zipped().map { $0[0] },
            flood.combineLatest(flood) { $0 * 10 + $1 }, flood.withLatestFrom(flood).map(\.0),
            flood.interspersed(with: 0), flood.drop(untilOutputFrom: Just(1)),
            flood.prefix(untilOutputFrom: Empty<Int, Never>(completeImmediately: false)),
            flood.timeout(.seconds(1), scheduler: VirtualTimeScheduler()),
        ]
    }

    @Test("No operator that joins them delivers more than is requested", arguments: joins + queued)
    func demand(_ publisher: any Publisher<Int, Never>) {
        for first in 0...3 {
            let subscriber = RecordingSubscriber<Int, Never>(initialDemand: .max(first))
            subscribe(publisher, subscriber)
            #expect(subscriber.values.count <= first)
            for requested in (first + 1)...(first + 4) {
                subscriber.request(.max(1))
                #expect(subscriber.values.count <= requested)
            }
            subscriber.request(.unlimited)
            #expect(subscriber.isFinished && subscriber.violations.isEmpty, "\(subscriber.violations)")
        }
    }
}
