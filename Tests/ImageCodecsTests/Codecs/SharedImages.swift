import Foundation

/// Public image data beside the checkout. Tests that need it are skipped where it is not.
enum SharedImages {
    static let folder: URL? = {
        // Tests/ImageCodecsTests/Codecs/SharedImages.swift: four levels up is the package, one more its neighbours.
        let package = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        let data = package.deletingLastPathComponent().appendingPathComponent("shared/data")
        return FileManager.default.fileExists(atPath: data.path) ? data : nil
    }()

    static var areThere: Bool { folder != nil }

    /// Names of the files of a folder, sorted; those with one of the extensions given.
    static func names(in subfolder: String, extensions: Set<String>) -> [String] {
        guard let folder else { return [] }
        let names = try? FileManager.default.contentsOfDirectory(
            atPath: folder.appendingPathComponent(subfolder).path)
        return (names ?? []).filter { extensions.contains(($0 as NSString).pathExtension) }.sorted()
    }

    static func bytes(_ path: String) throws -> [UInt8] {
        guard let folder else { throw CocoaError(.fileNoSuchFile) }
        return [UInt8](try Data(contentsOf: folder.appendingPathComponent(path)))
    }

    /// A file from anywhere; `nil` where there is none.
    static func read(_ path: String) -> [UInt8]? {
        FileManager.default.contents(atPath: path).map { [UInt8]($0) }
    }
}
