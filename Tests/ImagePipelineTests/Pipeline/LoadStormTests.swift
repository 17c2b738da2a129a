import CLibrary
import Files
import ImagePipeline
import PhotoGenerator
import TestSupport
import Testing

#if os(Linux)
    @Suite("2,000 loads at once with 256 descriptors")
    struct LoadStormTests {
        private let directory = TemporaryDirectory()
        private let photo: [UInt8]

        init() throws {
            let image = try #require(PhotoGenerator(seed: 3).image(PixelSize(width: 48, height: 32)))
            photo = try image.encoded(as: .jpeg(quality: 90))
        }

        /// - Returns: What the program says, and the most descriptors above idle.
        private func storm(_ mode: String, _ url: String? = nil) throws -> (text: String, descriptors: Int) {
            let path = "\(directory.path)/photo"
            try FileDescriptor(opening: path, O_WRONLY | O_CREAT).write(photo, at: 0)
            let cache = "\(directory.path)/cache"
            let arguments = [mode, "2000", "256", path, cache] + (url.map { [$0] } ?? [])
            let text = try ChildProcess("load-storm", arguments).readOutput()
            let words = text.split(separator: ";")
            let descriptors = try #require(
                words.dropFirst().first?.split(separator: " ").first.flatMap { Int($0) }, "\(text)")
            return (text, descriptors)
        }

        @Test(
            "All files and all entries on disk are loaded, with at most 64 descriptors", arguments: ["files", "disk"])
        func local(mode: String) throws {
            let (text, descriptors) = try storm(mode)
            let stage = mode == "files" ? "file" : "disk"
            #expect(text.hasPrefix("2000 \(stage); ") && text.hasSuffix("; no failure\n"), "\(text)")
            #expect(descriptors <= 64)
        }

        @Test(
            "500 bodies of 0.87 MB by HTTP/2 through a slow decoder take 64 MB at most",
            .enabled(if: Nginx.executable != nil && TestAuthority.openssl != nil, "nginx or openssl is missing"))
        func slowDecoder() throws {
            let authority = try TestAuthority()
            let nginx = try Nginx(
                serving: [UInt8](repeating: 7, count: 870_000), certificate: authority.certificate(for: "127.0.0.1"))
            let arguments = ["http2", "500", "256", "-", "-", nginx.url("/photos"), authority.file]
            let text = try ChildProcess("load-storm", arguments).readOutput()
            let memory = try #require(text.split(separator: " ").dropFirst(2).first.flatMap { Int($0) }, "\(text)")
            #expect(text.hasPrefix("500 network; ") && text.hasSuffix("; no failure\n"), "\(text)")
            #expect(memory <= 64 || Sanitizer.isWatching)
        }

        @Test(
            "All that comes by HTTP and is put on disk is loaded, with at most 64 descriptors",
            .enabled(if: Nginx.executable != nil, "nginx is not installed"))
        func network() throws {
            let nginx = try Nginx(serving: photo)
            let (text, descriptors) = try storm("network", nginx.url("/photos"))
            #expect(text.hasPrefix("2000 network; ") && text.hasSuffix("; no failure\n"), "\(text)")
            #expect(descriptors <= 64)
        }
    }
#endif
