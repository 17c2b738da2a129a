import Streams

/// An event of a source of bytes: one response, then the body in chunks, then the completion.
///
/// A further response begins the body anew: that is what a retry after half a body looks like.
public enum DataEvent: Sendable {
    /// The facts about the body, which begins.
    case response(DataResponse)
    /// The next bytes of the body; never empty.
    case chunk([UInt8])
}

/// The facts about a body that are known before its first byte.
public struct DataResponse: Sendable {
    /// The stage that the body comes from.
    public var provenance: Provenance
    /// The length of the body in bytes, if that is known.
    public var expectedLength: Int?
    /// The final status, of HTTP; nil elsewhere.
    public var status: Int?
    /// The beginning of the response, of HTTP; nil elsewhere.
    public var head: HTTPResponseHead?
    /// The content type that a server has named; nil elsewhere.
    public var contentType: String?
    /// A Boolean value that indicates whether a cache may keep the body.
    public var isStorable: Bool
    /// A Boolean value that indicates whether the body is shown only until the server has answered: either a further response brings
    /// another one, or the stream finishes, and this one is final.
    public var isProvisional = false
    /// Removes the body from the cache that it comes from, or is being written to; nil where there is none.
    ///
    /// For whoever finds that nothing can be made of the body. The publisher does nothing until it is subscribed to, and delivers once:
    /// whether a new load may bring another body, because this one was there from an earlier load.
    public var discard: (@Sendable () -> AnyPublisher<Bool, Never>)?
    /// The part of the body that can be read from the cache below while it passes by.
    var arrived: ArrivedBody?

    /// Creates a response; see the properties.
    ///
    /// - Parameters:
    ///   - provenance: The stage that the body comes from.
    ///   - expectedLength: The length of the body in bytes, if that is known.
    ///   - status: The final status, of HTTP; nil elsewhere.
    ///   - contentType: The type of the body's content, if the source states it.
    ///   - head: The beginning of the response, of HTTP; nil elsewhere.
    ///   - isStorable: A Boolean value that indicates whether a cache may keep the body.
    ///   - discard: A closure that removes the body from the cache that it comes from.
    public init(
        provenance: Provenance, expectedLength: Int? = nil, status: Int? = nil, contentType: String? = nil,
        head: HTTPResponseHead? = nil, isStorable: Bool = true,
        discard: (@Sendable () -> AnyPublisher<Bool, Never>)? = nil
    ) {
        self.provenance = provenance
        self.expectedLength = expectedLength
        self.status = status
        self.head = head
        self.contentType = contentType
        self.isStorable = isStorable
        self.discard = discard
    }
}
