import Dispatch
import ImagePipeline
import Synchronization

/// A server in this process: it sends photos at the pace at which they are read, and the rest of one to whoever has its beginning.
struct PhotoTransport: HTTPTransport {
    private static let pieceSize = 2_048

    /// The photos by URL.
    let photos: [String: [UInt8]]
    private let queue = DispatchQueue(label: "PhotoTransport")

    init(photos: [String: [UInt8]]) {
        self.photos = photos
    }

    func start(_ request: HTTPRequest, receiver: any HTTPReceiver) -> any HTTPTransfer {
        let body = photos[request.url] ?? []
        let range = request.headers.first { $0.name.lowercased() == "range" }?.value
        let start = range.flatMap { Int($0.dropFirst("bytes=".count).dropLast()) } ?? 0
        var headers = [
            HTTPField("ETag", "\"\(body.count)\""), HTTPField("Cache-Control", "max-age=3600"),
            HTTPField("Content-Length", "\(body.count - start)"),
        ]
        if range != nil {
            headers.append(HTTPField("Content-Range", "bytes \(start)-\(body.count - 1)/\(body.count)"))
        }
        let head = HTTPResponseHead(
            status: range == nil ? 200 : 206, headers: headers, contentLength: body.count - start, isDelimited: true)
        let transfer = Transfer(body: body, offset: start, pieceSize: Self.pieceSize, receiver: receiver, queue: queue)
        queue.async { receiver.didReceive(head) }
        return transfer
    }
}

private final class Transfer: HTTPTransfer {
    private let body: [UInt8]
    private let pieceSize: Int
    private let receiver: any HTTPReceiver
    private let queue: DispatchQueue
    /// The offset of the next piece; nil when the transfer is over.
    private let offset: Mutex<Int?>

    init(body: [UInt8], offset: Int, pieceSize: Int, receiver: any HTTPReceiver, queue: DispatchQueue) {
        self.body = body
        self.pieceSize = pieceSize
        self.receiver = receiver
        self.queue = queue
        self.offset = Mutex(offset)
    }

    func request(_ chunks: Int) {
        queue.async { [self] in for _ in 0..<min(chunks, body.count / pieceSize + 1) { send() } }
    }

    func cancel() { offset.withLock { $0 = nil } }

    private func send() {
        let piece = offset.withLock { offset -> ArraySlice<UInt8>? in
            guard let start = offset else { return nil }
            let end = min(start + pieceSize, body.count)
            offset = end < body.count ? end : nil
            return body[start..<end]
        }
        guard let piece else { return }
        receiver.didReceive(Array(piece))
        if piece.endIndex == body.count { receiver.didEnd(nil) }
    }
}
