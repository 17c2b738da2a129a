/// The validators of a stored response, by which a server says whether it has changed (RFC 9110, 8.8).
public struct HTTPValidators: Sendable, Hashable {
    /// The entity tag with its quotation marks, weak ones with their `W/`; nil without one.
    public var entityTag: String?
    /// The date of the last change, as the server has written it; nil without one.
    public var lastModified: String?

    /// Creates validators; nil without either.
    ///
    /// - Parameters:
    ///   - entityTag: The entity tag with its quotation marks, if there is one.
    ///   - lastModified: The date of the last change, as the server has written it, if there is one.
    public init?(entityTag: String?, lastModified: String?) {
        guard entityTag != nil || lastModified != nil else { return nil }
        self.entityTag = entityTag
        self.lastModified = lastModified
    }

    /// The header fields of a request that asks whether the response has changed.
    var fields: [HTTPField] {
        [
            entityTag.map { HTTPField("If-None-Match", $0, isPrivate: false) },
            lastModified.map { HTTPField("If-Modified-Since", $0, isPrivate: false) },
        ].compactMap { $0 }
    }
}
