import Streams
import StreamsTesting
import Testing

private func even(_ charge: Charge) -> Bool { charge.number % 2 == 0 }

private func evenOrThrow(_ charge: Charge) throws -> Bool {
    if charge.number % 7 == 6 { throw ChargedError(charge: Charge(charge.number)) }
    return even(charge)
}

private func sameParity(_ first: Charge, _ second: Charge) -> Bool { even(first) == even(second) }

extension ChargedOperator: CustomTestStringConvertible {
    var testDescription: String { names.joined(separator: ", ") }

    /// Every public operator, by the kind of what it keeps.
    static var all: [ChargedOperator] {
        stages + folds + joins + flattenings + failures + times + flows + shares
    }

    private static let stages: [ChargedOperator] = [
        .init("map") { $0.map { [$0] } },
        .init("tryMap") { $0.tryMap { try evenOrThrow($0) ? [$0] : [] } },
        .init("filter") { $0.filter(even) },
        .init("tryFilter") { $0.tryFilter(evenOrThrow) },
        .init("compactMap") { $0.compactMap { even($0) ? $0 : nil } },
        .init("tryCompactMap") { $0.tryCompactMap { try evenOrThrow($0) ? $0 : nil } },
        .init("replaceNil") { $0.map { even($0) ? $0 : nil }.replaceNil(with: Charge(-1)) },
        .init("scan") { $0.scan(Charge(0)) { $1 } },
        .init("tryScan") { $0.tryScan(Charge(0)) { try evenOrThrow($1) ? $1 : $0 } },
        .init("removeDuplicates") { $0.removeDuplicates() },
        .init("removeDuplicates") { $0.removeDuplicates(by: sameParity) },
        .init("tryRemoveDuplicates") { $0.tryRemoveDuplicates { try evenOrThrow($0) && even($1) } },
        .init("dropFirst") { $0.dropFirst() },
        .init("dropLast") { $0.dropLast(2) },
        .init("drop") { $0.drop { $0.number < 3 } },
        .init("tryDrop") { $0.tryDrop { try evenOrThrow($0) } },
        .init("prefix") { $0.prefix(3) },
        .init("prefix") { $0.prefix { $0.number < 5 } },
        .init("tryPrefix") { $0.tryPrefix { try !evenOrThrow($0) } },
        .init("output") { $0.output(in: 1..<4) },
        .init("enumerated") { $0.enumerated() },
        .init("pairwise") { $0.pairwise() },
        .init("nwise") { $0.nwise(3) },
        .init("interspersed") { $0.interspersed(with: Charge(-1)) },
        .init("materialize") { $0.materialize() },
        .init("dematerialize materialize") { $0.materialize().dematerialize() },
        .init("measureInterval") { source, _, scheduler in source.measureInterval(using: scheduler) },
        .init("stage map") { $0.map(\.number) },
        .init("eraseToAnyPublisher") { $0.eraseToAnyPublisher() },
    ]

    private static let folds: [ChargedOperator] = [
        .init("reduce fold") { $0.reduce(Charge(0)) { $1 } },
        .init("tryReduce") { $0.tryReduce(Charge(0)) { try evenOrThrow($1) ? $1 : $0 } },
        .init("collect") { $0.collect() },
        .init("count") { $0.count() },
        .init("first") { $0.first() },
        .init("first") { $0.first(where: even) },
        .init("tryFirst") { $0.tryFirst(where: evenOrThrow) },
        .init("last") { $0.last() },
        .init("last") { $0.last(where: even) },
        .init("tryLast") { $0.tryLast(where: evenOrThrow) },
        .init("takeLast") { $0.takeLast(2) },
        .init("min") { $0.min() },
        .init("tryMin") { $0.tryMin { try evenOrThrow($0) && $0 < $1 } },
        .init("max") { $0.max() },
        .init("tryMax") { $0.tryMax { try evenOrThrow($0) && $0 < $1 } },
        .init("contains") { $0.contains(Charge(5)) },
        .init("contains") { $0.contains(where: { $0.number > 4 }) },
        .init("tryContains") { $0.tryContains { try evenOrThrow($0) && $0.number > 4 } },
        .init("allSatisfy") { $0.allSatisfy { $0.number < 6 } },
        .init("tryAllSatisfy") { $0.tryAllSatisfy { try evenOrThrow($0) || true } },
        .init("ignoreOutput") { $0.ignoreOutput() },
        .init("replaceEmpty") { $0.replaceEmpty(with: Charge(-1)) },
        .init("output") { $0.output(at: 2) },
    ]

    private static let joins: [ChargedOperator] = [
        .init("zip") { a, b, _ in a.zip(b) },
        .init("combineLatest") { a, b, _ in a.combineLatest(b) },
        .init("merge") { a, b, _ in a.merge(with: b) },
        .init("zipped") { a, b, _ in [a, b].zipped() },
        .init("combinedLatest") { a, b, _ in [a, b].combinedLatest() },
        .init("withLatestFrom") { a, b, _ in a.withLatestFrom(b) },
        .init("sample") { a, b, _ in a.sample(b) },
        .init("amb") { a, b, _ in a.amb(b) },
        .init("append") { a, b, _ in a.append(b) },
        .init("prepend") { a, b, _ in a.prepend(b) },
        .init("prefix") { a, b, _ in a.prefix(untilOutputFrom: b) },
        .init("drop") { a, b, _ in a.drop(untilOutputFrom: b) },
        .init("partition") { a, _, _ in
            let (evens, odds) = a.partition(by: even)
            return evens.merge(with: odds)
        },
        .init("switchIfEmpty") { a, b, _ in a.switchIfEmpty(b) },
    ]

    private static let flattenings: [ChargedOperator] = [
        .init("flatMap") { a, b, _ in
            a.flatMap { charge in
                even(charge) ? b : Just(charge).setFailureType(to: ChargedError.self).eraseToAnyPublisher()
            }
        },
        .init("flatMap") { a, b, _ in a.flatMap(maxPublishers: .max(1)) { _ in b } },
        .init("concatMap") { a, b, _ in a.concatMap { _ in b } },
        .init("flatMapLatest") { a, b, _ in a.flatMapLatest { _ in b } },
        .init("flatMapFirst") { a, b, _ in a.flatMapFirst { _ in b } },
        .init("switchToLatest") { a, b, _ in a.map { _ in b }.switchToLatest() },
        .init("groupBy") { $0.groupBy(even).flatMap { $0 } },
        .init("window") { a, b, _ in a.window(by: b.replaceError(with: Charge(-1))).flatMap { $0.collect() } },
    ]

    private static let failures: [ChargedOperator] = [
        .init("catch") { a, b, _ in a.catch { _ in b } },
        .init("tryCatch") { a, b, _ in a.tryCatch { error in if even(error.charge) { throw error } else { b } } },
        .init("replaceError") { $0.replaceError(with: Charge(-1)) },
        .init("mapError") { $0.mapError { ChargedError(charge: Charge($0.charge.number)) } },
        .init("setFailureType") { $0.replaceError(with: Charge(-1)).setFailureType(to: ChargedError.self) },
        .init("retry") { $0.retry(2) },
        .init("retry") { a, _, scheduler in a.retry(2, backOff: .constant(.milliseconds(5)), scheduler: scheduler) },
        .init("retryWhen") { a, b, _ in a.retryWhen { errors in errors.setFailureType(to: ChargedError.self).zip(b) } },
        .init("repeat") { $0.repeat(2) },
    ]

    private static let times: [ChargedOperator] = [
        .init("delay") { a, _, scheduler in a.delay(for: .milliseconds(5), scheduler: scheduler) },
        .init("debounce") { a, _, scheduler in a.debounce(for: .milliseconds(5), scheduler: scheduler) },
        .init("throttle") { a, _, scheduler in a.throttle(for: .milliseconds(5), scheduler: scheduler, latest: true) },
        .init("timeout") { a, _, scheduler in a.timeout(.milliseconds(20), scheduler: scheduler) },
        .init("collect") { a, _, scheduler in a.collect(.byTime(scheduler, .milliseconds(5))) },
        .init("collect") { a, _, scheduler in a.collect(.byTimeOrCount(scheduler, .milliseconds(5), 2)) },
    ]

    private static let flows: [ChargedOperator] = [
        .init("collect") { $0.collect(2) },
        .init("buffer") { $0.buffer(size: 2, prefetch: .keepFull, whenFull: .dropOldest) },
        .init("buffer") { $0.buffer(size: 2, prefetch: .byRequest, whenFull: .dropNewest) },
        .init("buffer") {
            $0.buffer(
                size: 2, prefetch: .byRequest, whenFull: .customError { ChargedError(charge: Charge(-1)) })
        },
        .init("create") { source in
            Source.create(.buffer(2)) { emitter in
                source.sink(receiveCompletion: { emitter.send(completion: $0) }, receiveValue: { emitter.send($0) })
            }
        },
        .init("onBackpressureBuffer") { $0.onBackpressureBuffer(3) },
        .init("onBackpressureDrop") { $0.onBackpressureDrop() },
        .init("onBackpressureLatest") { $0.onBackpressureLatest() },
        .init("receive") { a, _, scheduler in a.receive(on: scheduler) },
        .init("subscribe") { a, _, scheduler in a.subscribe(on: scheduler) },
        .init("handleEvents") { $0.handleEvents(receiveCancel: {}) },
        .init("print") { $0.print("", to: Discarded()) },
        .init("debug") { $0.debug("") { _ in } },
        .init("checkpoint") { $0.checkpoint("here") },
        .init("contractChecked") { $0.contractChecked() },
    ]

    private static let shares: [ChargedOperator] = [
        .init("share") { $0.share() },
        .init("share") { $0.share(replay: 2) },
        .init("makeConnectable autoconnect") { $0.replaceError(with: Charge(-1)).makeConnectable().autoconnect() },
        .init("multicast") { $0.multicast { PassthroughSubject() }.autoconnect() },
    ]
}

/// Writes to nowhere.
private struct Discarded: TextOutputStream, Sendable {
    mutating func write(_ string: String) {}
}
