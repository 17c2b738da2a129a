/// An error of a stored body that is not, or not any more, what was written: a miss, and no fault of its store.
public struct DamagedBody: Error, CustomStringConvertible {
    public let description: String

    /// Creates an error with its reason.
    ///
    /// - Parameter reason: The reason, in words.
    public init(_ reason: String) {
        description = reason
    }
}
