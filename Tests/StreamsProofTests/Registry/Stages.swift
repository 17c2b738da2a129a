import Streams
import StreamsTesting

/// Throws at fives.
@Sendable func isOdd(_ value: Int) throws -> Bool {
    if value == 5 { throw TestFailure("five") }
    return value % 2 == 1
}

/// The values before the first five, and how that ends.
func beforeFive(_ values: some Sequence<Int>, _ end: ModelEnd?) -> (values: [Int], end: ModelEnd?) {
    let before = Array(values.prefix { $0 != 5 })
    return (before, values.contains(5) ? .failed("five") : end)
}

/// The model of an operator that treats each value by itself.
private func each<Output>(_ transform: @escaping @Sendable (Int) -> [Output]) -> OperatorModel<Output> {
    .values { values, end in .init(values.flatMap(transform), end) }
}

/// The same, up to the first five.
private func eachBeforeFive<Output>(_ transform: @escaping @Sendable (Int) -> [Output]) -> OperatorModel<Output> {
    .values { values, end in
        let (values, end) = beforeFive(values, end)
        return .init(values.flatMap(transform), end)
    }
}

/// Delivers every other value: a user's own stage.
private struct EveryOther: ValueStage {
    func makeState() -> Bool { false }
    func receive(_ input: Int, _ isOdd: inout Bool) -> Stages.Step<Int, TestFailure> {
        isOdd.toggle()
        return isOdd ? .next(input) : .skip
    }
}

/// The same, with a state that is not `Sendable`.
private struct EveryOtherByObject: ValueStage {
    final class Switch {
        private var isOn = false
        func toggle() -> Bool {
            isOn.toggle()
            return isOn
        }
    }

    func makeState() -> SerialState<Switch> { SerialState(Switch()) }
    func receive(_ input: Int, _ isOdd: inout SerialState<Switch>) -> Stages.Step<Int, TestFailure> {
        isOdd.withValue { $0.toggle() } ? .next(input) : .skip
    }
}

private struct Coder: TopLevelEncoder, TopLevelDecoder {
    func encode<T: Encodable>(_ value: T) throws -> String {
        guard let value = value as? Int, try isOdd(value) || value >= 0 else { return "" }
        return "\(value)"
    }
    func decode<T: Decodable>(_ type: T.Type, from input: String) throws -> T {
        guard let value = Int(input), let result = value as? T else { throw TestFailure("no number") }
        return result
    }
}

extension Registry {
    /// Operators that make one value or none of each.
    static let stages: [Entry] = [
        Entry("map", .init("map", model: each { [10 * $0] }, make: { $0.map { 10 * $0 } })),
        Entry(
            "tryMap", .init("tryMap", model: eachBeforeFive { [$0 % 2] }, make: { $0.tryMap { try isOdd($0) ? 1 : 0 } })
        ),
        Entry("encode", .init("encode", model: eachBeforeFive { ["\($0)"] }, make: { $0.encode(encoder: Coder()) })),
        Entry(
            "decode",
            .init(
                "decode", model: .values { values, end in .init(values, end) },
                make: { $0.map { "\($0)" }.decode(type: Int.self, decoder: Coder()) })),
        Entry("filter", .init("filter", model: each { $0 % 2 == 1 ? [$0] : [] }, make: { $0.filter { $0 % 2 == 1 } })),
        Entry(
            "tryFilter",
            .init("tryFilter", model: eachBeforeFive { $0 % 2 == 1 ? [$0] : [] }, make: { $0.tryFilter(isOdd) })),
        Entry(
            "compactMap",
            .init("compactMap", model: each { $0 > 2 ? [-$0] : [] }, make: { $0.compactMap { $0 > 2 ? -$0 : nil } })),
        Entry(
            "tryCompactMap",
            .init(
                "tryCompactMap", model: eachBeforeFive { $0 % 2 == 1 ? [-$0] : [] },
                make: { $0.tryCompactMap { try isOdd($0) ? -$0 : nil } })),
        Entry(
            "replaceNil",
            .init(
                "replaceNil", model: each { [$0 > 2 ? $0 : 9] },
                make: { $0.map { $0 > 2 ? $0 : nil }.replaceNil(with: 9) })),
        Entry(
            "scan",
            .init(
                "scan", model: .values { values, end in .init(values.indices.map { values[...$0].reduce(0, +) }, end) },
                make: { $0.scan(0, +) })),
        Entry(
            "tryScan",
            .init(
                "tryScan",
                model: .values { values, end in
                    let (values, end) = beforeFive(values, end)
                    return .init(values.indices.map { values[...$0].reduce(0, +) }, end)
                },
                make: {
                    $0.tryScan(0) {
                        _ = try isOdd($1)
                        return $0 + $1
                    }
                })),
        Entry(
            "removeDuplicates",
            .init(
                "removeDuplicates", model: .values { values, end in .init(unique(values), end) },
                make: { $0.removeDuplicates() })),
        Entry(
            "tryRemoveDuplicates",
            .init(
                "tryRemoveDuplicates",
                model: .values { values, end in
                    // The first value is compared with nothing.
                    guard let first = values.first else { return .init([], end) }
                    let rest = beforeFive(values.dropFirst(), end)
                    return .init(unique([first] + rest.values), rest.end)
                },
                make: {
                    $0.tryRemoveDuplicates {
                        _ = try isOdd($1)
                        return $0 == $1
                    }
                })),
        Entry(
            "dropFirst",
            .init(
                "dropFirst", model: .values { values, end in .init(Array(values.dropFirst(2)), end) },
                make: { $0.dropFirst(2) })),
        Entry(
            "dropLast",
            .init(
                "dropLast", model: .values { values, end in .init(Array(values.dropLast(2)), end) },
                make: { $0.dropLast(2) })),
        Entry(
            "drop",
            .init(
                "drop(while:)", model: .values { values, end in .init(Array(values.drop { $0 > 2 }), end) },
                make: { $0.drop { $0 > 2 } })),
        Entry(
            "tryDrop",
            .init(
                "tryDrop(while:)",
                model: .values { values, end in
                    let kept = Array(values.drop { $0 != 5 && $0 % 2 == 1 })
                    return kept.first == 5 ? .init([], .failed("five")) : .init(kept, end)
                },
                make: { $0.tryDrop(while: isOdd) })),
        Entry(
            "prefix",
            .init(
                "prefix",
                model: .values { values, end in
                    .init(Array(values.prefix(2)), values.count >= 2 ? .finished : end)
                },
                make: { $0.prefix(2) })),
        Entry(
            "prefix",
            .init("prefix(0)", model: .values { _, _ in .init([], .finished) }, make: { $0.prefix(0) })),
        Entry(
            "prefix",
            .init(
                "prefix(while:)",
                model: .values { values, end in
                    let kept = Array(values.prefix { $0 < 4 })
                    return .init(kept, kept.count < values.count ? .finished : end)
                },
                make: { $0.prefix { $0 < 4 } })),
        Entry(
            "tryPrefix",
            .init(
                "tryPrefix(while:)",
                model: .values { values, end in
                    let kept = Array(values.prefix { $0 != 5 && $0 % 2 == 1 })
                    guard kept.count < values.count else { return .init(kept, end) }
                    return .init(kept, values[kept.count] == 5 ? .failed("five") : .finished)
                },
                make: { $0.tryPrefix(while: isOdd) })),
        Entry(
            "first",
            .init(
                "first",
                model: .values { values, end in .init(Array(values.prefix(1)), values.isEmpty ? end : .finished) },
                make: { $0.first() })),
        Entry(
            "first",
            .init(
                "first(where:)",
                model: .values { values, end in
                    values.first { $0 > 3 }.map { .init([$0], .finished) } ?? .init([], end)
                },
                make: { $0.first { $0 > 3 } })),
        Entry(
            "tryFirst",
            .init(
                "tryFirst(where:)",
                model: .values { values, end in
                    guard let found = values.first(where: { $0 == 5 || $0 % 2 == 1 }) else { return .init([], end) }
                    return found == 5 ? .init([], .failed("five")) : .init([found], .finished)
                },
                make: { $0.tryFirst(where: isOdd) })),
        Entry(
            "output",
            .init(
                "output(at:)",
                model: .values { values, end in values.count > 2 ? .init([values[2]], .finished) : .init([], end) },
                make: { $0.output(at: 2) })),
        Entry(
            "output",
            .init(
                "output(in:)",
                model: .values { values, end in
                    .init(Array(values.prefix(4).dropFirst()), values.count >= 4 ? .finished : end)
                },
                make: { $0.output(in: 1..<4) })),
        Entry(
            "enumerated",
            .init(
                "enumerated", model: .values { values, end in .init(values.enumerated().map { [$0, $1] }, end) },
                make: { $0.enumerated().map { [$0.offset, $0.element] } })),
        Entry(
            "pairwise",
            .init(
                "pairwise",
                model: .values { values, end in .init(zip(values, values.dropFirst()).map { [$0, $1] }, end) },
                make: { $0.pairwise().map { [$0.0, $0.1] } })),
        Entry(
            "nwise",
            .init(
                "nwise",
                model: .values { values, end in
                    .init(values.count < 3 ? [] : (0...values.count - 3).map { Array(values[$0..<$0 + 3]) }, end)
                },
                make: { $0.nwise(3) })),
        Entry(
            "interspersed",
            .init(
                "interspersed",
                model: .values { values, end in .init(Array(values.map { [$0] }.joined(separator: [9])), end) },
                make: { $0.interspersed(with: 9) })),
        Entry(
            "materialize",
            .init(
                "materialize",
                model: .values { values, end in
                    guard let end else { return .init(values.map { "\($0)" }) }
                    return .init(values.map { "\($0)" } + [end == .finished ? "|" : "✕"], .finished)
                },
                make: {
                    $0.materialize().map { signal in
                        switch signal {
                        case .value(let value): "\(value)"
                        case .finished: "|"
                        case .failure: "✕"
                        }
                    }
                })),
        Entry(
            "dematerialize",
            .init(
                "dematerialize", model: .values { values, end in .init(values, end) },
                make: { $0.materialize().dematerialize() }),
            // The end is a value between the two, and waits for demand as such.
            except: [.completionNeedsNoDemand, .failureNeedsNoDemand], queue: QueueModel(endNeedsDemand: true)),
        Entry("stage", .init("stage", model: everyOther, make: { $0.stage(EveryOther()) })),
        Entry("stage", .init("stage with a SerialState", model: everyOther, make: { $0.stage(EveryOtherByObject()) })),
        Entry(
            "partition",
            .init("partition", model: each { $0 % 2 == 0 ? [$0] : [] }, make: { $0.partition { $0 % 2 == 0 }.0 })),
    ]

    private static let everyOther = OperatorModel<Int>.values { values, end in
        .init(values.enumerated().filter { $0.offset % 2 == 0 }.map(\.element), end)
    }

    private static func unique(_ values: [Int]) -> [Int] {
        values.enumerated().filter { $0 == 0 || values[$0 - 1] != $1 }.map(\.1)
    }
}
