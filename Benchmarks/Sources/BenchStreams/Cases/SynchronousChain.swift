import CAllocations
import OpenCombine
import Streams

private let increment: @Sendable (Int) -> Int = { $0 &+ 1 }
private let isWanted: @Sendable (Int) -> Bool = { $0 & 3 != 0 }
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

func synchronousChain() -> [Figure] {
    let count = opaque(1_000_000)
    let closures = [
        StoredClosures(map: increment, filter: isWanted, secondMap: triple),
        StoredClosures(map: triple, filter: isWanted, secondMap: increment),
    ]
    return measure(
        "1...1,000,000 → map → filter → map → reduce", per: count,
        [
            (
                "loop",
                {
                    var sum = 0
                    for value in 1...count where (value &+ 1) & 3 != 0 { sum &+= (value &+ 1) &* 3 }
                    keep(sum)
                }
            ),
            ("three stored closures", { keep(closures[opaque(0)].sum(count)) }),
            (
                "Streams",
                {
                    _ = Streams.Publishers.Sequence<ClosedRange<Int>, Never>(sequence: 1...count)
                        .map { $0 &+ 1 }.filter { $0 & 3 != 0 }.map { $0 &* 3 }.reduce(0) { $0 &+ $1 }
                        .sink { keep($0) }
                }
            ),
            (
                "Streams, erased once",
                {
                    _ = Streams.Publishers.Sequence<ClosedRange<Int>, Never>(sequence: 1...count)
                        .map { $0 &+ 1 }.filter { $0 & 3 != 0 }.eraseToAnyPublisher().map { $0 &* 3 }
                        .reduce(0) { $0 &+ $1 }.sink { keep($0) }
                }
            ),
            (
                "OpenCombine",
                {
                    _ = OpenCombine.Publishers.Sequence<ClosedRange<Int>, Never>(sequence: 1...count)
                        .map { $0 &+ 1 }.filter { $0 & 3 != 0 }.map { $0 &* 3 }.reduce(0) { $0 &+ $1 }
                        .sink { keep($0) }
                }
            ),
        ])
}

func justToSink() -> [Figure] {
    let count = opaque(10_000)
    return measure(
        "Just → map → sink, per subscription", per: count,
        [
            ("Streams", { for value in 1...count { _ = Streams.Just(value).map { $0 &+ 1 }.sink { keep($0) } } }),
            (
                "OpenCombine",
                { for value in 1...count { _ = OpenCombine.Just(value).map { $0 &+ 1 }.sink { keep($0) } } }
            ),
        ])
}

/// Uses a result, so that what made it is not optimised away.
@inline(__always)
func keep(_ value: Int) {
    if opaque(value) == .min { print(value) }
}
