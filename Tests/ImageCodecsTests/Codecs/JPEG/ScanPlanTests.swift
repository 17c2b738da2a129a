import ImageCodecs
import TestSupport
import Testing

@Suite("Scans that the target cannot show")
struct ScanPlanTests {
    private func decode(_ file: [UInt8], side: Int, leavesOutScans: Bool) throws -> Image {
        let target = PixelSize(width: side, height: side)
        let rendition = Rendition(targetSize: target, leavesOutScans: leavesOutScans, damage: .refuse)
        return try Image.decode(file, options: DecodeOptions(as: rendition))
    }

    private func check(_ file: [UInt8], side: Int, least: Double = 50, _ name: String) throws {
        let planned = try decode(file, side: side, leavesOutScans: true)
        let full = try decode(file, side: side, leavesOutScans: false)
        #expect(Pictures.psnr(planned, full) >= least, "\(name) at \(side)")
    }

    @Test(
        "Left out, they change little even of a picture of patterns finer than the target", arguments: [25, 60, 90],
        [ImageEncoding.ChromaSubsampling.yuv420, .yuv422, .yuv444])
    func generated(quality: Int, subsampling: ImageEncoding.ChromaSubsampling) throws {
        let file = try Pictures.textured(480, 360).encoded(
            as: .jpeg(quality: quality, progressive: true, subsampling: subsampling))
        for side in [12, 16, 30, 34, 60, 120] { try check(file, side: side, least: 44, "\(quality), \(subsampling)") }
    }

    @Test("Nor do they in a photo, at any size", .enabled(if: SharedImages.areThere))
    func photo() throws {
        var generator = SeededGenerator()
        let file = try SharedImages.bytes("mit-jpeg/image__tests__images__jpg__progressive__cat.jpg")
        for _ in 0..<8 {
            try check(file, side: Int.random(in: 8...140, using: &generator), "cat, seed \(generator.seed)")
        }
    }

    @Test(
        "Nor do they at any quality and subsampling", .enabled(if: SharedImages.areThere), arguments: [10, 40, 75, 92])
    func qualities(quality: Int) throws {
        let photo = try Image.decode(SharedImages.bytes("photos/p640x480.jpg"))
        for subsampling in [ImageEncoding.ChromaSubsampling.yuv420, .yuv444] {
            let file = try photo.encoded(as: .jpeg(quality: quality, progressive: true, subsampling: subsampling))
            for side in [20, 40, 44, 60] { try check(file, side: side, "\(quality), \(subsampling)") }
        }
    }

    @Test(
        "Nor do they where colours change sharply: their scans' codes tell how much is in them",
        .enabled(if: SharedImages.areThere), arguments: [30, 75, 90])
    func saturated(quality: Int) throws {
        let photo = try Image.decode(SharedImages.bytes("mit-jpeg/Nuke__Tests__Resources__fixture.jpeg"))
        let file = try photo.encoded(as: .jpeg(quality: quality, progressive: true, subsampling: .yuv420))
        // Whole blocks per pixel, at which what is missing adds up most, and sizes between.
        for side in [11, 13, 16, 19, 20, 32, 36, 40, 41, 53] { try check(file, side: side, "\(quality)") }
    }

    @Test(
        "They are passed over: what stands in them does not matter, and other scans are read",
        .ifCodecsWorkInside)
    func passedOver() throws {
        let file = try Pictures.textured(480, 360).encoded(as: .jpeg(quality: 80, progressive: true))
        var segments = JPEGFile.segments(file)
        // The last scan refines luma's AC coefficients; at a fourteenth of the size nobody sees that.
        let last = try #require(segments.lastIndex { $0.marker == 0xDA })
        segments[last].entropy = [UInt8](repeating: 0x55, count: 40)
        let damaged = JPEGFile.file(segments)
        let small = try decode(file, side: 30, leavesOutScans: true)
        #expect(try decode(damaged, side: 30, leavesOutScans: true) == small)
        #expect(throws: DecodeError.self) { try decode(damaged, side: 30, leavesOutScans: false) }
        // At a size that shows it, it is read, and refused.
        #expect(throws: DecodeError.self) { try decode(damaged, side: 200, leavesOutScans: true) }
        // The first scan is in every picture.
        let first = try #require(segments.firstIndex { $0.marker == 0xDA })
        segments[first].entropy = [UInt8](repeating: 0x55, count: 40)
        #expect(throws: DecodeError.self) {
            try decode(JPEGFile.file(segments), side: 30, leavesOutScans: true)
        }
    }

    @Test(
        "The colours of a grey picture, whose codes have no values, are passed over before any of them is decoded",
        .ifCodecsWorkInside)
    func greyInColour() throws {
        let grey = try Pictures.textured(480, 360).converted(to: .grey8).converted(to: .rgb8)
        let file = try grey.encoded(as: .jpeg(quality: 80, progressive: true, subsampling: .yuv420))
        var segments = JPEGFile.segments(file)
        for index in segments.indices where segments[index].marker == 0xDA && segments[index].payload[1] > 1 {
            segments[index].entropy = []
        }
        let damaged = JPEGFile.file(segments)
        #expect(damaged.count < file.count)
        #expect(try decode(damaged, side: 16, leavesOutScans: true) == decode(file, side: 16, leavesOutScans: true))
        #expect(throws: DecodeError.self) { try decode(damaged, side: 200, leavesOutScans: true) }
    }

    @Test("A scan that is missing altogether is still missing from a file without an end")
    func truncated() throws {
        let file = try Pictures.textured(480, 360).encoded(as: .jpeg(quality: 80, progressive: true))
        #expect(throws: DecodeError.self) {
            try decode(Array(file.prefix(file.count / 3)), side: 30, leavesOutScans: true)
        }
    }

    @Test("Bytes one at a time give the same picture")
    func bytewise() throws {
        let file = try Pictures.textured(480, 360).encoded(as: .jpeg(quality: 80, progressive: true))
        let whole = try decode(file, side: 30, leavesOutScans: true)
        let decoder = ContentDecoder(
            options: DecodeOptions(as: Rendition(targetSize: PixelSize(width: 30, height: 30), leavesOutScans: true)))
        for byte in file { try decoder.append([byte]) }
        #expect(try decoder.finish() == whole)
    }

    @Test("Whatever scans a file has, they are left out as well, and what need not come changes nothing")
    func scripts() throws {
        var generator = SeededGenerator()
        let picture = try Pictures.textured(480, 360)
        for _ in 0..<12 {
            let (file, settings) = try RandomJPEG.scripted(
                picture, quality: [60, 90].randomElement(using: &generator) ?? 90,
                subsampled: Bool.random(using: &generator), using: &generator)
            for side in [20, 26, 32, 38, 50] {
                let note = "\(settings), seed \(generator.seed)"
                try check(file, side: side, least: 44, note)
                let whole = try decode(file, side: side, leavesOutScans: true)
                let decoder = ContentDecoder(options: DecodeOptions(as: .fit(PixelSize(width: side, height: side))))
                var rest = file[...]
                while !rest.isEmpty, !decoder.needsNoMoreBytes {
                    let piece = rest.prefix(Int.random(in: 1...2_000, using: &generator))
                    try decoder.append(Array(piece))
                    rest = rest.dropFirst(piece.count)
                }
                #expect(try decoder.finish() == whole, "\(side), \(note)")
            }
        }
    }

    @Test(
        "A thumbnail at a quarter does without the last scans, too", .enabled(if: SharedImages.areThere),
        .ifCodecsWorkInside)
    func early() throws {
        let file = try SharedImages.bytes("photos/p12_prog420.jpg")
        let options = DecodeOptions(as: .fit(PixelSize(width: 256, height: 256)))
        let decoder = ContentDecoder(options: options)
        var count = 0
        while count < file.count, !decoder.needsNoMoreBytes {
            let piece = file[count...].prefix(16_384)
            try decoder.append(Array(piece))
            count += piece.count
        }
        #expect(count < file.count * 2 / 3, "\(count) of \(file.count)")
        #expect(try decoder.finish() == Image.decode(file, options: options))
    }

    @Test("Nor do they in a large photo, at the sizes of thumbnails", .enabled(if: SharedImages.areThere))
    func largePhoto() throws {
        let file = try SharedImages.bytes("photos/p12_prog420.jpg")
        for side in [60, 120, 256] { try check(file, side: side, least: 53, "12 megapixels") }
    }

    @Test(
        "Only what shows is kept in memory",
        .ifCodecsWorkInside)
    func memory() throws {
        let file = try Pictures.textured(1600, 1200).encoded(as: .jpeg(quality: 90, progressive: true))
        // All coefficients of all blocks take 5.8 MB.
        var options = DecodeOptions(
            as: Rendition(targetSize: PixelSize(width: 100, height: 100), leavesOutScans: false))
        options.limits.workingBytes = 2_000_000
        // With every scan only a smaller scale fits, at a lower quality.
        let everyScan = try decode(file, side: 100, leavesOutScans: false)
        let narrow = Pictures.psnr(try Image.decode(file, options: options), everyScan)
        options.rendition.leavesOutScans = true
        let small = Pictures.psnr(try Image.decode(file, options: options), everyScan)
        #expect(small >= 44)
        #expect(narrow < small, "\(narrow) where \(small)")
        // At an eighth of the size there is no need for any but the means of blocks.
        options.rendition.targetSize = PixelSize(width: 50, height: 50)
        options.limits.workingBytes = 1_000_000
        _ = try Image.decode(file, options: options)
    }

    @Test("What turns out to show counts against the limit before it is kept")
    func growingMemory() throws {
        // So coarse that refinements show.
        let file = try Pictures.textured(1600, 1200).encoded(as: .jpeg(quality: 8, progressive: true))
        var options = DecodeOptions(as: Rendition(targetSize: PixelSize(width: 100, height: 100), leavesOutScans: true))
        options.limits.workingBytes = 2_000_000
        do throws(DecodeError) {
            _ = try Image.decode(file, options: options)
            Issue.record("not refused")
        } catch {
            guard case .limitExceeded(.workingBytes, _, 2_000_000, _) = error else {
                Issue.record("\(error)")
                return
            }
        }
        options.limits.workingBytes = 20_000_000
        #expect(try Image.decode(file, options: options) == decode(file, side: 100, leavesOutScans: false))
    }
}
