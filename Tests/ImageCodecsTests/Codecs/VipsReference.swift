import Files
import ImageCodecs
import TestSupport
import Testing

/// What libvips makes of files: upright, at full size, 8 bits a sample, colours as they are stored.
enum VipsReference {
    static let program = installed("vipsthumbnail")

    /// What copies a picture as it is.
    static let copier = installed("vips")

    static func installed(_ name: String) -> String? {
        ["/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"].map { $0 + name }.first { access($0, X_OK) == 0 }
    }

    /// The pictures of those of a folder's files that libvips decodes, by their names.
    ///
    /// All of them by one process: libvips takes longer to start than to decode a small file. `vips autorot` for each file
    /// gives the same pixels.
    static func images(of names: [String], in folder: String) throws -> [String: Image] {
        let output = TemporaryDirectory()
        let paths = try names.map { name in try #require(SharedImages.folder).path + "/\(folder)/\(name)" }
        // With several threads, which damaged files come to an image is a matter of luck. They are warned of at length. And
        // none may fill the disk.
        let script = "ulimit -f 65536; export VIPS_CONCURRENCY=1 VIPS_WARNING=1; exec \"$0\" \"$@\" 2>/dev/null"
        let words = ["--size", "60000x60000>", "-o", output.path + "/%s.v"]
        _ = try ChildProcess(path: "/bin/sh", ["-c", script, try #require(program)] + words + paths).readOutput()
        var images: [String: Image] = [:]
        for name in names {
            let stem = name.split(separator: ".").dropLast().joined(separator: ".")
            images[name] = SharedImages.read("\(output.path)/\(stem).v").flatMap(image)
        }
        return images
    }

    /// A file's picture with the samples that it has, not turned.
    static func copy(of name: String, in folder: String) throws -> Image? {
        try copy(of: try #require(SharedImages.folder).path + "/\(folder)/\(name)")
    }

    static func copy(of path: String) throws -> Image? {
        let output = TemporaryDirectory()
        let arguments = ["copy", path, output.path + "/copy.v"]
        _ = try ChildProcess(path: try #require(copier), arguments).readOutput()
        return SharedImages.read(output.path + "/copy.v").flatMap(image)
    }

    /// libvips's own format: 64 bytes of header, the pixels, and XML. Without that the picture has not come to its end.
    private static func image(_ file: [UInt8]) -> Image? {
        func number(_ offset: Int) -> Int { (0..<4).reduce(0) { $0 | Int(file[offset + $1]) << (8 * $1) } }
        // Samples of 8 bits, or of 16.
        guard file.count > 64, number(0) == 0x08F2_A6B6, [0, 2].contains(number(20)) else { return nil }
        let size = PixelSize(width: number(4), height: number(8))
        let channels = number(12)
        guard let plain = PixelFormat.allCases.first(where: { $0.channels == channels }) else { return nil }
        let format = plain.deep(number(20) == 2)
        let count = size.width * size.height * format.bytesPerPixel
        guard file.count > 64 + count else { return nil }
        return Image(size: size, format: format, bytes: Array(file[64..<64 + count]))
    }
}
