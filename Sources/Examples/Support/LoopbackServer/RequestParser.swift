/// Cuts requests out of the bytes of a connection. Whatever a client sends gives a request, a wish for more bytes, or
/// the status to refuse it with: never a trap, and never more than `limit` bytes kept.
struct RequestParser {
    /// What the bytes so far amount to.
    enum Outcome: Equatable {
        case request(Request)
        case incomplete
        /// The status of the refusal; the connection cannot be used further.
        case refused(Int)
    }

    /// The most bytes a request's head may have.
    static let limit = 64 * 1024

    private var bytes: [UInt8] = []
    /// Bytes of the last request's body that are still to be skipped.
    private var bodyLeft = 0

    /// How many bytes wait.
    var count: Int { bytes.count }

    mutating func append(_ more: some Sequence<UInt8>) {
        bytes.append(contentsOf: more)
        skipBody()
    }

    /// Takes the next request, if all of its head is there.
    mutating func next() -> Outcome {
        guard bodyLeft == 0 else { return .incomplete }
        guard let end = endOfHead() else {
            return bytes.count > Self.limit ? .refused(431) : .incomplete
        }
        guard end <= Self.limit else { return .refused(431) }
        let head = String(decoding: bytes[..<end], as: UTF8.self)
        bytes.removeFirst(end)
        return parse(head)
    }

    /// The index behind the blank line.
    private func endOfHead() -> Int? {
        let mark: [UInt8] = [13, 10, 13, 10]
        guard bytes.count >= mark.count else { return nil }
        return (0...(bytes.count - mark.count)).first { bytes[$0..<($0 + mark.count)].elementsEqual(mark) }
            .map { $0 + mark.count }
    }

    private mutating func parse(_ head: String) -> Outcome {
        // A carriage return and a line feed are one Character in Swift.
        var lines = head.split(separator: "\r\n", omittingEmptySubsequences: true)[...]
        guard let first = lines.popFirst() else { return .refused(400) }
        let words = first.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, !words[0].isEmpty, words[1].hasPrefix("/"), words[2].hasPrefix("HTTP/1.") else {
            return .refused(400)
        }
        var headers: [Header] = []
        for line in lines {
            guard let colon = line.firstIndex(of: ":"), colon != line.startIndex else { return .refused(400) }
            headers.append(Header(String(line[..<colon]), line[line.index(after: colon)...].trimmed()))
        }
        if headers.value("Transfer-Encoding") != nil { return .refused(501) }
        if let length = headers.value("Content-Length") {
            guard let length = Int(length), length >= 0 else { return .refused(400) }
            bodyLeft = length
            skipBody()
        }
        return .request(
            Request(method: String(words[0]), target: String(words[1]), version: String(words[2]), headers: headers))
    }

    private mutating func skipBody() {
        let skipped = min(bodyLeft, bytes.count)
        bytes.removeFirst(skipped)
        bodyLeft -= skipped
    }
}
