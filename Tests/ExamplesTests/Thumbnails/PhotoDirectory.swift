import FoundationEssentials
import ImagePipeline
import PhotoGenerator

/// A directory of its own for a test, with photos in it; removed with all it holds when nobody holds it.
final class PhotoDirectory: Sendable {
    let path = "/tmp/thumbnails-test-\(UUID().uuidString)"
    var photos: String { "\(path)/photos" }
    var thumbnails: String { "\(path)/thumbnails" }

    init() throws {
        try FileManager.default.createDirectory(atPath: photos, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// A photo as a file; the same seed and size give the same.
    static func photo(
        seed: UInt64 = 1, width: Int = 160, height: Int = 120, as encoding: ImageEncoding = .jpeg
    ) throws -> [UInt8] {
        guard let image = PhotoGenerator(seed: seed).image(PixelSize(width: width, height: height)) else { return [] }
        return try image.encoded(as: encoding)
    }

    func add(_ name: String, _ bytes: [UInt8]) throws {
        let file = URL(filePath: "\(path)/\(name)")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
    }

    func bytes(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: "\(path)/\(name)"))) }

    /// Paths of all files below a directory here, sorted.
    func files(below directory: String) -> [String] {
        let root = "\(path)/\(directory)"
        return ((try? FileManager.default.subpathsOfDirectory(atPath: root)) ?? []).filter { name in
            var isDirectory = false
            return FileManager.default.fileExists(atPath: "\(root)/\(name)", isDirectory: &isDirectory) && !isDirectory
        }.sorted()
    }

    /// Says that a file was changed at a time; seconds since 1970.
    func touch(_ name: String, at time: Double) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: time)], ofItemAtPath: "\(path)/\(name)")
    }
}
