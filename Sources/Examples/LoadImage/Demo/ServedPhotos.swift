import ImagePipeline
import LoopbackServer
import PhotoGenerator

/// Pictures made here and now, on a web server inside the process: the network is real, and nothing else is needed.
struct ServedPhotos: Sendable {
    /// About what a phone in a train gets.
    static let bytesPerSecond = 160_000
    static let missing = "/missing.jpg"

    let server: LoopbackServer
    /// The paths of the pictures.
    let paths = ["/evening.jpg", "/morning.jpg", "/autumn.jpg", "/noon.jpg"]

    init() throws {
        server = try LoopbackServer()
        let size = PixelSize(width: 1200, height: 800)
        for (index, path) in paths.enumerated() {
            // Seeds choose the time of day.
            guard let photo = PhotoGenerator(seed: UInt64(index + 1)).image(size) else { continue }
            let bytes = try photo.encoded(as: .jpeg(quality: 88, progressive: true))
            let reply = Reply.resource(
                bytes, contentType: "image/jpeg", entityTag: "\"\(index)\"", cacheControl: "max-age=3600")
            server.route(path, reply.limited(bytesPerSecond: Self.bytesPerSecond))
        }
    }

    func url(_ path: String) -> String { server.url(path) }

    /// Bytes of bodies sent for a path so far.
    func bytesSent(_ path: String) -> Int {
        server.log.requests(for: path).reduce(0) { $0 + $1.bodyBytesSent }
    }

    /// `1 request, 125 KB`.
    func traffic(_ path: String) -> String {
        let count = server.log.requests(for: path).count
        return "\(count) request\(count == 1 ? "" : "s") seen by the server, \(bytesSent(path).asBytes)"
    }
}
