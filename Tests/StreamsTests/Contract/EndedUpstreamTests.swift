import Streams
import StreamsTesting
import Testing

@Suite("An upstream that has ended is not cancelled")
struct EndedUpstreamTests {
    typealias Numbers = TestPublisher<Int>

    private static let operators: [(name: String, make: @Sendable (Numbers) -> any Publisher)] = [
        ("map", { $0.map { $0 } }), ("filter", { $0.filter { $0 > 1 } }), ("scan", { $0.scan(0, +) }),
        ("reduce", { $0.reduce(0, +) }), ("tryReduce", { $0.tryReduce(0) { $0 + $1 } }),
        ("collect", { $0.collect() }), ("collect 2", { $0.collect(2) }), ("count", { $0.count() }),
        ("last", { $0.last() }), ("max", { $0.max() }),
        ("last where", { $0.last { $0 > 0 } }), ("min", { $0.min() }), ("ignoreOutput", { $0.ignoreOutput() }),
        ("allSatisfy", { $0.allSatisfy { $0 > 0 } }), ("contains", { $0.contains(9) }),
        ("first where", { $0.first { $0 > 9 } }), ("prefix", { $0.prefix(9) }), ("dropLast", { $0.dropLast(1) }),
        ("replaceEmpty", { $0.replaceEmpty(with: 1) }),
        ("buffer", { $0.buffer(size: 9, prefetch: .keepFull, whenFull: .dropNewest) }),
        ("share", { $0.share() }),
        ("flatMap", { $0.flatMap { Just($0).setFailureType(to: TestFailure.self) } }),
        ("retry", { $0.retry(0) }),
        ("append", { $0.append(1) }), ("merge", { $0.merge(with: Empty()) }), ("materialize", { $0.materialize() }),
        ("handleEvents", { $0.handleEvents(receiveOutput: { _ in }) }), ("pairwise", { $0.pairwise() }),
    ]

    @Test("It is not after it has finished or failed, with or without values")
    func ended() {
        for (name, make) in Self.operators {
            for end in [Timeline<Int>.Signal.finished, .failure("end")] {
                for values in 0...3 {
                    let upstream = Numbers(.hot)
                    open(make(upstream))
                    for value in 0..<values { upstream.send(value + 1) }
                    upstream.send(end)
                    #expect(upstream.windows.map(\.cancels) == [0], "\(name), \(end), \(values)")
                }
            }
        }
    }

    private func open<P: Publisher>(_ publisher: P) {
        publisher.subscribe(RecordingSubscriber<P.Output, P.Failure>())
    }
}
