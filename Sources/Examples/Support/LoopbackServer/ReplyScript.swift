/// A reply taken apart into the steps a connection carries out one after the other. Faults are steps among the others,
/// so that the connection itself knows nothing of them.
struct ReplyScript {
    enum Step: Equatable {
        case head([UInt8])
        case body(ArraySlice<UInt8>)
        /// What stands around the body: sizes of chunks and line ends.
        case framing([UInt8])
        /// From here on so many bytes a second; `nil`: without limit.
        case pace(Int?)
        case stall
        case close(RequestEnding)
        case reset
    }

    let steps: [Step]

    /// - Parameter date: the value of the `Date` field.
    init(_ reply: Reply, to request: Request, date: String) {
        let noBody = request.method == "HEAD" || reply.status == 204 || reply.status == 304
        let keeps = !request.wantsClose && reply.framing != .untilClose
        let head = Self.head(reply, noBody: noBody, keepsConnection: keeps, date: date)
        var steps: [Step]
        switch reply.fault {
        case .garbageStatusLine:
            steps = [.head(Array("\u{1}\u{2}?? not a status line\r\n\r\n".utf8)), .close(.fault)]
        case .slowHead(let bytesPerSecond):
            steps = [.pace(bytesPerSecond), .head(head), .pace(reply.bytesPerSecond)]
        case .close(.head): steps = [.close(.fault)]
        case .reset(.head): steps = [.reset]
        case .stall(.head): steps = [.stall, .head(head), .pace(reply.bytesPerSecond)]
        default: steps = [.head(head), .pace(reply.bytesPerSecond)]
        }
        if !noBody { steps += Self.body(reply) }
        switch reply.fault {
        case .duplicate: steps += steps
        case .statedLength: steps.append(.close(.fault))
        default: break
        }
        if !keeps { steps.append(.close(.complete)) }
        self.steps = steps
    }

    private static func head(_ reply: Reply, noBody: Bool, keepsConnection: Bool, date: String) -> [UInt8] {
        var headers = reply.headers
        func add(_ name: String, _ value: String) {
            if headers.value(name) == nil { headers.append(Header(name, value)) }
        }
        add("Date", date)
        if !keepsConnection { add("Connection", "close") }
        switch (reply.framing, reply.fault) {
        case (_, .statedLength(let length)): add("Content-Length", String(length))
        case (.contentLength, _) where reply.status != 204 && reply.status != 304:
            add("Content-Length", String(reply.body.count))
        case (.chunked, _): add("Transfer-Encoding", "chunked")
        default: break
        }
        if case .oversizeHead(let bytes) = reply.fault {
            add("X-Padding", String(repeating: "x", count: max(0, bytes)))
        }
        let lines = headers.map { "\($0.name): \($0.value)\r\n" }.joined()
        return Array("HTTP/1.1 \(reply.status) \(Reply.reasonPhrase(reply.status))\r\n\(lines)\r\n".utf8)
    }

    private static func body(_ reply: Reply) -> [Step] {
        let (place, fault): (Int, Step?) =
            switch reply.fault {
            case .close(.body(let place)): (place, .close(.fault))
            case .reset(.body(let place)): (place, .reset)
            case .stall(.body(let place)): (place, .stall)
            case .brokenChunk(let place): (place, nil)
            default: (reply.body.count, nil)
            }
        let cut = min(max(0, place), reply.body.count)
        var steps = pieces(reply.body[..<cut], reply.framing)
        if case .brokenChunk = reply.fault {
            return steps + [.framing(Array("no size\r\n".utf8)), .body(reply.body[cut...]), .close(.fault)]
        }
        if let fault { steps.append(fault) }
        steps += pieces(reply.body[cut...], reply.framing)
        if case .chunked = reply.framing { steps.append(.framing(Array("0\r\n\r\n".utf8))) }
        return steps
    }

    private static func pieces(_ bytes: ArraySlice<UInt8>, _ framing: BodyFraming) -> [Step] {
        guard !bytes.isEmpty else { return [] }
        guard case .chunked(let wanted) = framing else { return [.body(bytes)] }
        let size = max(1, wanted)
        return stride(from: bytes.startIndex, to: bytes.endIndex, by: size).flatMap { start -> [Step] in
            let chunk = bytes[start..<min(start + size, bytes.endIndex)]
            let line = Array("\(String(chunk.count, radix: 16))\r\n".utf8)
            return [.framing(line), .body(chunk), .framing([13, 10])]
        }
    }
}
