import Streams
import StreamsTesting

/// A pure state machine of several inputs: what has been delivered when the signals have come one by one.
private func machine<State: Sendable, Output: Sendable>(
    _ initial: State,
    _ step:
        @escaping @Sendable (
            inout State, _ input: Int, Timeline<Int>.Signal, inout OperatorModel<Output>.Outcome
        ) -> Void
) -> OperatorModel<Output> {
    .schedule { schedule in
        var state = initial
        var outcome = OperatorModel<Output>.Outcome([])
        for (input, signal) in schedule where outcome.end == nil { step(&state, input, signal, &outcome) }
        return outcome
    }
}

extension Timeline.Signal {
    /// The end that this is, if it is one.
    var modelEnd: ModelEnd? {
        switch self {
        case .value: nil
        case .finished, .cancelled: .finished
        case .failure(let label): .failed(label)
        }
    }
}

/// The values that wait at each side, and whether it has ended.
private struct Sides: Sendable {
    var waiting: [[Int]]
    var latest: [Int?]
    var hasEnded: [Bool]

    init(_ count: Int) {
        waiting = Array(repeating: [], count: count)
        latest = Array(repeating: nil, count: count)
        hasEnded = Array(repeating: false, count: count)
    }
}

private func zipModel(_ count: Int) -> OperatorModel<[Int]> {
    machine(Sides(count)) { sides, input, signal, outcome in
        switch signal {
        case .value(let value): sides.waiting[input].append(value)
        case .failure(let label): outcome.end = .failed(label)
        case .finished, .cancelled: sides.hasEnded[input] = true
        }
        if !sides.waiting.contains(where: \.isEmpty) {
            outcome.values.append(sides.waiting.indices.map { sides.waiting[$0].removeFirst() })
        }
        if zip(sides.waiting, sides.hasEnded).contains(where: { $0.isEmpty && $1 }), outcome.end == nil {
            outcome.end = .finished
        }
    }
}

private func combineLatestModel(_ count: Int) -> OperatorModel<[Int]> {
    machine(Sides(count)) { sides, input, signal, outcome in
        switch signal {
        case .value(let value):
            sides.latest[input] = value
            let row = sides.latest.compactMap { $0 }
            if row.count == count { outcome.values.append(row) }
        case .failure(let label): outcome.end = .failed(label)
        case .finished, .cancelled:
            sides.hasEnded[input] = true
            let isMute = sides.latest[input] == nil
            if isMute || !sides.hasEnded.contains(false) { outcome.end = .finished }
        }
    }
}

private func mergeModel(_ count: Int) -> OperatorModel<Int> {
    machine(Sides(count)) { sides, input, signal, outcome in
        switch signal {
        case .value(let value): outcome.values.append(value)
        case .failure(let label): outcome.end = .failed(label)
        case .finished, .cancelled:
            sides.hasEnded[input] = true
            if !sides.hasEnded.contains(false) { outcome.end = .finished }
        }
    }
}

private let shortest: @Sendable ([[Int]]) -> Int = { $0.map(\.count).min() ?? 0 }
let all: @Sendable ([[Int]]) -> Int = { $0.map(\.count).reduce(0, +) }

/// It keeps a few values of each publisher.
private let merging: OperatorTraits = [.dependsOnDemand, .asksAhead]

extension Registry {
    /// Operators that join several publishers.
    static let joins: [Entry] = [
        Entry(
            "zip", .init("zip", model: zipModel(2), make: { $0.zip($1) { [$0, $1] } }), counting: shortest,
            queue: .overtaken, inOrder: true),
        // An operator in between hides of what kind a subscription is: `zip` has to find out how it delivers.
        Entry(
            "zip",
            .init(
                "zip of observed publishers", model: zipModel(2),
                make: {
                    $0.handleEvents(receiveRequest: { _ in }).zip($1.handleEvents(receiveRequest: { _ in })) {
                        [$0, $1]
                    }
                }
            ), counting: shortest, queue: .overtaken, inOrder: true),
        Entry(
            "zip",
            .init(
                "zip of three", inputs: 3, .dependsOnDemand, model: zipModel(3),
                make: { inputs, _ in inputs[0].zip(inputs[1], inputs[2]) { [$0, $1, $2] } }), counting: shortest,
            queue: .overtaken, inOrder: true),
        Entry(
            "zip",
            .init(
                "zip of four", inputs: 4, .dependsOnDemand, model: zipModel(4),
                make: { inputs, _ in inputs[0].zip(inputs[1], inputs[2], inputs[3]) { [$0, $1, $2, $3] } }),
            queue: .overtaken, inOrder: true),
        Entry(
            "zipped",
            .init("zipped", inputs: 3, .dependsOnDemand, model: zipModel(3), make: { inputs, _ in inputs.zipped() }),
            counting: shortest, queue: .overtaken, inOrder: true),
        Entry(
            "zip",
            .init(
                "Publishers.zip of any number", inputs: 3, .dependsOnDemand, model: zipModel(3),
                make: { inputs, _ in
                    AnyPublisher(Publishers.JoinAny(keepsLatest: false, inputs[0], inputs[1], inputs[2]))
                        .map { [$0, $1, $2] }
                }),
            queue: .overtaken, inOrder: true),
        Entry(
            "combineLatest",
            .init("combineLatest", model: combineLatestModel(2), make: { $0.combineLatest($1) { [$0, $1] } }),
            except: .takesEverything, queue: .newestOvertaken, inOrder: true),
        Entry(
            "combineLatest",
            .init(
                "combineLatest of three", inputs: 3, .dependsOnDemand, model: combineLatestModel(3),
                make: { inputs, _ in inputs[0].combineLatest(inputs[1], inputs[2]) { [$0, $1, $2] } }),
            except: .takesEverything, queue: .newestOvertaken, inOrder: true),
        Entry(
            "combineLatest",
            .init(
                "combineLatest of four", inputs: 4, .dependsOnDemand, model: combineLatestModel(4),
                make: { inputs, _ in inputs[0].combineLatest(inputs[1], inputs[2], inputs[3]) { [$0, $1, $2, $3] } }),
            except: .takesEverything, queue: .newestOvertaken, inOrder: true),
        Entry(
            "combinedLatest",
            .init(
                "combinedLatest", inputs: 3, .dependsOnDemand, model: combineLatestModel(3),
                make: { inputs, _ in inputs.combinedLatest() }), except: .takesEverything, queue: .newestOvertaken,
            inOrder: true),
        Entry(
            "combineLatest",
            .init(
                "Publishers.combineLatest of any number", inputs: 3, .dependsOnDemand, model: combineLatestModel(3),
                make: { inputs, _ in
                    AnyPublisher(Publishers.JoinAny(keepsLatest: true, inputs[0], inputs[1], inputs[2]))
                        .map { [$0, $1, $2] }
                }),
            except: .takesEverything, queue: .newestOvertaken, inOrder: true),
        Entry(
            "merge", .init("merge", merging, model: mergeModel(2), make: { $0.map { $0 }.merge(with: $1) }),
            counting: all,
            queue: .overtaken, inOrder: true),
        Entry(
            "merge", .init("merge of one type", merging, model: mergeModel(2), make: { $0.merge(with: $1) }),
            counting: all,
            queue: .overtaken, inOrder: true),
        Entry(
            "merge",
            .init(
                "merge of four", inputs: 4, merging, model: mergeModel(4),
                make: { inputs, _ in inputs[0].merge(with: inputs[1], inputs[2], inputs[3]) }), counting: all,
            queue: .overtaken, inOrder: true),
        Entry(
            "withLatestFrom",
            .init(
                "withLatestFrom", .dependsOnDemand,
                model: machine(Int?.none) { latest, input, signal, outcome in
                    switch (input, signal) {
                    case (0, .value(let value)): if let latest { outcome.values.append([value, latest]) }
                    case (_, .value(let value)): latest = value
                    case (1, .finished): break
                    default: outcome.end = signal.modelEnd
                    }
                }, make: { $0.withLatestFrom($1) { [$0, $1] } }), except: .takesEverything, queue: .overtaken,
            inOrder: true),
        Entry(
            "sample",
            .init(
                "sample", [.dependsOnDemand, .asksAhead],
                model: machine(Int?.none) { latest, input, signal, outcome in
                    switch (input, signal) {
                    case (0, .value(let value)): latest = value
                    case (_, .value): outcome.values += latest.take().map { [$0] } ?? []
                    default: outcome.end = signal.modelEnd
                    }
                }, make: { $0.sample($1) }), queue: .newestOvertaken, inOrder: true),
        Entry(
            "amb",
            .init(
                "amb", .dependsOnDemand,
                model: machine(Int?.none) { winner, input, signal, outcome in
                    winner = winner ?? input
                    guard winner == input else { return }
                    if case .value(let value) = signal { outcome.values.append(value) }
                    outcome.end = signal.modelEnd
                }, make: { $0.amb($1) }), queue: .overtaken, inOrder: true),
        Entry(
            "prefix",
            .init(
                "prefix(untilOutputFrom:)", [.dependsOnDemand, .asksAhead],
                model: machine(()) { _, input, signal, outcome in
                    switch (input, signal) {
                    case (0, .value(let value)): outcome.values.append(value)
                    case (0, _): outcome.end = signal.modelEnd
                    case (_, .value): outcome.end = .finished
                    default: break
                    }
                }, make: { $0.prefix(untilOutputFrom: $1) }), queue: .overtaken, inOrder: true),
        Entry(
            "drop",
            .init(
                "drop(untilOutputFrom:)", [.dependsOnDemand, .asksAhead],
                model: machine(false) { isOpen, input, signal, outcome in
                    switch (input, signal) {
                    case (0, .value(let value)): if isOpen { outcome.values.append(value) }
                    case (0, _): outcome.end = signal.modelEnd
                    case (_, .value): isOpen = true
                    default: if !isOpen { outcome.end = signal.modelEnd }
                    }
                }, make: { $0.drop(untilOutputFrom: $1) }), queue: .overtaken, inOrder: true),
        Entry(
            "append prepend",
            .init(
                "append", [.dependsOnDemand, .hotOnly], model: sequel { _, end in end == .finished },
                make: { $0.append($1) })),
        Entry(
            "prepend",
            .init(
                "prepend", [.dependsOnDemand, .hotOnly], model: sequel { _, end in end == .finished },
                make: { $1.prepend($0) })),
        Entry(
            "append",
            .init(
                "append of values",
                model: .values { values, end in .init(values + (end == .finished ? [7, 8] : []), end) },
                make: { $0.append(7, 8) })),
        Entry(
            "prepend",
            .init(
                "prepend of values", model: .values { values, end in .init([7, 8] + values, end) },
                make: { $0.prepend(7, 8) })),
        Entry(
            "switchIfEmpty",
            .init(
                "switchIfEmpty", [.dependsOnDemand, .hotOnly],
                model: sequel { values, end in values.isEmpty && end == .finished }, make: { $0.switchIfEmpty($1) })),
        Entry(
            "catch",
            .init(
                "catch", inputs: 2, [.dependsOnDemand, .hotOnly], model: sequel { _, end in end != .finished },
                make: { inputs, _ in inputs[0].catch { _ in inputs[1] } })),
        Entry(
            "tryCatch",
            .init(
                "tryCatch", inputs: 2, [.dependsOnDemand, .hotOnly], model: sequel { _, end in end != .finished },
                make: { inputs, _ in inputs[0].tryCatch { _ in inputs[1] } })),
    ]

    /// The model of what goes over from the first input to the second at an end that says so.
    private static func sequel(
        _ goesOver: @escaping @Sendable (_ values: [Int], ModelEnd) -> Bool
    ) -> OperatorModel<Int> {
        machine(0) { current, input, signal, outcome in
            guard input == current else { return }
            if case .value(let value) = signal { outcome.values.append(value) }
            guard let end = signal.modelEnd else { return }
            if current == 0, goesOver(outcome.values, end) { current = 1 } else { outcome.end = end }
        }
    }
}
