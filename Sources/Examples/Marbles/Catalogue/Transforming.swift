import Streams
import StreamsTesting

private struct Point: Sendable {
    let x: String
    let y: String
    let z: String
}

/// Puts braces around a value, and takes them away.
private struct Braces: TopLevelEncoder, TopLevelDecoder {
    func encode<T: Encodable>(_ value: T) throws -> String {
        if "\(value)" == "x" { throw TestFailure() }
        return "{\(value)}"
    }

    func decode<T: Decodable>(_ type: T.Type, from input: String) throws -> T {
        guard input.hasSuffix("}"), let value = String(input.dropFirst().dropLast()) as? T else { throw TestFailure() }
        return value
    }
}

/// Delivers every other value.
private struct EveryOther: ValueStage {
    func makeState() -> Bool { false }
    func receive(_ input: String, _ isOdd: inout Bool) -> Stages.Step<String, TestFailure> {
        isOdd.toggle()
        return isOdd ? .next(input) : .skip
    }
}

extension Catalogue {
    /// Operators that make other values.
    static let transforming: [Diagram] = [
        Diagram("Coding", "encode", "v---w---x|", "encode(encoder: e)") { $0.texts.encode(encoder: Braces()) },
        Diagram("Coding", "decode", "'{v}'---'{w}'---'{'|", "decode(type: V.self, decoder: d)") {
            $0.texts.decode(type: String.self, decoder: Braces())
        },
        Diagram("CollectByCount", "collect", "1---2---3|", "collect(2)") { $0.ints.collect(2) },
        Diagram("Enumerated", "enumerated", "a---b---c|", "enumerated()") {
            $0.texts.enumerated().map { "(\($0.offset),\($0.element))" }
        },
        Diagram("Interspersed", "interspersed", "1---2---3|", "interspersed(with: 0)") {
            $0.texts.interspersed(with: "0")
        },
        Diagram("Map", "map", "1---2---3|", "map { 2 * $0 }") { $0.ints.map { 2 * $0 } },
        Diagram("MapKeyPaths", "map", "p---q|", "map(\\.x, \\.y)") { scene in
            scene.texts.map { Point(x: $0 + "x", y: $0 + "y", z: "") }.map(\.x, \.y).map { "(\($0),\($1))" }
        },
        Diagram("MapKeyPaths", "map", "p---q|", "map(\\.x, \\.y, \\.z)") { scene in
            scene.texts.map { Point(x: $0 + "x", y: $0 + "y", z: $0 + "z") }.map(\.x, \.y, \.z)
                .map { "(\($0),\($1),\($2))" }
        },
        Diagram("Materialize", "materialize", "1---2---✕", "materialize()") { $0.texts.materialize().map(text) },
        Diagram("Materialize", "dematerialize", [("original", "1---2---✕")]) { scene in
            [
                Diagram.Output("upstream", scene.texts.materialize().map(text)),
                Diagram.Output("dematerialize()", scene.texts.materialize().dematerialize()),
            ]
        },
        Diagram("Pairwise", "pairwise", "a---b---c|", "pairwise()") { $0.texts.pairwise().map { "(\($0),\($1))" } },
        Diagram("Pairwise", "nwise", "a---b---c---d|", "nwise(3)") { $0.texts.nwise(3).map { $0.joined() } },
        Diagram("ReplaceNil", "replaceNil", "1---'nil'---3|", "replaceNil(with: 9)") {
            $0.texts.map { Int($0) }.replaceNil(with: 9)
        },
        Diagram("Scan", "scan", "1---2---3|", "scan(0, +)") { $0.ints.scan(0, +) },
        Diagram("Scan", "tryScan", "1---2---3|", "tryScan, throws at 3") {
            $0.ints.tryScan(0) { sum, value in
                _ = try throwing(at: 3)(value)
                return sum + value
            }
        },
        Diagram("TryMap", "tryMap", "1---2---3|", "tryMap, throws at 2") {
            $0.ints.tryMap { value in
                _ = try throwing(at: 2)(value)
                return 10 * value
            }
        },
        Diagram("Staged", "stage", "1---2---3---4|", "stage(EveryOther())") { $0.texts.stage(EveryOther()) },
    ]

    private static func text(_ signal: Publishers.Signal<String, TestFailure>) -> String {
        switch signal {
        case .value(let value): "v\(value)"
        case .finished: "end"
        case .failure: "fail"
        }
    }

    /// Operators that know time.
    static let timing: [Diagram] = [
        Diagram("CollectByTime", "collect", "1-2-----3|", "collect(.byTime(s, 5))") {
            $0.ints.collect(.byTime($0.scheduler, .milliseconds(5)))
        },
        Diagram("Debounce", "debounce", "1-2-----3--------4|", "debounce(for: 3)") {
            $0.texts.debounce(for: .milliseconds(3), scheduler: $0.scheduler)
        },
        Diagram("Delay", "delay", "1-2-----3|", "delay(for: 2)") {
            $0.texts.delay(for: .milliseconds(2), scheduler: $0.scheduler)
        },
        Diagram("MeasureInterval", "measureInterval", "--1---2-3|", "measureInterval(using: s)") {
            $0.texts.measureInterval(using: $0.scheduler).map { $0.magnitude / 1_000_000 }
        },
        Diagram("Throttle", "throttle", "1-2-3-------4-5|", "throttle(for: 5, latest: true)") {
            $0.texts.throttle(for: .milliseconds(5), scheduler: $0.scheduler, latest: true)
        },
        Diagram("Timeout", "timeout", "1-2--------3", "timeout(4)") {
            $0.texts.timeout(.milliseconds(4), scheduler: $0.scheduler)
        },
    ]
}
