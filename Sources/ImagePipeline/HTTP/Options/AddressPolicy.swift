/// A rule that decides which addresses may be connected to.
///
/// A program that loads URLs which others give it (a server) switches it on with one line, so that its own network cannot be reached through it:
///
///     options.addresses = .publicOnly
///
/// The address that is really connected to decides, after redirects and whatever the name stood for before. Behind a proxy the
/// transport connects to the proxy alone, whose address is yours to choose and is not checked; literal addresses in URLs are.
public struct AddressPolicy: Sendable {
    private let rule: (@Sendable (IPAddress) -> Bool)?

    /// A policy that allows every address, which suits an app.
    public static let any = AddressPolicy(rule: nil)

    /// A policy that allows addresses of the public internet only: none of this machine, of private or link-local networks, of cloud metadata services, or
    /// reserved, also where they are written as IPv6.
    public static let publicOnly = AddressPolicy { $0.isPublic }

    /// Creates a policy of one's own.
    ///
    /// - Parameter allows: Returns whether an address may be connected to. It is called on the transport's thread and must not block.
    public init(_ allows: @escaping @Sendable (IPAddress) -> Bool) {
        rule = allows
    }

    private init(rule: (@Sendable (IPAddress) -> Bool)?) {
        self.rule = rule
    }

    /// Returns whether an address may be connected to.
    ///
    /// - Parameter address: The address.
    public func allows(_ address: IPAddress) -> Bool {
        rule?(address) ?? true
    }

    /// Whether what has no address, such as a socket in the file system, may be connected to.
    var allowsAnything: Bool { rule == nil }
}
