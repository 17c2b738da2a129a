/// The rules by which redirects are followed. Each is checked like a first request.
public struct RedirectPolicy: Sendable, Hashable {
    /// The number of redirects that are followed; 5 unless told otherwise.
    public var limit: Int
    /// A Boolean value that indicates whether an `https` URL may redirect to an `http` one; false unless told otherwise.
    public var allowsDowngrade: Bool

    /// Creates a policy; see the properties.
    ///
    /// - Parameters:
    ///   - limit: The number of redirects that are followed.
    ///   - allowsDowngrade: A Boolean value that determines whether an `https` URL may redirect to an `http` one.
    public init(limit: Int = 5, allowsDowngrade: Bool = false) {
        self.limit = limit
        self.allowsDowngrade = allowsDowngrade
    }
}
