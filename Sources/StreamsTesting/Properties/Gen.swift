/// Makes random values of a type, and with them smaller ones when a property fails: compose it as you like, shrinking
/// comes along.
///
///     let point = Gen { choices in (x: choices.int(in: 0...9), y: choices.int(in: 0...9)) }
public struct Gen<Value>: Sendable {
    /// Draws a value.
    public let draw: @Sendable (inout Choices) -> Value

    /// - Parameter draw: Makes a value of the numbers that it draws; the same numbers make the same value.
    public init(_ draw: @escaping @Sendable (inout Choices) -> Value) {
        self.draw = draw
    }

    /// What a closure makes of the value.
    public func map<Other>(_ transform: @escaping @Sendable (Value) -> Other) -> Gen<Other> {
        Gen<Other> { transform(draw(&$0)) }
    }

    /// What the generator draws that a closure makes of the value.
    public func flatMap<Other>(_ transform: @escaping @Sendable (Value) -> Gen<Other>) -> Gen<Other> {
        Gen<Other> { choices in transform(draw(&choices)).draw(&choices) }
    }

    /// Arrays of up to so many values.
    public func array(upTo limit: Int) -> Gen<[Value]> {
        Gen<[Value]> { $0.array(upTo: limit, draw) }
    }

    /// Nil in one of so many draws, which is the simplest.
    public func optional(nilIn total: Int = 3) -> Gen<Value?> {
        Gen<Value?> { choices in choices.chance(total - 1, of: total) ? draw(&choices) : nil }
    }
}

extension Gen where Value: Sendable {
    /// Always the same.
    public static func always(_ value: Value) -> Gen {
        Gen { _ in value }
    }

    /// One of several; the first is the simplest.
    public static func element(of values: [Value]) -> Gen {
        Gen { $0.element(of: values) }
    }
}

extension Gen where Value == Int {
    /// A whole number of a range; the lower end is the simplest.
    public static func int(in range: ClosedRange<Int>) -> Gen {
        Gen { $0.int(in: range) }
    }
}

extension Gen where Value == Bool {
    /// True or false, which is the simplest.
    public static var bool: Gen { Gen { $0.chance(1, of: 2) } }
}
