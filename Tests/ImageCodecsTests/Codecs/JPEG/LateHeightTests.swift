import ImageCodecs
import TestSupport
import Testing

@Suite("Heights that come after the first scan")
struct LateHeightTests {
    /// The file without a height in its frame header, and with a DNL segment behind its first scan.
    private func late(_ file: [UInt8], height: [UInt8]?) throws -> [UInt8] {
        var segments = JPEGFile.segments(file)
        for index in segments.indices where [0xC0, 0xC1, 0xC2].contains(segments[index].marker) {
            segments[index].payload.replaceSubrange(1..<3, with: [0, 0])
        }
        let scan = try #require(segments.firstIndex { $0.marker == 0xDA })
        if let height { segments.insert(JPEGFile.Segment(marker: 0xDC, payload: height), at: scan + 1) }
        return JPEGFile.file(segments)
    }

    private func bytes(_ height: Int) -> [UInt8] { [UInt8(height >> 8), UInt8(height & 255)] }

    @Test("Such a file is the picture that it is with its height in front", arguments: [false, true])
    func decodes(isProgressive: Bool) throws {
        var generator = SeededGenerator()
        let seed = generator.seed
        for _ in 0..<8 {
            let (file, settings) = try RandomJPEG.file(
                width: 1...200, height: 1...300, isProgressive: isProgressive, using: &generator)
            let expected = try Image.decode(file)
            let changed = try late(file, height: bytes(expected.height))
            #expect(try Image.decode(changed) == expected, "\(settings), seed \(seed)")
            let chunk = Int.random(in: 1...20_000, using: &generator)
            let size = PixelSize(width: 20, height: 20)
            let decoder = JPEGDecoder(options: DecodeOptions(as: Rendition(targetSize: size)))
            for at in stride(from: 0, to: changed.count, by: chunk) {
                try decoder.append(Array(changed[at..<min(changed.count, at + chunk)]))
            }
            #expect(
                try decoder.finish() == Image.decode(file, options: DecodeOptions(as: Rendition(targetSize: size))),
                "chunks of \(chunk), \(settings), seed \(seed)")
        }
    }

    private func error(_ file: [UInt8], _ limits: DecodeLimits = .safe, chunk: Int = 500) -> DecodeError? {
        let decoder = JPEGDecoder(options: DecodeOptions(limits: limits))
        do throws(DecodeError) {
            for at in stride(from: 0, to: file.count, by: chunk) {
                try decoder.append(Array(file[at..<min(file.count, at + chunk)]))
            }
            _ = try decoder.finish()
            return nil
        } catch {
            return error
        }
    }

    @Test("Without one, with one of no rows, or cut off before it, the file is refused")
    func refused() throws {
        let file = try Pictures.textured(160, 120).encoded(as: .jpeg)
        for height in [nil, [0, 0], [0], [0, 120, 0]] as [[UInt8]?] {
            guard case .corrupt = error(try late(file, height: height)) else {
                Issue.record("\(String(describing: height)) is not refused as corrupt")
                continue
            }
        }
        let whole = try late(file, height: bytes(120))
        for count in [whole.count - 3, whole.count - 8, whole.count / 2] {
            guard case .truncated = error(Array(whole.prefix(count))) else {
                Issue.record("\(count) of \(whole.count) bytes are not refused as truncated")
                continue
            }
        }
        let tall = error(try late(file, height: bytes(60_000)), DecodeLimits(pixels: 1 << 20))
        guard case .limitExceeded(.pixels, _, _, _) = tall else {
            Issue.record("\(String(describing: tall))")
            return
        }
    }

    @Test("The bytes that are held until then count as working memory")
    func limited() throws {
        var segments = JPEGFile.segments(try late(Pictures.gradient(16, 16).encoded(as: .jpeg), height: nil))
        segments.removeAll { $0.marker == 0xDC }
        let endless = JPEGFile.file(segments).dropLast(2) + [UInt8](repeating: 1, count: 300_000)
        let refusal = error(Array(endless), DecodeLimits(workingBytes: 100_000))
        guard case .limitExceeded(.workingBytes, let value, _, _) = refusal else {
            Issue.record("\(String(describing: refusal))")
            return
        }
        #expect(value < 110_000)
    }
}
