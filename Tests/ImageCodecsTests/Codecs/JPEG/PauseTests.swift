import ImageCodecs
import TestSupport
import Testing

@Suite("A JPEG that is large")
struct PauseTests {
    @Test(
        "It waits for a further call once it is known to be, whatever the pieces, and the picture is the same",
        arguments: [false, true], [1, 97, 4_096, 1 << 20])
    func pausing(isProgressive: Bool, piece: Int) throws {
        let file = try Pictures.textured(120, 90).encoded(as: .jpeg(quality: 90, progressive: isProgressive))
        var options = DecodeOptions(as: .fit(PixelSize(width: 50, height: 50)))
        let image = try Image.decode(file, options: options)
        options.pausesBeyond = 1_000
        let decoder = ContentDecoder(options: options)
        var calls = 0
        for start in stride(from: 0, to: file.count, by: piece) {
            try decoder.append(Array(file[start..<min(file.count, start + piece)]))
            if decoder.memoryNeeded != nil { calls += 1 }
            if calls == 1 { #expect(try decoder.takePreview() == nil && !decoder.needsNoMoreBytes) }
        }
        #expect(calls > 0)
        #expect(try #require(decoder.memoryNeeded) > 50 * 38 * 3)
        #expect(try decoder.finish() == image)
    }
}
