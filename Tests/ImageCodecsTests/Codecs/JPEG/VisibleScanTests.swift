import TestSupport
import Testing

@testable import ImageCodecs

@Suite("What a scale does not show of a progressive JPEG")
struct VisibleScanTests {
    /// The final image, those before it, and how many bytes that took.
    private func decode(
        _ bytes: [UInt8], _ options: DecodeOptions, piece: Int
    ) throws -> (image: Image, previews: [Image], count: Int) {
        let decoder = ContentDecoder(options: options)
        var previews: [Image] = []
        var count = 0
        while count < bytes.count, !decoder.needsNoMoreBytes {
            let part = bytes[count...].prefix(piece)
            try decoder.append(Array(part))
            count += part.count
            if let preview = try decoder.takePreview() { previews.append(preview.image) }
        }
        return (try decoder.finish(), previews, count)
    }

    /// The same with as little working memory as it may have at its scale: what is kept depends on that.
    private func decodeInLittle(
        _ bytes: [UInt8], _ options: DecodeOptions, piece: Int
    ) throws -> (image: Image, previews: [Image], count: Int) {
        var options = options
        let scale = try scale(bytes, options)
        options.limits.workingBytes = 200_000
        while true {
            do {
                let result = try decode(bytes, options, piece: piece)
                if try self.scale(bytes, options) == scale { return result }
                options.limits.workingBytes += options.limits.workingBytes / 2
            } catch DecodeError.limitExceeded(.workingBytes, _, _, _) {
                options.limits.workingBytes += options.limits.workingBytes / 2
            }
        }
    }

    private func scale(_ bytes: [UInt8], _ options: DecodeOptions) throws -> Int32? {
        let decoder = JPEGDecoder(options: options)
        try decoder.append(bytes)
        return decoder.plan?.scale
    }

    @Test("Memory that suffices for an image suffices for those before it", .ifCodecsWorkInside)
    func memoryOfPreviews() throws {
        // So wide that smoothing takes more than is allowed beside what is counted.
        let file = try Pictures.textured(6_000, 160)
            .encoded(as: .jpeg(quality: 90, progressive: true, subsampling: .yuv420))
        var shown = 0
        for limit in stride(from: 2_000_000, through: 7_000_000, by: 200_000) {
            var options = DecodeOptions(as: .fit(PixelSize(width: 700, height: 700)))
            options.limits.workingBytes = limit
            options.previews = false
            guard let alone = try? decode(file, options, piece: 4_000) else { continue }
            options.previews = true
            let both = try decode(file, options, piece: 4_000)
            #expect(both.image == alone.image, "with \(limit) bytes")
            shown += both.previews.count
        }
        #expect(shown > 0)
    }

    @Test("Left out, it makes no difference to a bit of the image, or of those before it")
    func agrees() throws {
        var generator = SeededGenerator()
        let seed = generator.seed
        for _ in 0..<3 {
            // Large enough for a decoder of our own.
            let (bytes, settings) = try RandomJPEG.file(
                width: 240...420, height: 270...300, isProgressive: true, using: &generator)
            // Eighths: 1, 2, 3, 4 or 5, 8.
            for side in [20, 60, 90, 130, 200] {
                let piece = try #require([300, 2_000].randomElement(using: &generator))
                var options = DecodeOptions(
                    as: Rendition(targetSize: PixelSize(width: side, height: side), leavesOutScans: false))
                options.previews = Bool.random(using: &generator)
                let planned = try decodeInLittle(bytes, options, piece: piece)
                options.leavesOutInvisible = false
                let full = try decode(bytes, options, piece: piece)
                #expect(planned.image == full.image, "\(side), \(settings), seed \(seed)")
                // The last ones may be missing, as the image itself is there.
                let isPrefix = full.previews.starts(with: planned.previews)
                #expect(isPrefix, "previews, pieces of \(piece), \(side), \(settings), seed \(seed)")
                #expect(full.count == bytes.count)
            }
        }
    }

    @Test("A file that leaves frequencies out for good is smoothed as ever")
    func smoothed() throws {
        let file = try Pictures.textured(400, 320).encoded(as: .jpeg(quality: 60, progressive: true))
        let segments = JPEGFile.segments(file)
        let scans = segments.indices.filter { segments[$0].marker == 0xDA }
        for kept in 1..<scans.count {
            let cut = JPEGFile.file(Array(segments[...scans[kept - 1]]))
            for side in [30, 80, 130, 150] {
                var options = DecodeOptions(
                    as: Rendition(targetSize: PixelSize(width: side, height: side), leavesOutScans: false))
                let planned = Result { try Image.decode(cut, options: options) }
                options.leavesOutInvisible = false
                #expect(try planned.get() == Image.decode(cut, options: options), "\(kept) scans at \(side)")
            }
        }
    }

    @Test("Every shared file gives the same image", .enabled(if: SharedImages.areThere))
    func shared() throws {
        // Damaged so that all coefficients come twice; the first ones are as good as the second.
        let isTwofold = ["afl-testcases__jpeg__edges-only__images__id_005342_sync_jpeg_turbo_src_004012.jpg"]
        for folder in ["corpora-jpeg", "mit-jpeg"] {
            for name in SharedImages.names(in: folder, extensions: ["jpg", "jpeg"]) {
                let bytes = try SharedImages.bytes("\(folder)/\(name)")
                guard bytes.count < 100_000, !isTwofold.contains(name) else { continue }
                for side in [20, 100] {
                    var options = DecodeOptions(
                        as: Rendition(targetSize: PixelSize(width: side, height: side), leavesOutScans: false))
                    let planned = try? Image.decode(bytes, options: options)
                    options.leavesOutInvisible = false
                    // What is refused when whole may lie where nobody looks.
                    guard let full = try? Image.decode(bytes, options: options) else { continue }
                    #expect(planned == full, "\(folder)/\(name) at \(side)")
                }
            }
        }
    }

    @Test(
        "At an eighth of the size the last scans need not be there, and memory is a fraction",
        .ifCodecsWorkInside)
    func early() throws {
        let file = try Pictures.textured(1600, 1200).encoded(as: .jpeg(quality: 90, progressive: true))
        var options = DecodeOptions(as: Rendition(targetSize: PixelSize(width: 70, height: 70), leavesOutScans: false))
        // All coefficients of all blocks take 5.8 MB.
        options.limits.workingBytes = 1_700_000
        let planned = try decode(file, options, piece: 1_000)
        #expect(planned.count < file.count * 3 / 4)
        options.leavesOutInvisible = false
        #expect(throws: DecodeError.self) { try Image.decode(file, options: options) }
        options.limits = .safe
        #expect(try Image.decode(file, options: options) == planned.image)
        // At a quarter it takes time to keep little, which is done where there is no room for all.
        options.rendition.targetSize = PixelSize(width: 100, height: 100)
        options.limits.workingBytes = 4_500_000
        options.leavesOutInvisible = true
        let tight = try Image.decode(file, options: options)
        options.limits = .safe
        #expect(try Image.decode(file, options: options) == tight)
        // At its own size all of it matters.
        let whole = try decode(file, DecodeOptions(), piece: 1_000)
        #expect(whole.count == file.count)
    }

    @Test("Rows below what fills a box need not be there", arguments: [ImageEncoding.jpeg, .png])
    func rows(encoding: ImageEncoding) throws {
        // A PNG's Exif data stand in front of them: it may not have others below.
        let facts = ImageMetadata(captureDate: CaptureDate(year: 2000, month: 1, day: 1))
        let file = try Pictures.textured(200, 800).withMetadata(facts).encoded(as: encoding)
        let options = DecodeOptions(
            as: Rendition(targetSize: PixelSize(width: 50, height: 50), contentMode: .fill(gravity: .top)))
        let (image, _, count) = try decode(file, options, piece: 500)
        #expect(image == (try Image.decode(file, options: options)))
        #expect(count < file.count / 2)
    }
}
