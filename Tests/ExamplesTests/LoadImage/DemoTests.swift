import ImagePipeline
import LoopbackServer
import Testing

@testable import load_image

@Suite("The demonstration")
struct DemoTests {
    @Test("A served photo is recognised, however blurred, and its traffic is counted")
    func photos() throws {
        let photos = try ServedPhotos()
        for path in photos.paths {
            let bytes = try #require(photos.bytes(path))
            let image = try Image.decode(bytes, options: DecodeOptions(as: .fit(PixelSize(width: 20, height: 20))))
            #expect(photos.closest(to: image) == path)
            #expect(photos.traffic(path) == "0 requests seen by the server, 0 B")
        }
        #expect(photos.bytes(ServedPhotos.missing) == nil)
        photos.server.stop()
    }

    @Test("A scene shows what it expected in vain")
    func scene() {
        var scene = Scene(3, "Title")
        scene.stage = "disk"
        scene.facts = ["one", "two"]
        scene.expect(true, "what holds")
        #expect(scene.lines == ["3  Title                             disk       one · two"])
        scene.expect(false, "what does not hold")
        #expect(scene.lines.last == "   NOT AS EXPECTED: what does not hold")
    }
}
