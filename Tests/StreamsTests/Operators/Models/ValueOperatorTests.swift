import Streams
import StreamsTesting
import Testing

/// Throws at fives.
@Sendable private func odd(_ value: Int) throws -> Bool {
    if value == 5 { throw TestError.overflow }
    return value % 2 == 1
}

/// The values before the first five, and how that ends.
private func beforeFive(_ values: [Int], _ end: End) -> (values: [Int], end: End) {
    guard let five = values.firstIndex(of: 5) else { return (values, end) }
    return (Array(values[..<five]), .failed(.overflow))
}

/// What is delivered at the end, if it ends well.
private func atEnd<Value>(_ end: End, _ values: [Value]) -> Outcome<Value> {
    Outcome(end == .finished ? values : [], end)
}

@Suite("Operators that make one value or none of each equal their models")
struct StageOperatorTests {
    @Test("scan and tryScan")
    func scan() {
        check("scan", model: { values, end in Outcome(scanned(values), end) }, make: { $0.scan(0, +) })
        check(
            "tryScan",
            model: { values, end in
                let (before, end) = beforeFive(values, end)
                return Outcome(scanned(before), end)
            },
            make: {
                $0.tryScan(0) {
                    _ = try odd($1); return $0 + $1
                }
            })
    }

    @Test("tryMap, tryFilter and tryCompactMap")
    func tryForms() {
        func model(_ transform: @escaping (Int) -> Int?) -> ([Int], End) -> Outcome<Int> {
            { values, end in
                let (before, end) = beforeFive(values, end)
                return Outcome(before.compactMap(transform), end)
            }
        }
        check("tryMap", model: model { $0 % 2 }, make: { $0.tryMap { try odd($0) ? 1 : 0 } })
        check("tryFilter", model: model { $0 % 2 == 1 ? $0 : nil }, make: { $0.tryFilter(odd) })
        check(
            "tryCompactMap", model: model { $0 % 2 == 1 ? $0 : nil },
            make: { $0.tryCompactMap { try odd($0) ? $0 : nil } })
    }

    @Test("removeDuplicates")
    func removeDuplicates() {
        func unique(_ values: [Int]) -> [Int] {
            values.enumerated().filter { $0 == 0 || values[$0 - 1] != $1 }.map(\.1)
        }
        check("removeDuplicates", model: { Outcome(unique($0), $1) }, make: { $0.removeDuplicates() })
        check(
            "tryRemoveDuplicates",
            model: { values, end in
                // The first value is compared with nothing.
                let rest = beforeFive(Array(values.dropFirst()), end)
                return values.isEmpty ? Outcome([], end) : Outcome(unique([values[0]] + rest.values), rest.end)
            },
            make: {
                $0.tryRemoveDuplicates {
                    _ = try odd($1); return $0 == $1
                }
            })
    }

    @Test("dropFirst, dropLast, drop(while:) and tryDrop(while:)")
    func drop() {
        for count in [0, 1, 3] {
            check("dropFirst", model: { Outcome(Array($0.dropFirst(count)), $1) }, make: { $0.dropFirst(count) })
            check("dropLast", model: { Outcome(Array($0.dropLast(count)), $1) }, make: { $0.dropLast(count) })
        }
        check("drop(while:)", model: { Outcome(Array($0.drop { $0 % 2 == 1 }), $1) }, make: { $0.drop { $0 % 2 == 1 } })
        check(
            "tryDrop(while:)",
            model: { values, end in
                let kept = Array(values.drop { $0 != 5 && $0 % 2 == 1 })
                return kept.first == 5 ? Outcome([], .failed(.overflow)) : Outcome(kept, end)
            },
            make: { $0.tryDrop(while: odd) })
    }

    @Test("prefix, prefix(while:) and tryPrefix(while:)")
    func prefix() {
        for count in [0, 1, 3] {
            check(
                "prefix", model: { $0.count >= count ? Outcome(Array($0.prefix(count)), .finished) : Outcome($0, $1) },
                make: { $0.prefix(count) })
        }
        check(
            "prefix(while:)",
            model: { values, end in
                let kept = Array(values.prefix { $0 < 4 })
                return Outcome(kept, kept.count < values.count ? .finished : end)
            }, make: { $0.prefix { $0 < 4 } })
        check(
            "tryPrefix(while:)",
            model: { values, end in
                let kept = Array(values.prefix { $0 != 5 && $0 % 2 == 1 })
                guard kept.count < values.count else { return Outcome(kept, end) }
                return Outcome(kept, values[kept.count] == 5 ? .failed(.overflow) : .finished)
            }, make: { $0.tryPrefix(while: odd) })
    }

    @Test("first, first(where:), tryFirst(where:), output(at:) and output(in:)")
    func first() {
        check("first", model: { $0.isEmpty ? Outcome([], $1) : Outcome([$0[0]], .finished) }, make: { $0.first() })
        check(
            "first(where:)",
            model: { values, end in values.first { $0 > 3 }.map { Outcome([$0], .finished) } ?? Outcome([], end) },
            make: { $0.first { $0 > 3 } })
        check(
            "tryFirst(where:)",
            model: { values, end in
                guard let found = values.first(where: { $0 == 5 || $0 % 2 == 1 }) else { return Outcome([], end) }
                return found == 5 ? Outcome([], .failed(.overflow)) : Outcome([found], .finished)
            }, make: { $0.tryFirst(where: odd) })
        check(
            "output(at:)", model: { $0.count > 2 ? Outcome([$0[2]], .finished) : Outcome([], $1) },
            make: { $0.output(at: 2) })
        check(
            "output(in:)",
            model: { $0.count >= 4 ? Outcome(Array($0[1..<4]), .finished) : Outcome(Array($0.dropFirst()), $1) },
            make: { $0.output(in: 1..<4) })
        check("output(in: empty)", model: { _, _ in Outcome([], .finished) }, make: { $0.output(in: 3..<3) })
        check("output(in: 2...)", model: { Outcome(Array($0.dropFirst(2)), $1) }, make: { $0.output(in: 2...) })
    }

    @Test("enumerated, pairwise and nwise")
    func neighbours() {
        check(
            "enumerated", model: { Outcome($0.enumerated().map { [$0, $1] }, $1) },
            make: { $0.enumerated().map { [$0.offset, $0.element] } })
        check(
            "pairwise", model: { Outcome(zip($0, $0.dropFirst()).map { [$0, $1] }, $1) },
            make: { $0.pairwise().map { [$0.0, $0.1] } })
        check(
            "nwise",
            model: { values, end in
                Outcome(values.count < 3 ? [] : (0...values.count - 3).map { Array(values[$0..<$0 + 3]) }, end)
            }, make: { $0.nwise(3) })
    }

    @Test("materialize, and back by dematerialize")
    func materialize() {
        typealias Signal = Publishers.Signal<Int, TestError>
        check(
            "materialize",
            model: { values, end in
                Outcome(values.map(Signal.value) + [end == .finished ? .finished : .failure(.expected)], .finished)
            }, make: { $0.materialize() })
        check("dematerialize", model: { Outcome($0, $1) }, make: { $0.materialize().dematerialize() })
    }

    private func scanned(_ values: [Int]) -> [Int] {
        values.indices.map { values[...$0].reduce(0, +) }
    }
}

@Suite("Operators that make one result equal their models")
struct FoldOperatorTests {
    @Test("reduce, tryReduce, collect, count and ignoreOutput")
    func reduce() {
        check("reduce", model: { atEnd($1, [$0.reduce(0, +)]) }, make: { $0.reduce(0, +) })
        check(
            "tryReduce",
            model: { values, end in
                let (before, end) = beforeFive(values, end)
                return atEnd(end, [before.reduce(0, +)])
            },
            make: {
                $0.tryReduce(0) {
                    _ = try odd($1); return $0 + $1
                }
            })
        check("collect", model: { atEnd($1, [$0]) }, make: { $0.collect() })
        check("count", model: { atEnd($1, [$0.count]) }, make: { $0.count() })
        check("ignoreOutput", model: { Outcome<Never>([], $1) }, make: { $0.ignoreOutput() })
    }

    @Test("last, last(where:), tryLast(where:) and takeLast")
    func last() {
        check("last", model: { atEnd($1, Array($0.suffix(1))) }, make: { $0.last() })
        check("last(where:)", model: { atEnd($1, Array($0.filter { $0 < 3 }.suffix(1))) }, make: { $0.last { $0 < 3 } })
        check(
            "tryLast(where:)",
            model: { values, end in
                let (before, end) = beforeFive(values, end)
                return atEnd(end, Array(before.filter { $0 % 2 == 1 }.suffix(1)))
            }, make: { $0.tryLast(where: odd) })
        for count in [0, 1, 3] {
            check("takeLast", model: { atEnd($1, Array($0.suffix(count))) }, make: { $0.takeLast(count) })
        }
    }

    @Test("min, max and their try forms")
    func comparison() {
        check("min", model: { atEnd($1, $0.min().map { [$0] } ?? []) }, make: { $0.min() })
        check("max", model: { atEnd($1, $0.max().map { [$0] } ?? []) }, make: { $0.max() })
        check("min(by:)", model: { atEnd($1, $0.max().map { [$0] } ?? []) }, make: { $0.min { $0 > $1 } })
        check("max(by:)", model: { atEnd($1, $0.min().map { [$0] } ?? []) }, make: { $0.max { $0 > $1 } })
        func model(_ values: [Int], _ end: End, _ pick: ([Int]) -> Int?) -> Outcome<Int> {
            // The first value is compared with nothing.
            let rest = beforeFive(Array(values.dropFirst()), end)
            return atEnd(rest.end, pick(values.prefix(1) + rest.values).map { [$0] } ?? [])
        }
        check(
            "tryMin", model: { model($0, $1) { $0.min() } },
            make: {
                $0.tryMin {
                    _ = try odd($0); return $0 < $1
                }
            })
        check(
            "tryMax", model: { model($0, $1) { $0.max() } },
            make: {
                $0.tryMax {
                    _ = try odd($1); return $0 < $1
                }
            })
    }

    @Test("contains, allSatisfy and their try forms")
    func decisions() {
        check(
            "contains", model: { $0.contains(3) ? Outcome([true], .finished) : atEnd($1, [false]) },
            make: { $0.contains(3) })
        check(
            "contains(where:)", model: { $0.contains { $0 > 3 } ? Outcome([true], .finished) : atEnd($1, [false]) },
            make: { $0.contains { $0 > 3 } })
        check(
            "allSatisfy", model: { $0.allSatisfy { $0 < 4 } ? atEnd($1, [true]) : Outcome([false], .finished) },
            make: { $0.allSatisfy { $0 < 4 } })
        check(
            "tryContains(where:)",
            model: { values, end in
                guard let found = values.first(where: { $0 == 5 || $0 % 2 == 1 }) else { return atEnd(end, [false]) }
                return found == 5 ? Outcome([], .failed(.overflow)) : Outcome([true], .finished)
            }, make: { $0.tryContains(where: odd) })
        check(
            "tryAllSatisfy",
            model: { values, end in
                guard let found = values.first(where: { $0 == 5 || $0 % 2 == 0 }) else { return atEnd(end, [true]) }
                return found == 5 ? Outcome([], .failed(.overflow)) : Outcome([false], .finished)
            }, make: { $0.tryAllSatisfy(odd) })
    }
}
