import Streams
import StreamsTesting

/// The model of an operator that delivers something when its upstream finishes.
private func atEnd<Output>(_ result: @escaping @Sendable ([Int]) -> [Output]) -> OperatorModel<Output> {
    .values { values, end in .init(end == .finished ? result(values) : [], end) }
}

/// The same, up to the first five.
private func atEndBeforeFive<Output>(
    after compared: Int = 0, _ result: @escaping @Sendable ([Int]) -> [Output]
) -> OperatorModel<Output> {
    .values { values, end in
        let rest = beforeFive(values.dropFirst(compared), end)
        return .init(rest.end == .finished ? result(values.prefix(compared) + rest.values) : [], rest.end)
    }
}

/// The model of a question that one value may settle.
private func decided(_ undecided: Bool, by decides: @escaping @Sendable (Int) -> Bool) -> OperatorModel<Bool> {
    .values { values, end in
        if values.contains(where: decides) { return .init([!undecided], .finished) }
        return .init(end == .finished ? [undecided] : [], end)
    }
}

/// The same, where fives throw.
private func decidedBeforeFive(_ undecided: Bool, by decides: @escaping @Sendable (Int) -> Bool) -> OperatorModel<Bool>
{
    .values { values, end in
        switch values.first(where: { $0 == 5 || decides($0) }) {
        case 5?: .init([], .failed("five"))
        case nil: .init(end == .finished ? [undecided] : [], end)
        default: .init([!undecided], .finished)
        }
    }
}

/// The first value, of several that are equal in an order, before which none comes.
private func first(of values: [Int], in order: (Int, Int) -> Bool) -> [Int] {
    values.first { value in !values.contains { order($0, value) } }.map { [$0] } ?? []
}

/// A value that is equal to its neighbour.
private struct Half: Comparable {
    let value: Int

    static func == (left: Half, right: Half) -> Bool { left.value / 2 == right.value / 2 }
    static func < (left: Half, right: Half) -> Bool { left.value / 2 < right.value / 2 }
}

/// Adds up: a user's own fold.
private struct Sum: ValueFold {
    func makeState() -> Int { 0 }
    func receive(_ input: Int, _ sum: inout Int) -> Folds.Step<TestFailure> {
        sum += input
        return .more
    }
}

extension Registry {
    /// Operators that make one result of all values, and ask for all of them before that is requested.
    static let folds: [Entry] = [
        Entry("reduce", .init("reduce", .asksAhead, model: atEnd { [$0.reduce(0, +)] }, make: { $0.reduce(0, +) })),
        Entry(
            "tryReduce",
            .init(
                "tryReduce", .asksAhead, model: atEndBeforeFive { [$0.reduce(0, +)] },
                make: {
                    $0.tryReduce(0) {
                        _ = try isOdd($1)
                        return $0 + $1
                    }
                })),
        Entry("collect", .init("collect", .asksAhead, model: atEnd { [$0] }, make: { $0.collect() })),
        Entry(
            "collect",
            .init(
                "collect(2)",
                model: .values { values, end in
                    let rows = stride(from: 0, to: values.count, by: 2).map {
                        Array(values[$0..<min($0 + 2, values.count)])
                    }
                    return .init(end == .finished ? rows : rows.filter { $0.count == 2 }, end)
                },
                make: { $0.collect(2) })),
        Entry("count", .init("count", .asksAhead, model: atEnd { [$0.count] }, make: { $0.count() })),
        Entry(
            "ignoreOutput",
            .init(
                "ignoreOutput", .asksAhead, model: atEnd { _ in [Int]() },
                make: { $0.ignoreOutput().map { _ -> Int in } })),
        Entry("last", .init("last", .asksAhead, model: atEnd { Array($0.suffix(1)) }, make: { $0.last() })),
        Entry(
            "last",
            .init(
                "last(where:)", .asksAhead, model: atEnd { Array($0.filter { $0 < 3 }.suffix(1)) },
                make: { $0.last { $0 < 3 } })),
        Entry(
            "tryLast",
            .init(
                "tryLast(where:)", .asksAhead, model: atEndBeforeFive { Array($0.filter { $0 % 2 == 1 }.suffix(1)) },
                make: { $0.tryLast(where: isOdd) })),
        Entry(
            "takeLast", .init("takeLast", .asksAhead, model: atEnd { Array($0.suffix(2)) }, make: { $0.takeLast(2) })),
        Entry("min", .init("min", .asksAhead, model: atEnd { first(of: $0, in: <) }, make: { $0.min() })),
        Entry("max", .init("max", .asksAhead, model: atEnd { first(of: $0, in: >) }, make: { $0.max() })),
        Entry(
            "min",
            .init(
                "min of halves", .asksAhead, model: atEnd { first(of: $0) { $0 / 2 < $1 / 2 } },
                make: { $0.map(Half.init).min().map(\.value) })),
        Entry(
            "max",
            .init(
                "max of halves", .asksAhead, model: atEnd { first(of: $0) { $0 / 2 > $1 / 2 } },
                make: { $0.map(Half.init).max().map(\.value) })),
        Entry(
            "min",
            .init(
                "min(by:)", .asksAhead, model: atEnd { first(of: $0) { $0 / 2 > $1 / 2 } },
                make: { $0.min { $0 / 2 > $1 / 2 } })),
        Entry(
            "max",
            .init(
                "max(by:)", .asksAhead, model: atEnd { first(of: $0) { $0 / 2 < $1 / 2 } },
                make: { $0.max { $0 / 2 > $1 / 2 } })),
        Entry(
            "tryMin",
            .init(
                "tryMin", .asksAhead, model: atEndBeforeFive(after: 1) { first(of: $0) { $0 / 2 < $1 / 2 } },
                make: {
                    $0.tryMin {
                        _ = try isOdd($0)
                        return $0 / 2 < $1 / 2
                    }
                })),
        Entry(
            "tryMax",
            .init(
                "tryMax", .asksAhead, model: atEndBeforeFive(after: 1) { first(of: $0) { $0 / 2 > $1 / 2 } },
                make: {
                    $0.tryMax {
                        _ = try isOdd($1)
                        return $0 / 2 < $1 / 2
                    }
                })),
        Entry("contains", .init("contains", .asksAhead, model: decided(false) { $0 == 3 }, make: { $0.contains(3) })),
        Entry(
            "contains",
            .init("contains(where:)", .asksAhead, model: decided(false) { $0 > 3 }, make: { $0.contains { $0 > 3 } })),
        Entry(
            "tryContains",
            .init(
                "tryContains(where:)", .asksAhead, model: decidedBeforeFive(false) { $0 % 2 == 1 },
                make: { $0.tryContains(where: isOdd) })),
        Entry(
            "allSatisfy",
            .init("allSatisfy", .asksAhead, model: decided(true) { $0 > 3 }, make: { $0.allSatisfy { $0 <= 3 } })),
        Entry(
            "tryAllSatisfy",
            .init(
                "tryAllSatisfy", .asksAhead, model: decidedBeforeFive(true) { $0 % 2 == 0 },
                make: { $0.tryAllSatisfy(isOdd) })),
        Entry("fold", .init("fold", .asksAhead, model: atEnd { [$0.reduce(0, +)] }, make: { $0.fold(Sum()) })),
    ]
}
