/// A user and a password, sent by the Basic scheme.
public struct HTTPCredentials: Sendable, Hashable {
    /// The user's name.
    public var user: String
    /// The password.
    public var password: String

    /// Creates credentials.
    ///
    /// - Parameters:
    ///   - user: The user's name.
    ///   - password: The password.
    public init(user: String, password: String) {
        self.user = user
        self.password = password
    }
}
