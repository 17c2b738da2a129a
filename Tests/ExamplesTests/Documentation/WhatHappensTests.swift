import FoundationEssentials
import ImagePipeline
import LoopbackServer
import PhotoGenerator
import Streams
import Testing

/// The examples of the article are run, and the traces that it shows are what they print, but for their numbers.
@Suite("What happens when…", .timeLimit(.minutes(10)))
struct WhatHappensTests {
    private static let article =
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
        .joined(separator: "/") + "/Sources/ImagePipeline/ImagePipeline.docc/WhatHappensWhen.md"

    private let server: LoopbackServer
    private let photo: [UInt8]
    private let directory = FileManager.default.temporaryDirectory.appending(
        path: "what-happens-\(UInt64.random(in: 0 ... .max))")

    init() throws {
        server = try LoopbackServer()
        let image = try #require(PhotoGenerator(seed: 7).image(PixelSize(width: 320, height: 240)))
        photo = try image.encoded(as: .jpeg(quality: 85, progressive: true))
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    private func pipeline() -> ImageLoader {
        .standard(retries: nil, disk: DiskCache(directory: directory.path + "/cache"))
    }

    /// Text without its numbers.
    private func outline(_ text: some StringProtocol) -> String {
        var outline = ""
        for character in text {
            if !character.isNumber && character != "." {
                outline.append(character)
            } else if outline.last != "#" {
                outline.append("#")
            }
        }
        return outline.replacing("# s", with: "# ms").replacing("previews", with: "preview")
    }

    private func expectInArticle(_ trace: LoadTrace) throws {
        let lines = try String(contentsOfFile: Self.article, encoding: .utf8).split(separator: "\n")
        let shown = lines.filter { $0.hasPrefix("    ") }.map { outline($0.drop { $0 == " " }) }
        #expect(shown.contains(outline("\(trace)")), "the article does not show: \(trace)")
    }

    private func wait(for trace: LoadTrace) async {
        while trace[.request]?.ending == nil { await Task.yield() }
    }

    @MainActor
    @Test("A user scrolls fast")
    func scrolling() async throws {
        defer { clear() }
        for row in 0..<5 {
            server.route("/\(row).jpg", .resource(photo, contentType: "image/jpeg").failing(.stall(.head)))
        }
        let slot = ImageSlot(source: pipeline()) { _ in }
        let traces = scrollFast(slot, (0..<5).map { server.url("/\($0).jpg") })
        // Their progress depends on the threads.
        for trace in traces.dropLast() { #expect("\(trace)".hasPrefix("cancelled after ")) }
        server.goOn("/4.jpg")
        let last = try #require(traces.last)
        await wait(for: last)
        #expect("\(last)".hasPrefix("final image from network"))
    }

    @Test("The server replaces an image, or does not")
    func replaced() async throws {
        defer { clear() }
        func reply(_ tag: String) -> Reply {
            .resource(photo, contentType: "image/jpeg", entityTag: "\"\(tag)\"", cacheControl: "max-age=3600")
        }
        server.route("/a.jpg", reply("1"))
        _ = try await pipeline().image(for: traced(server.url("/a.jpg")).request)
        try expectInArticle(try await loadAnew(pipeline(), server.url("/a.jpg")))
        server.route("/a.jpg", reply("2"))
        try expectInArticle(try await loadAnew(pipeline(), server.url("/a.jpg")))
    }

    @Test("The network dies in mid-body")
    func dying() async throws {
        defer { clear() }
        server.route("/a.jpg", .resource(photo, contentType: "image/jpeg").failing(.close(.body(photo.count / 2))))
        try expectInArticle(await networkDies(pipeline(), server.url("/a.jpg")))
    }

    @Test("The disk is full")
    func full() async throws {
        defer { clear() }
        server.route("/a.jpg", .resource(photo, contentType: "image/jpeg"))
        try expectInArticle(try await diskIsFull(server.url("/a.jpg")))
    }

    @MainActor
    @Test("A file is broken")
    func broken() async throws {
        defer { clear() }
        let path = directory.path + "/broken.jpg"
        try Data(photo.prefix(photo.count / 2)).write(to: URL(filePath: path))
        try expectInArticle(try await damagedFile(pipeline(), path))
        let icon = try #require(Image(size: PixelSize(width: 1, height: 1), format: .grey8, bytes: [0]))
        let view = PhotoView()
        let (slot, trace) = brokenFile(pipeline(), path, icon, view)
        await wait(for: trace)
        try expectInArticle(trace)
        withExtendedLifetime(slot) {}
    }

    private func clear() {
        server.stop()
        try? FileManager.default.removeItem(at: directory)
    }
}
