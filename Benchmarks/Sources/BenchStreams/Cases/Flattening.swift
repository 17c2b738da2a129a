import CAllocations
import OpenCombine
import Streams

func flatteningCases() -> [Case] {
    let side = opaque(1_000)
    let count = opaque(100_000)
    let few = opaque(10_000)
    return [
        Case(
            "flatMap 1,000 × 1,000", per: side * side,
            [
                Subject("loop") {
                    for outer in 0..<side { for inner in 0..<side { keep(outer &+ inner) } }
                },
                Subject("Streams") {
                    _ = Numbers(sequence: 0..<side)
                        .flatMap { outer in Numbers(sequence: 0..<side).map { outer &+ $0 } }.sink { keep($0) }
                },
                Subject("OpenCombine") {
                    _ = PeerNumbers(sequence: 0..<side)
                        .flatMap { outer in PeerNumbers(sequence: 0..<side).map { outer &+ $0 } }.sink { keep($0) }
                },
                Subject("AsyncSequence") { asynchronousFlatMap(side) },
            ]),
        Case(
            "zip of two sequences of 10,000", per: few,
            [
                Subject("Streams") {
                    _ = Numbers(sequence: 0..<few).zip(Numbers(sequence: 0..<few)).sink { keep($0.0 &+ $0.1) }
                },
                Subject("OpenCombine") {
                    _ = PeerNumbers(sequence: 0..<few).zip(PeerNumbers(sequence: 0..<few)).sink { keep($0.0 &+ $0.1) }
                },
                Subject("async-algorithms") { asynchronousZip(few) },
            ]),
        Case(
            "zip of two sequences of 100,000", per: count,
            [
                Subject("Streams") {
                    _ = Numbers(sequence: 0..<count).zip(Numbers(sequence: 0..<count)).sink { keep($0.0 &+ $0.1) }
                }
            ]),
        Case(
            "zip of two subjects", per: count,
            [
                Subject("Streams") {
                    let (a, b) = (Streams.PassthroughSubject<Int, Never>(), Streams.PassthroughSubject<Int, Never>())
                    let sink = a.zip(b).sink { keep($0.0 &+ $0.1) }
                    for value in 0..<count { a.send(value); b.send(value) }
                    withExtendedLifetime(sink) {}
                },
                Subject("OpenCombine") {
                    let (a, b) = (
                        OpenCombine.PassthroughSubject<Int, Never>(), OpenCombine.PassthroughSubject<Int, Never>()
                    )
                    let sink = a.zip(b).sink { keep($0.0 &+ $0.1) }
                    for value in 0..<count { a.send(value); b.send(value) }
                    withExtendedLifetime(sink) {}
                },
                Subject("async-algorithms") { asynchronousZipOfStreams(count) },
            ]),
        Case(
            "combineLatest of two subjects", per: 2 * count,
            [
                Subject("Streams") {
                    let (a, b) = (Streams.PassthroughSubject<Int, Never>(), Streams.PassthroughSubject<Int, Never>())
                    let sink = a.combineLatest(b).sink { keep($0.0 &+ $0.1) }
                    for value in 0..<count { a.send(value); b.send(value) }
                    withExtendedLifetime(sink) {}
                },
                Subject("async-algorithms") { asynchronousCombineLatest(count) },
            ]),
        Case(
            "merge of two subjects", per: 2 * count,
            [
                Subject("Streams") {
                    let (a, b) = (Streams.PassthroughSubject<Int, Never>(), Streams.PassthroughSubject<Int, Never>())
                    let sink = a.merge(with: b).sink { keep($0) }
                    for value in 0..<count { a.send(value); b.send(value) }
                    withExtendedLifetime(sink) {}
                },
                Subject("async-algorithms") { asynchronousMerge(count) },
            ]),
    ]
}
