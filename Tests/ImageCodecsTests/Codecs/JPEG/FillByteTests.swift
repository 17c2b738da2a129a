import TestSupport
import Testing

@testable import ImageCodecs

@Suite("Fill bytes before a JPEG's markers")
struct FillByteTests {
    @Test(
        "However many there are, they are not held, and the picture is the same",
        arguments: [false, true], [30, 1_000, 65_536])
    func many(isProgressive: Bool, chunk: Int) throws {
        // The smaller one of the progressive ones is libjpeg's own to decode.
        for side in isProgressive ? [60, 300] : [60] {
            let file = try Pictures.textured(side, side).encoded(as: .jpeg(quality: 90, progressive: isProgressive))
            let fill = [UInt8](repeating: 0xFF, count: 20_000)
            let filled = JPEGFile.soi + JPEGFile.segments(file).flatMap { fill + $0.bytes } + fill + JPEGFile.eoi
            let decoder = JPEGDecoder()
            var most = 0
            for start in stride(from: 0, to: filled.count, by: chunk) {
                try decoder.append(Array(filled[start..<min(filled.count, start + chunk)]))
                most = max(most, decoder.handle.unread)
            }
            #expect(try decoder.finish() == Image.decode(file))
            #expect(most < 5_000)
        }
    }
}
