import Foundation
import ImagePipeline
import ImagePipelineFoundation
import Testing

@Suite("Foundation's types")
struct FoundationTests {
    @Test("A request for a URL is the request for its text")
    func remote() throws {
        let text = "https://example.org/a%20photo.jpg?size=large#top"
        let url = try #require(URL(string: text))
        #expect(ImageRequest(url) == ImageRequest(text))
        #expect(ImageRequest(url, as: .fit(PixelSize(width: 64, height: 64))).imageKey != ImageRequest(url).imageKey)
    }

    @Test(
        "A file URL is the path of its file, whatever stands in it", arguments: ["/tmp/a photo?#%.jpg", "/tmp/ä/ö.png"])
    func file(path: String) {
        #expect(ImageRequest(URL(fileURLWithPath: path)).resource == .file(path))
    }

    @Test("A file URL of another machine is no file of this one")
    func foreignFile() throws {
        let url = try #require(URL(string: "file://server/share/a.jpg"))
        #expect(ImageRequest(url).resource == .url("file://server/share/a.jpg"))
    }

    @Test("An error's localized description says what happened")
    func localizedDescriptions() {
        #expect((LoadError.status(404) as any Error).localizedDescription == "\(LoadError.status(404))")
        let transport: any Error = TransportError.couldNotConnect("refused")
        #expect(transport.localizedDescription == "\(TransportError.couldNotConnect("refused"))")
        let decode: any Error = DecodeError.unknownFormat
        #expect(decode.localizedDescription == "\(DecodeError.unknownFormat)")
        let encode: any Error = EncodeError.notWritten(code: ENOSPC)
        #expect(encode.localizedDescription.hasPrefix("the file could not be written: No space"))
    }
}
