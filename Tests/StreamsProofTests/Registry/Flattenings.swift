import Streams
import StreamsTesting

/// The fate of an inner publisher that comes while others are there.
private enum Meeting: Sendable {
    case join, queue, replace, ignore
}

/// The model of operators that flatten: input 0 chooses by its values, even or odd, between inputs 1 and 2.
private func flattening(_ meeting: Meeting) -> OperatorModel<Int> {
    .schedule { schedule in
        var active: [Int] = []
        var waiting: [Int] = []
        var isOuterDone = false
        var outcome = OperatorModel<Int>.Outcome([])
        for (input, signal) in schedule where outcome.end == nil {
            switch (input, signal) {
            case (0, .value(let value)):
                let inner = 1 + value % 2
                switch meeting {
                case .join: active.append(inner)
                case .queue: if active.isEmpty { active = [inner] } else { waiting.append(inner) }
                case .replace: active = [inner]
                case .ignore: if active.isEmpty { active = [inner] }
                }
            case (0, .failure(let label)): outcome.end = .failed(label)
            case (0, _): isOuterDone = true
            case (let inner, .value(let value)):
                outcome.values += active.filter { $0 == inner }.map { _ in value }
            case (let inner, .failure(let label)): if active.contains(inner) { outcome.end = .failed(label) }
            case (let inner, _):
                let hadIt = active.contains(inner)
                active.removeAll { $0 == inner }
                if hadIt, active.isEmpty, !waiting.isEmpty { active = [waiting.removeFirst()] }
            }
            if isOuterDone, active.isEmpty, outcome.end == nil { outcome.end = .finished }
        }
        return outcome
    }
}

private func flattened<P: Publisher>(
    _ name: String, _ meeting: Meeting,
    _ make: @escaping @Sendable (Upstream, @escaping @Sendable (Int) -> Upstream) -> P
) -> OperatorProperty<Int> where P.Output == Int {
    OperatorProperty(name, inputs: 3, [.dependsOnDemand, .hotOnly, .asksAhead], model: flattening(meeting)) {
        inputs, _ in
        make(inputs[0]) { inputs[1 + $0 % 2] }
    }
}

/// Whether a value is the newest inner publisher's: what waits of those before it goes with them.
private let isOfNewest: InterleavingProperty<Int>.Allowance = { value, signals in
    for case (0, .value(let newest)) in signals.reversed() { return value / 10 == 1 + newest % 2 }
    return false
}

/// The model of each value's becoming so many.
private let repeated = OperatorModel<Int>.values { values, end in
    .init(values.flatMap { Array(repeating: $0, count: $0 % 6) }, end)
}

/// Pairs of even and of odd values, each as it is complete, and what is left at the end in the order in which it has begun.
private func pairsOfGroups(_ values: [Int], _ end: ModelEnd?) -> OperatorModel<[Int]>.Outcome {
    var begun: [[Int]] = []
    var pairs: [[Int]] = []
    for value in values {
        if let index = begun.firstIndex(where: { $0[0] % 2 == value % 2 }) {
            pairs.append(begun.remove(at: index) + [value])
        } else {
            begun.append([value])
        }
    }
    return .init(end == .finished ? pairs + begun : pairs, end)
}

private func copies(_ value: Int) -> Publishers.Sequence<Repeated<Int>, TestFailure> {
    Publishers.Sequence(sequence: repeatElement(value, count: value % 6))
}

private let silence: Upstream = Empty(completeImmediately: false).eraseToAnyPublisher()

extension Registry {
    /// Operators that flatten publishers of publishers, or make some.
    static let flattenings: [Entry] = [
        Entry(
            "flatMap", flattened("flatMap", .join) { outer, inner in outer.flatMap { inner($0) } }, feeding: 1,
            queue: .overtaken),
        // While demand is scarce the publishers take turns.
        Entry(
            "flatMap",
            .init(
                "flatMap of sequences", [.dependsOnDemand, .asksAhead], model: repeated, make: { $0.flatMap(copies) }),
            queue: nil, isExact: false),
        Entry(
            "flatMap",
            .init(
                "flatMap, one at a time", [.dependsOnDemand, .asksAhead], model: repeated,
                make: { $0.flatMap(maxPublishers: .max(1), copies) }), queue: .overtaken, isExact: false),
        Entry(inner: "flatMap", "a publisher in flatMap") { $0.flatMap { $0 } },
        Entry(inner: "flatMap", "a publisher in flatMap, one at a time") { $0.flatMap(maxPublishers: .max(1)) { $0 } },
        Entry(inner: "concatMap", "a publisher in concatMap") { $0.concatMap { $0 } },
        // A value of the first would be replaced, or not, with the demand.
        Entry(inner: "flatMapLatest", "a publisher in flatMapLatest", behind: silence) { $0.flatMapLatest { $0 } },
        Entry(inner: "switchToLatest", "a publisher in switchToLatest", behind: silence) { $0.switchToLatest() },
        Entry(
            "concatMap", flattened("concatMap", .queue) { outer, inner in outer.concatMap { inner($0) } },
            feeding: 1, queue: .overtaken),
        Entry(
            "concatMap",
            .init(
                "concatMap of sequences", [.dependsOnDemand, .asksAhead], model: repeated,
                make: { $0.concatMap(copies) }),
            queue: .overtaken, isExact: false),
        Entry(
            "flatMapLatest", flattened("flatMapLatest", .replace) { outer, inner in outer.flatMapLatest { inner($0) } },
            except: .keepsEverything, feeding: 1, queue: .overtaken, isExact: false, allows: isOfNewest),
        Entry(
            "flatMapFirst", flattened("flatMapFirst", .ignore) { outer, inner in outer.flatMapFirst { inner($0) } },
            // One of which values wait is still the first.
            except: .keepsEverything, feeding: 1, queue: nil, isExact: false),
        Entry(
            "switchToLatest",
            flattened("switchToLatest", .replace) { outer, inner in outer.map { inner($0) }.switchToLatest() },
            except: .keepsEverything, feeding: 1, queue: .overtaken, isExact: false, allows: isOfNewest),
        Entry(
            "groupBy",
            .init(
                "groupBy", .dependsOnDemand, model: .values { values, end in .init(values, end) },
                make: { $0.groupBy { $0 % 2 }.flatMap { $0 } }), except: .keepsEverything, queue: nil, isExact: false),
        Entry(
            "groupBy",
            .init(
                "groupBy, one group after the other", .dependsOnDemand,
                model: .values { values, end in
                    let first = values.filter { $0 % 2 == values[0] % 2 }
                    // A failure comes to the group that is being delivered, and ends the rest.
                    return .init(end == .finished ? first + values.filter { $0 % 2 != values[0] % 2 } : first, end)
                }, make: { $0.groupBy { $0 % 2 }.flatMap(maxPublishers: .max(1)) { $0 } }), except: .keepsEverything,
            queue: nil, isExact: false),
        Entry(
            "groupBy",
            .init(
                "groupBy, pairs of each group", .dependsOnDemand, model: .values(pairsOfGroups),
                make: { $0.groupBy { $0 % 2 }.flatMap { $0.prefix(2).collect() } }), except: .keepsEverything,
            queue: nil, isExact: false),
        Entry(
            "window",
            .init(
                "window", [.dependsOnDemand, .hotOnly],
                model: .schedule { schedule in
                    var windows: [[Int]] = [[]]
                    for (input, signal) in schedule {
                        switch (input, signal) {
                        case (0, .value(let value)): windows[windows.count - 1].append(value)
                        case (1, .value): windows.append([])
                        case (0, .failure(let label)): return .init(windows.dropLast(), .failed(label))
                        case (0, _): return .init(windows, .finished)
                        default: break
                        }
                    }
                    return .init(windows.dropLast())
                }, make: { $0.window(by: $1.catch { _ in Empty() }).flatMap { $0.collect() } }),
            except: .keepsEverything, queue: .overtaken),
        Entry(
            "window",
            .init(
                "window, all of them at the end", [.dependsOnDemand, .hotOnly],
                model: .schedule { schedule in
                    var values: [Int] = []
                    for (input, signal) in schedule where input == 0 {
                        switch signal {
                        case .value(let value): values.append(value)
                        case .failure(let label): return .init([], .failed(label))
                        case .finished, .cancelled: return .init(values, .finished)
                        }
                    }
                    return .init([])
                },
                make: { upstream, boundary in
                    upstream.window(by: boundary.catch { _ in Empty() }).collect().flatMap {
                        Publishers.Sequence(sequence: $0).setFailureType(to: TestFailure.self).concatMap { $0 }
                    }
                }), except: .keepsEverything, queue: .overtaken),
    ]
}
