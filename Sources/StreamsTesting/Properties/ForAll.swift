import CThread

/// An error that `forAll` throws when a property does not hold, which fails the test in Swift Testing as in XCTest.
public struct PropertyFailure: Error, CustomStringConvertible {
    /// The name of the property.
    public let name: String
    /// The seed of the case: with `STREAMS_SEED` set to it the same case comes first.
    public let seed: UInt64
    /// The number of cases that held before.
    public let casesBefore: Int
    /// The number of steps from the first failing case to this one.
    public let shrinks: Int
    /// The smallest failing case that was found.
    public let counterexample: String
    /// A description of what was wrong with the case.
    public let reason: String

    public var description: String {
        """
        \(name) does not hold (case \(casesBefore + 1), shrunk \(shrinks) times)
        \(counterexample)
        \(reason)
        To replay: STREAMS_SEED=\(seed)
        """
    }
}

/// A report of the cases that were generated for a property that holds.
public struct PropertyReport: Sendable {
    /// The number of cases.
    public let cases: Int
    /// The number of cases with each label.
    public let labels: [String: Int]
}

/// An error that a property throws when it does not hold.
public struct Disproof: Error, CustomStringConvertible {
    public let description: String

    /// Creates an error.
    ///
    /// - Parameter reason: A description of what was wrong with the case.
    public init(_ reason: String) {
        description = reason
    }
}

/// The seed and the number of cases that the environment asks for.
public enum PropertySettings {
    /// The seed of the first case, from `STREAMS_SEED`.
    public static var seed: UInt64? { number("STREAMS_SEED") }
    /// The number of cases for properties that don't state their own, from `STREAMS_CASES`.
    public static var cases: Int? { number("STREAMS_CASES").map(Int.init(clamping:)) }

    private static func number(_ name: String) -> UInt64? {
        getenv(name).flatMap { UInt64(String(cString: $0)) }
    }
}

/// Checks a property with random values. Where it doesn't hold, the value is made smaller for as long as it doesn't, and
/// that smallest one is thrown with the seed that replays it.
///
///     @Test func reversal() throws {
///         try forAll("reversing twice", Gen.int(in: 0...9).array(upTo: 20)) { values in
///             #expect…, or: guard values.reversed().reversed() == values else { throw Disproof("differs") }
///         }
///     }
///
/// - Parameters:
///   - name: The name of the property, for reports.
///   - generator: Makes the values.
///   - cases: The number of cases; nil for the number in the environment's `STREAMS_CASES`, or 1,000.
///   - seed: The seed of the random numbers; nil for any. The environment's `STREAMS_SEED` takes precedence.
///   - coverage: Labels with the share of the cases, from 0 to 1, that must have each: a property about what was hardly
///     ever generated would hold for nothing.
///   - labels: The labels of a value.
///   - describe: Writes a counterexample down.
///   - property: Throws where it doesn't hold, a `Disproof` for instance.
/// - Throws: `PropertyFailure`.
/// - Returns: A report of the cases that were generated.
@discardableResult
public func forAll<Value>(
    _ name: String, _ generator: Gen<Value>, cases: Int? = nil, seed: UInt64? = nil,
    coverage: [String: Double] = [:], labels: (Value) -> [String] = { _ in [] },
    describe: (Value) -> String = { "\($0)" }, _ property: (Value) throws -> Void
) throws -> PropertyReport {
    let cases = cases ?? PropertySettings.cases ?? 1_000
    let first = PropertySettings.seed ?? seed ?? UInt64.random(in: 0..<1 << 40)
    var counts: [String: Int] = [:]
    for number in 0..<cases {
        let seed = first &+ UInt64(number)
        var choices = Choices(seed: seed)
        let value = generator.draw(&choices)
        for label in labels(value) { counts[label, default: 0] += 1 }
        guard var last = reason(value, property) else { continue }
        throw withoutActuallyEscaping(property) { property in
            var shrinks = 0
            var shrinker = Shrinker { numbers in
                var choices = Choices(replaying: numbers)
                guard let reason = reason(generator.draw(&choices), property) else { return nil }
                last = reason
                shrinks += 1
                return choices.drawn
            }
            var smallest = Choices(replaying: shrinker.shrink(choices.drawn))
            let value = generator.draw(&smallest)
            return PropertyFailure(
                name: name, seed: seed, casesBefore: number, shrinks: shrinks, counterexample: describe(value),
                reason: reason(value, property)
                    ?? "\(last)\nIt held when it was tried again: it depends on more than its value.")
        }
    }
    for (label, share) in coverage.sorted(by: { $0.key < $1.key }) {
        let count = counts[label, default: 0]
        guard Double(count) < share * Double(cases) else { continue }
        throw PropertyFailure(
            name: name, seed: first, casesBefore: cases, shrinks: 0, counterexample: "labels: \(counts)",
            reason: "Only \(count) of \(cases) cases were \"\(label)\"; \(share * 100) % had to be.")
    }
    return PropertyReport(cases: cases, labels: counts)
}

/// Why a property doesn't hold for a value; nil where it holds.
private func reason<Value>(_ value: Value, _ property: (Value) throws -> Void) -> String? {
    do {
        try property(value)
        return nil
    } catch {
        return "\(error)"
    }
}
