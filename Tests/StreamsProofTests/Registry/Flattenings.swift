import Streams
import StreamsTesting

/// What becomes of an inner publisher that comes while others are there.
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
    OperatorProperty(name, inputs: 3, [.dependsOnDemand, .hotOnly], model: flattening(meeting)) { inputs, _ in
        make(inputs[0]) { inputs[1 + $0 % 2] }
    }
}

/// The model of each value's becoming so many.
private let repeated = OperatorModel<Int>.values { values, end in
    .init(values.flatMap { Array(repeating: $0, count: $0) }, end)
}

private func copies(_ value: Int) -> Publishers.Sequence<Repeated<Int>, TestFailure> {
    Publishers.Sequence(sequence: repeatElement(value, count: value % 6))
}

extension Registry {
    /// Operators that flatten publishers of publishers, or make some.
    static let flattenings: [Entry] = [
        Entry("flatMap", flattened("flatMap", .join) { outer, inner in outer.flatMap { inner($0) } }, feeding: 1),
        Entry(
            "flatMap", .init("flatMap of sequences", .dependsOnDemand, model: repeated, make: { $0.flatMap(copies) }),
            feeding: 1),
        Entry(
            "flatMap",
            .init(
                "flatMap, one at a time", .dependsOnDemand, model: repeated,
                make: { $0.flatMap(maxPublishers: .max(1), copies) })),
        Entry(
            "concatMap", flattened("concatMap", .queue) { outer, inner in outer.concatMap { inner($0) } },
            feeding: 1),
        Entry(
            "concatMap",
            .init("concatMap of sequences", .dependsOnDemand, model: repeated, make: { $0.concatMap(copies) })),
        Entry(
            "flatMapLatest", flattened("flatMapLatest", .replace) { outer, inner in outer.flatMapLatest { inner($0) } },
            except: .keepsEverything,
            feeding: 1),
        Entry(
            "flatMapFirst", flattened("flatMapFirst", .ignore) { outer, inner in outer.flatMapFirst { inner($0) } },
            except: .keepsEverything,
            feeding: 1),
        Entry(
            "switchToLatest",
            flattened("switchToLatest", .replace) { outer, inner in outer.map { inner($0) }.switchToLatest() },
            except: .keepsEverything,
            feeding: 1),
        Entry(
            "groupBy",
            .init(
                "groupBy", .dependsOnDemand, model: .values { values, end in .init(values, end) },
                make: { $0.groupBy { $0 % 2 }.flatMap { $0 } }), except: .takesEverything),
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
            except: .keepsEverything),
    ]
}
