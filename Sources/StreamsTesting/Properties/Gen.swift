/// A generator of random values, which finds smaller ones by itself when a property fails, however it was composed.
///
///     let point = Gen { choices in (x: choices.int(in: 0...9), y: choices.int(in: 0...9)) }
public struct Gen<Value>: Sendable {
    /// The closure that draws a value.
    public let draw: @Sendable (inout Choices) -> Value

    /// Creates a generator from a closure.
    ///
    /// - Parameter draw: Makes a value of the numbers that it draws; the same numbers make the same value.
    public init(_ draw: @escaping @Sendable (inout Choices) -> Value) {
        self.draw = draw
    }

    /// Returns a generator of transformed values.
    ///
    /// - Parameter transform: A closure that transforms a value.
    public func map<Other>(_ transform: @escaping @Sendable (Value) -> Other) -> Gen<Other> {
        Gen<Other> { transform(draw(&$0)) }
    }

    /// Returns a generator that draws from the generator that a closure makes of each value.
    ///
    /// - Parameter transform: A closure that makes a generator of a value.
    public func flatMap<Other>(_ transform: @escaping @Sendable (Value) -> Gen<Other>) -> Gen<Other> {
        Gen<Other> { choices in transform(draw(&choices)).draw(&choices) }
    }

    /// Returns a generator of arrays of up to `limit` values.
    ///
    /// - Parameter limit: The largest number of values.
    public func array(upTo limit: Int) -> Gen<[Value]> {
        Gen<[Value]> { $0.array(upTo: limit, draw) }
    }

    /// Returns a generator that gives nil in one of `total` draws on average; nil is the simplest.
    ///
    /// - Parameter total: The number of draws.
    public func optional(nilIn total: Int = 3) -> Gen<Value?> {
        Gen<Value?> { choices in choices.chance(total - 1, of: total) ? draw(&choices) : nil }
    }
}

extension Gen where Value: Sendable {
    /// Returns a generator that always gives the same value.
    ///
    /// - Parameter value: The value to give.
    public static func always(_ value: Value) -> Gen {
        Gen { _ in value }
    }

    /// Returns a generator of the given values; the first is the simplest.
    ///
    /// - Parameter values: The values to choose from; not empty.
    public static func element(of values: [Value]) -> Gen {
        Gen { $0.element(of: values) }
    }
}

extension Gen where Value == Int {
    /// Returns a generator of whole numbers in a range; the lower end is the simplest.
    ///
    /// - Parameter range: The range of the numbers.
    public static func int(in range: ClosedRange<Int>) -> Gen {
        Gen { $0.int(in: range) }
    }
}

extension Gen where Value == Bool {
    /// A generator of `true` and `false`, which is the simplest.
    public static var bool: Gen { Gen { $0.chance(1, of: 2) } }
}
