import Glibc
import ImageCodecs
import LoopbackServer
import PhotoGenerator

/// A server some of whose answers are good, and each of the others is bad in its own way, by the path.
struct Misbehaviour {
    static let paths = 200
    private let photo: [UInt8]
    private let small: [UInt8]

    init(seed: UInt64) throws {
        let generator = PhotoGenerator(seed: seed)
        photo = try generator.image(PixelSize(width: 640, height: 480))?.encoded(as: .jpeg(quality: 90)) ?? []
        small = try generator.image(PixelSize(width: 64, height: 48))?.encoded(as: .jpeg(quality: 90)) ?? []
    }

    func serve() throws {
        let server = try LoopbackServer()
        for number in 0..<Self.paths { server.route("/\(number)", reply(number)) }
        say("\(server.port)")
        // Until nobody holds the other end any more.
        while getchar() != EOF {}
        server.stop()
    }

    private func reply(_ number: Int) -> Reply {
        let body = number % 4 == 0 ? photo : small
        let good = Reply.resource(
            body, contentType: "image/jpeg", entityTag: "\"\(number)\"",
            cacheControl: ["max-age=1", "no-store", "no-cache", "max-age=1, stale-while-revalidate=60"][number / 40 % 4]
        )
        let middle = body.count / 2
        switch number % 20 {
        case 0: return good.failing(.close(.body(middle)))
        case 1: return good.failing(.reset(.body(middle)))
        case 2: return good.failing(.stall(.body(middle)))
        case 3: return good.failing(.stall(.head))
        case 4: return good.failing(.garbageStatusLine)
        case 5: return good.failing(.statedLength(body.count + 100))
        case 6: return good.failing(.brokenChunk(after: middle))
        case 7: return good.failing(.duplicate)
        case 8: return good.limited(bytesPerSecond: 2)
        case 9: return .redirect(to: "/\(number)")
        case 10: return .status(503)
        case 11: return Reply.resource(Array("<html>".utf8), contentType: "text/html")
        case 12: return good.limited(bytesPerSecond: 200_000)
        case 13: return good.framed(.untilClose)
        default: return good
        }
    }
}
