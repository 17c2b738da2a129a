import CAllocations
import Streams

private let isOdd: @Sendable (Int) -> Bool = { $0 & 1 == 1 }
private let isOddOrThrows: @Sendable (Int) throws -> Bool = { $0 & 1 == 1 }

/// Each synchronous operator by itself, on a long sequence: what a value costs in steady state, and that it costs no
/// allocation.
func steadyStateCases() -> [Case] {
    let count = opaque(200_000)

    func steady<P: Streams.Publisher>(_ name: String, _ make: @escaping @Sendable (Numbers) -> P) -> Case {
        Case(
            "steady state: \(name)", per: count,
            [
                Subject("Streams") {
                    _ = make(Numbers(sequence: 0..<count)).sink(
                        receiveCompletion: { _ in }, receiveValue: { _ in keep(1) })
                }
            ])
    }

    return [
        steady("map") { $0.map { $0 &+ 1 } },
        steady("tryMap") { $0.tryMap { $0 &+ 1 } },
        steady("mapError") { $0.setFailureType(to: NoValue.self).mapError { $0 } },
        steady("filter") { $0.filter(isOdd) },
        steady("tryFilter") { $0.tryFilter(isOddOrThrows) },
        steady("compactMap") { $0.compactMap { $0 & 1 == 1 ? $0 : nil } },
        steady("tryCompactMap") { $0.tryCompactMap { $0 & 1 == 1 ? $0 : nil } },
        steady("replaceNil") { $0.map { $0 & 1 == 1 ? $0 : nil }.replaceNil(with: 0) },
        steady("scan") { $0.scan(0) { $0 &+ $1 } },
        steady("tryScan") { $0.tryScan(0) { $0 &+ $1 } },
        steady("removeDuplicates") { $0.removeDuplicates() },
        steady("tryRemoveDuplicates") { $0.tryRemoveDuplicates { $0 == $1 } },
        steady("dropFirst") { $0.dropFirst(3) },
        steady("drop(while:)") { $0.drop { $0 < 3 } },
        steady("tryDrop(while:)") { $0.tryDrop { $0 < 3 } },
        steady("dropLast") { $0.dropLast(3) },
        steady("prefix") { $0.prefix(.max) },
        steady("prefix(while:)") { $0.prefix { $0 >= 0 } },
        steady("tryPrefix(while:)") { $0.tryPrefix { $0 >= 0 } },
        steady("output(in:)") { $0.output(in: 3...) },
        steady("first(where:)") { $0.first { $0 < 0 } },
        steady("tryFirst(where:)") { $0.tryFirst { $0 < 0 } },
        steady("last(where:)") { $0.last(where: isOdd) },
        steady("tryLast(where:)") { $0.tryLast(where: isOddOrThrows) },
        steady("takeLast") { $0.takeLast(3) },
        steady("reduce") { $0.reduce(0) { $0 &+ $1 } },
        steady("tryReduce") { $0.tryReduce(0) { $0 &+ $1 } },
        steady("count") { $0.count() },
        steady("min") { $0.min() },
        steady("max") { $0.max() },
        steady("tryMin") { $0.tryMin { $0 < $1 } },
        steady("tryMax") { $0.tryMax { $0 < $1 } },
        steady("contains") { $0.contains(-1) },
        steady("tryContains") { $0.tryContains { $0 < 0 } },
        steady("allSatisfy") { $0.allSatisfy { $0 >= 0 } },
        steady("tryAllSatisfy") { $0.tryAllSatisfy { $0 >= 0 } },
        steady("ignoreOutput") { $0.ignoreOutput() },
        steady("enumerated") { $0.enumerated() },
        steady("pairwise") { $0.pairwise() },
        steady("interspersed") { $0.interspersed(with: 0) },
        steady("materialize") { $0.materialize() },
        steady("dematerialize") { $0.map { Streams.Publishers.Signal<Int, Never>.value($0) }.dematerialize() },
        steady("append, prepend") { $0.append(1).prepend(2) },
        steady("replaceEmpty") { $0.replaceEmpty(with: 0) },
        steady("replaceError") { $0.replaceError(with: 0) },
        steady("catch") { $0.setFailureType(to: NoValue.self).catch { _ in Streams.Just(0) } },
        steady("retry") { $0.retry(3) },
        steady("handleEvents") { $0.handleEvents(receiveOutput: { _ in }) },
        steady("measureInterval") { $0.measureInterval(using: Streams.ImmediateScheduler.shared) },
        steady("buffer") { $0.buffer(size: 4, prefetch: .byRequest, whenFull: .dropOldest) },
        steady("merge") { $0.merge(with: Streams.Empty<Int, Never>()) },
        steady("zip") { $0.zip($0) },
        steady("combineLatest") { $0.combineLatest(Streams.Just(1)) },
        steady("withLatestFrom") { $0.withLatestFrom(Streams.Just(1)) },
        steady("amb") { $0.amb(Streams.Empty<Int, Never>(completeImmediately: false)) },
        steady("share") { $0.share() },
        steady("multicast, autoconnect") { $0.multicast { Streams.PassthroughSubject() }.autoconnect() },
        steady("eraseToAnyPublisher") { $0.eraseToAnyPublisher() },
    ]
}

/// What is long or nested, at n and at 4 n: linear time shows as the same cost.
func depthCases() -> [Case] {
    func depth(_ name: String, _ n: Int, _ run: @escaping @Sendable (Int) -> Void) -> [Case] {
        [n, 4 * n].map { n in
            let n = opaque(n)
            return Case("depth: \(n) \(name)", per: n, [Subject("Streams") { run(n) }])
        }
    }

    return depth("retries", 50_000) { n in
        _ = Streams.Fail<Int, NoValue>(error: NoValue()).retry(n).sink(
            receiveCompletion: { _ in keep(1) }, receiveValue: { keep($0) })
    }
        + depth("repetitions of an append", 50_000) { n in
            _ = Streams.Just(1).append(2).repeat(n).sink { keep($0) }
        }
        + depth("requests one by one", 250_000) { n in
            Numbers(sequence: 0..<n).subscribe(
                Streams.AnySubscriber<Int, Never>(
                    receiveSubscription: { $0.request(.max(1)) },
                    receiveValue: {
                        keep($0)
                        return .max(1)
                    }))
        }
        + depth("inner publishers of flatMap", 25_000) { n in
            _ = Numbers(sequence: 0..<n).flatMap { Streams.Just($0) }.sink { keep($0) }
        }
}
