import CommandOutput
import ImagePipeline
import PhotoGenerator
import Testing

@testable import load_image

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

@Suite("load-image")
struct LoadImageTests {
    @Test("A size that is no size is refused", arguments: ["0", "-1", "16385", "x"])
    func sizes(size: String) {
        #expect(throws: (any Error).self) { try LoadImage.parse(["a.jpg", "--size=\(size)"]) }
    }

    @Test("Files are loaded, reduced and written; one that fails makes the whole fail, and the others are there")
    func batch() async throws {
        let root = "/tmp/load-image-test-\(getpid())-\(UInt32.random(in: .min ... .max))"
        let output = try OutputDirectory(root)
        let photo = try #require(PhotoGenerator(seed: 1).image(PixelSize(width: 120, height: 80)))
        let source = try output.write(photo.encoded(as: .jpeg), as: "source.jpg")
        let box = PixelSize(width: 60, height: 60)
        func batch(_ inputs: [String]) -> Batch {
            Batch(inputs: inputs, box: box, output: output, format: .png, cache: nil)
        }
        #expect(try await batch([source]).run())
        #expect(try await !batch(["\(root)/missing.jpg", source]).run())
        #expect(unlink(source) == 0)
        #expect(unlink("\(root)/source-60.png") == 0)
        #expect(rmdir(root) == 0)
    }
}
