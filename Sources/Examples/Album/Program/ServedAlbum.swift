import ImagePipeline
import LoopbackServer
import PhotoGenerator

/// Photos of 4000 × 3000 pixels on a server inside the process.
struct ServedAlbum {
    static let count = 6
    static let size = PixelSize(width: 4000, height: 3000)

    let server: LoopbackServer
    /// The files, by path.
    let files: [String: [UInt8]]

    var urls: [String] { files.keys.sorted().map { server.url($0) } }

    init() throws {
        server = try LoopbackServer()
        let picture = try Self.enlarged(PixelSize(width: 500, height: 375))
        var files: [String: [UInt8]] = [:]
        for number in 1...Self.count {
            // A scene written at another quality is another file.
            let bytes = try picture.encoded(as: .jpeg(quality: 70 + number))
            files["/\(number).jpg"] = bytes
            server.route("/\(number).jpg", .resource(bytes, contentType: "image/jpeg", cacheControl: "max-age=3600"))
        }
        self.files = files
    }

    /// A landscape in which each pixel is eight wide and eight high: a whole one of this size takes a debug build a minute.
    private static func enlarged(_ small: PixelSize) throws -> Image {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(3 * size.width * size.height)
        PhotoGenerator(seed: 1).forEachRow(small) { row in
            var line: [UInt8] = []
            line.reserveCapacity(3 * size.width)
            for x in 0..<small.width {
                let pixel = row[3 * x..<3 * x + 3]
                for _ in 0..<8 { line += pixel }
            }
            for _ in 0..<8 { bytes += line }
        }
        guard let image = Image(size: size, format: .rgb8, bytes: bytes) else { throw DecodeError.unknownFormat }
        return image
    }
}
