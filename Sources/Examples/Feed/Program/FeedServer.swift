import LoopbackServer
import PhotoGenerator

/// The two services that a feed asks, on one server: posts of a tab, and the URL and the bytes of each photo.
///
/// Twelve posts of one to twelve photos; the tabs have eight each, four of which are the same.
struct FeedServer {
    static let tabs = ["popular": Array(0..<8), "latest": Array((4..<12).reversed())]
    /// A photo that the server has lost, and a post whose photos come slowly.
    static let (missing, slow) = (3, 9)

    let server: LoopbackServer
    /// The sizes of the photos, by path.
    let sizes: [String: Int]

    static func photoCount(of post: Int) -> Int { 1 + post * 7 % 12 }
    static func path(_ post: Int, _ index: Int) -> String { "/photos/\(post)-\(index).jpg" }

    init() throws {
        server = try LoopbackServer()
        let photos = try NumberedPhotos(landscapes: 1)
        var sizes: [String: Int] = [:]
        for (tab, posts) in Self.tabs {
            let lines = posts.map { "\($0) \(Self.photoCount(of: $0))\n" }.joined()
            server.route("/tabs/\(tab)", .resource(Array(lines.utf8), contentType: "text/plain"))
        }
        for post in 0..<12 {
            for index in 0..<Self.photoCount(of: post) {
                let path = Self.path(post, index)
                server.route(
                    "/urls/\(post)/\(index)", .resource(Array(server.url(path).utf8), contentType: "text/plain"))
                guard post != Self.missing || index != 0 else { continue }
                let bytes = try photos.file(post * 16 + index)
                sizes[path] = bytes.count
                let reply = Reply.resource(
                    bytes, contentType: "image/jpeg", entityTag: "\"\(post)-\(index)\"", cacheControl: "max-age=86400")
                server.route(path, post == Self.slow ? reply.limited(bytesPerSecond: 400_000) : reply)
            }
        }
        self.sizes = sizes
    }

    /// The bytes of all photos that are shown in a tab: each post's first one, once.
    var thumbnailBytes: Int { sizes.filter { $0.key.hasSuffix("-0.jpg") }.values.reduce(0, +) }

    /// The photos that were sent since a number of requests.
    func traffic(since start: Int) -> (requests: Int, bytes: Int) {
        let photos = server.log.requests.dropFirst(start).filter { $0.path.hasPrefix("/photos/") && $0.status == 200 }
        return (photos.count, photos.reduce(0) { $0 + $1.bodyBytesSent })
    }
}
