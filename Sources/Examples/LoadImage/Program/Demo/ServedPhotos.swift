import CommandOutput
import ImagePipeline
import LoopbackServer
import PhotoGenerator

/// Pictures made here and now, on a web server inside the process: the network is real, and nothing else is needed.
struct ServedPhotos: Sendable {
    /// About what a phone gets at the edge of a network: slow enough to watch.
    static let bytesPerSecond = 40_000
    static let missing = "/missing.jpg"

    let server: LoopbackServer
    /// The paths of the pictures.
    let paths = ["/evening.jpg", "/morning.jpg", "/autumn.jpg", "/noon.jpg"]
    /// The path of the one whose transfer stops half-way.
    let abandoned = "/autumn.jpg"

    private let files: [String: [UInt8]]
    /// A few pixels of each, enough to tell them apart.
    private let samples: [String: Image]
    private static let sampleSize = PixelSize(width: 12, height: 8)

    init() throws {
        server = try LoopbackServer()
        var files: [String: [UInt8]] = [:]
        var samples: [String: Image] = [:]
        let size = PixelSize(width: 600, height: 400)
        for (index, path) in paths.enumerated() {
            // Seeds choose the time of day.
            guard let photo = PhotoGenerator(seed: UInt64(index + 1)).image(size) else { continue }
            let bytes = try photo.encoded(as: .jpeg(quality: 88, progressive: true))
            let reply = Reply.resource(
                bytes, contentType: "image/jpeg", entityTag: "\"\(index)\"", cacheControl: "max-age=3600")
            let limited = reply.limited(bytesPerSecond: Self.bytesPerSecond)
            // The one that is given up in mid-load waits there for as long as a busy machine needs to get so far.
            server.route(path, path == abandoned ? limited.failing(.stall(.body(bytes.count / 2))) : limited)
            files[path] = bytes
            samples[path] = photo.resized(to: Self.sampleSize)
        }
        self.files = files
        self.samples = samples
    }

    /// The file at a path.
    func bytes(_ path: String) -> [UInt8]? { files[path] }

    /// The path of the picture that an image shows, however blurred.
    func closest(to image: Image) -> String? {
        let sample = image.resized(to: Self.sampleSize)
        func distance(_ other: Image) -> Int {
            zip(sample.bytes, other.bytes).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        }
        return samples.min { distance($0.value) < distance($1.value) }?.key
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
