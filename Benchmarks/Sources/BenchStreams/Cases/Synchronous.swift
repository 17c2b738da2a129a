import CAllocations
import OpenCombine
import Streams

private typealias Counting = Streams.Publishers.Sequence<ClosedRange<Int>, Never>
private typealias PeerCounting = OpenCombine.Publishers.Sequence<ClosedRange<Int>, Never>
typealias Numbers = Streams.Publishers.Sequence<Range<Int>, Never>
typealias PeerNumbers = OpenCombine.Publishers.Sequence<Range<Int>, Never>

private let increment: @Sendable (Int) -> Int = { $0 &+ 1 }
private let isWanted: @Sendable (Int) -> Bool = { $0 & 3 != 0 }
private let evenOnly: @Sendable (Int) -> Int? = { $0 & 16 == 0 ? nil : $0 }
private let sum: @Sendable (Int, Int) -> Int = { $0 &+ $1 }
private let triple: @Sendable (Int) -> Int = { $0 &* 3 }

/// The floor that a library without the compiler's help could reach: the same three closures, stored, in a loop.
struct StoredClosures: Sendable {
    let map: @Sendable (Int) -> Int
    let filter: @Sendable (Int) -> Bool
    let secondMap: @Sendable (Int) -> Int

    @inline(never)
    func sum(_ count: Int) -> Int {
        var sum = 0
        for value in 1...count {
            let mapped = map(value)
            if filter(mapped) { sum &+= secondMap(mapped) }
        }
        return sum
    }
}

func synchronousCases() -> [Case] {
    let count = opaque(1_000_000)
    let closures = [
        StoredClosures(map: increment, filter: isWanted, secondMap: triple),
        StoredClosures(map: triple, filter: isWanted, secondMap: increment),
    ]
    return [
        Case(
            "chain: 1…1,000,000 → map → filter → map → reduce", per: count,
            [
                Subject("three stored closures") { keep(closures[opaque(0)].sum(count)) },
                Subject("loop") {
                    var sum = 0
                    for value in 1...count where (value &+ 1) & 3 != 0 { sum &+= (value &+ 1) &* 3 }
                    keep(sum)
                },
                Subject("Streams") {
                    _ = Counting(sequence: 1...count)
                        .map { $0 &+ 1 }.filter { $0 & 3 != 0 }.map { $0 &* 3 }.reduce(0) { $0 &+ $1 }
                        .sink { keep($0) }
                },
                Subject("Streams, erased once") {
                    _ = Counting(sequence: 1...count)
                        .map { $0 &+ 1 }.filter { $0 & 3 != 0 }.eraseToAnyPublisher().map { $0 &* 3 }
                        .reduce(0) { $0 &+ $1 }.sink { keep($0) }
                },
                Subject("OpenCombine") {
                    _ = PeerCounting(sequence: 1...count)
                        .map { $0 &+ 1 }.filter { $0 & 3 != 0 }.map { $0 &* 3 }.reduce(0) { $0 &+ $1 }
                        .sink { keep($0) }
                },
                Subject("async-algorithms") { asynchronousChain(count) },
            ]),
        Case(
            "chain of eight operators", per: count,
            [
                Subject("Streams") {
                    _ = Numbers(sequence: 0..<count)
                        .map(increment).filter(isWanted).map(triple).map(increment).filter(isWanted).map(triple)
                        .compactMap(evenOnly).reduce(0, sum)
                        .sink { keep($0) }
                },
                Subject("OpenCombine") {
                    _ = PeerNumbers(sequence: 0..<count)
                        .map(increment).filter(isWanted).map(triple).map(increment).filter(isWanted).map(triple)
                        .compactMap(evenOnly).reduce(0, sum)
                        .sink { keep($0) }
                },
            ]),
        Case(
            "scan → removeDuplicates", per: count,
            [
                Subject("Streams") {
                    _ = Numbers(sequence: 0..<count).scan(0) { $0 &+ ($1 & 1) }.removeDuplicates().sink { keep($0) }
                },
                Subject("OpenCombine") {
                    _ = PeerNumbers(sequence: 0..<count).scan(0) { $0 &+ ($1 & 1) }.removeDuplicates().sink { keep($0) }
                },
                Subject("async-algorithms") { asynchronousScan(count) },
            ]),
    ]
}
