import CommandOutput
import ImagePipeline
import Testing

@testable import load_image

@Suite("load-image")
struct LoadImageTests {
    @Test("A size that is no size is refused", arguments: ["0", "-1", "16385", "x"])
    func sizes(size: String) {
        #expect(throws: (any Error).self) { try LoadImage.parse(["a.jpg", "--size=\(size)"]) }
    }

    /// A batch of these inputs into a directory, which leaves them alone.
    private func batch(_ inputs: [String], into output: String) throws -> Batch {
        var files = InputPlaces()
        for input in inputs.compactMap({ FileIdentity($0) }) { files.add(file: input) }
        return Batch(
            inputs: inputs, box: PixelSize(width: 60, height: 60),
            output: try OutputDirectory(output, record: ".load-image", apartFrom: files), format: .jpeg, cache: nil)
    }

    @Test("Files are loaded, reduced and written; one that fails makes the whole fail, and the others are there")
    func files() async throws {
        let directory = try PhotoDirectory()
        try directory.add("photos/source.jpg", PhotoDirectory.photo())
        let source = "\(directory.photos)/source.jpg"
        #expect(try await batch([source], into: directory.thumbnails).run())
        #expect(try await !batch(["\(directory.path)/missing.jpg", source], into: directory.thumbnails).run())
        #expect(try Image.decode(directory.bytes("thumbnails/source-60.jpg")).size == PixelSize(width: 60, height: 45))
    }

    @Test("A result takes the place of an earlier run's, never of another file, nor of an input")
    func replacing() async throws {
        let directory = try PhotoDirectory()
        for name in ["a.jpg", "b.jpg", "b-60.jpg"] { try directory.add("photos/\(name)", PhotoDirectory.photo()) }
        let photos = directory.photos
        #expect(try await batch(["\(photos)/a.jpg"], into: photos).run(), "beside the input")
        #expect(try await batch(["\(photos)/a.jpg"], into: photos).run(), "once more")
        let before = try Tree(directory.path)
        #expect(try await !batch(["\(photos)/b.jpg"], into: photos).run(), "b-60.jpg is somebody's")
        let both = ["\(photos)/a.jpg", "\(photos)/a-60.jpg"]
        let own = try batch(both, into: photos)
        #expect(throws: OutputError.replacesInput("\(photos)/a-60.jpg")) { try own.output.check("a-60.jpg") }
        #expect(try await !own.run(), "a-60.jpg is the first run's, and an input")
        let after = try Tree(directory.path).results
        #expect(after.filter { before.files[$0.key] != nil } == before.results)
        #expect(after.count == before.results.count + 1, "a-60-60.jpg")
    }
}
