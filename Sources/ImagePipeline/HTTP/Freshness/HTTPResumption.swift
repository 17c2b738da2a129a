/// The beginning of a body that a client has, for a request that asks for the rest (RFC 9110, 13.1.5 and 14.2).
public struct HTTPResumption: Sendable, Hashable {
    /// The number of bytes that the client has.
    public var offset: Int
    /// The strong entity tag of the response that they are from, with its quotation marks.
    public var entityTag: String

    /// Creates a resumption; see the properties.
    ///
    /// - Parameters:
    ///   - offset: The number of bytes that the client has.
    ///   - entityTag: The strong entity tag of the response that they are from.
    public init(offset: Int, entityTag: String) {
        self.offset = offset
        self.entityTag = entityTag
    }

    /// The header fields of a request for the rest, or for the whole if it is another response by now.
    var fields: [HTTPField] {
        [
            HTTPField("Range", "bytes=\(offset)-", isPrivate: false),
            HTTPField("If-Range", entityTag, isPrivate: false),
        ]
    }

    /// Whether a response of status 206 is the rest of a body of so many bytes.
    func isContinued(by head: HTTPResponseHead, to total: Int) -> Bool {
        guard head.status == 206, head["etag"] == [entityTag], head["content-range"].count == 1,
            let words = head["content-range"].first?.split(separator: " "), words.count == 2,
            words[0].lowercased() == "bytes"
        else { return false }
        let numbers = words[1].split(omittingEmptySubsequences: false) { "-/".contains($0) }.map { Int($0) }
        guard numbers.count == 3, let last = numbers[1],
            // The bytes of the body are those that are there, and no encoding of them.
            BodyDecoder.codings(of: head["content-encoding"]).isEmpty
        else { return false }
        guard numbers[0] == offset, numbers[2] == total, (offset..<total).contains(last) else { return false }
        return head.contentLength ?? (last + 1 - offset) == last + 1 - offset
    }
}
