import Synchronization

/// The requests to an object store's server, on as many connections as there are threads that ask at once.
final class ObjectRequests: Sendable {
    private let address: ObjectStoreAddress
    private let milliseconds: Int
    private let idle = Mutex<[ObjectConnection]>([])

    init(_ address: ObjectStoreAddress, timeLimit: Duration) {
        self.address = address
        let (seconds, attoseconds) = timeLimit.components
        milliseconds = max(
            1, Int(clamping: min(max(0, seconds), 1 << 20)) * 1_000 + Int(attoseconds / 1_000_000_000_000_000))
    }

    /// Reads bytes of an object, fewer where it ends before; nil where there is none.
    func read(_ name: String, _ range: Range<Int>) throws -> [UInt8]? {
        let answer = try send(ObjectRequest(.get(range), url(of: name)))
        switch answer.status {
        case 206: return Array(answer.bytes.prefix(range.count))
        // A server that knows no ranges sends all; one whose object ends before the range says so.
        case 200: return Array(answer.bytes.dropFirst(range.lowerBound).prefix(range.count))
        case 416: return []
        case 404, 410: return nil
        default: throw answer.failure
        }
    }

    func has(_ name: String) throws -> Bool {
        let answer = try send(ObjectRequest(.head, url(of: name)))
        switch answer.status {
        case 200..<300: return true
        case 404, 410: return false
        default: throw answer.failure
        }
    }

    /// - Returns: Whether the server has taken it. One that is full, or takes no object or none of this size, may be well all the same.
    func write(_ object: ObjectPayload, to name: String) throws -> Bool {
        let answer = try send(ObjectRequest(.put(object), url(of: name)))
        if [405, 411, 413, 507].contains(answer.status) { return false }
        guard (200..<300).contains(answer.status) else { throw answer.failure }
        return true
    }

    func remove(_ name: String) throws {
        let answer = try send(ObjectRequest(.delete, url(of: name)))
        guard (200..<300).contains(answer.status) || [404, 410].contains(answer.status) else { throw answer.failure }
    }

    private func url(of name: String) -> String {
        address.url.hasSuffix("/") ? address.url + name : "\(address.url)/\(name)"
    }

    private func send(_ request: ObjectRequest) throws -> ObjectAnswer {
        let connection = try idle.withLock { $0.popLast() } ?? ObjectConnection()
        // One that has failed is closed with its last reference.
        let answer = try connection.run(request, address, milliseconds: milliseconds)
        idle.withLock { $0.append(connection) }
        return answer
    }
}

/// A request for an object.
struct ObjectRequest {
    enum Method {
        case get(Range<Int>)
        case head
        case put(ObjectPayload)
        case delete
    }

    let method: Method
    let url: String

    init(_ method: Method, _ url: String) {
        self.method = method
        self.url = url
    }
}

/// An answer of the server.
struct ObjectAnswer {
    let status: Int
    let bytes: [UInt8]

    var failure: ObjectStoreError { ObjectStoreError("the server answered with status \(status)") }
}
