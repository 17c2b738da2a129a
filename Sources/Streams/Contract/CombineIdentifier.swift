import Synchronization

/// An identifier that tells subscribers and subscriptions from each other.
public struct CombineIdentifier: Hashable, Sendable, CustomStringConvertible {
    private static let next = Atomic<UInt>(1)

    private let value: UInt

    /// Creates an identifier that no other has.
    public init() {
        // Odd, as no object's address is.
        value = Self.next.wrappingAdd(2, ordering: .relaxed).oldValue
    }

    /// Creates the identifier of an object, which is its own for as long as it lives.
    ///
    /// - Parameter object: The object.
    public init(_ object: AnyObject) {
        value = UInt(bitPattern: ObjectIdentifier(object))
    }

    public var description: String {
        "0x\(String(value, radix: 16))"
    }
}

/// A type whose values have an identifier in streams' descriptions.
public protocol CustomCombineIdentifierConvertible {
    /// The identifier of the value.
    var combineIdentifier: CombineIdentifier { get }
}

extension CustomCombineIdentifierConvertible where Self: AnyObject {
    /// The identifier of the object.
    public var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }
}
