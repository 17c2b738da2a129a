import TestSupport
import Testing

@testable import ImageCodecs

/// A file in one scan, or without passes, shows the rows that are there.
@Suite("Degraded images of rows")
struct RowPreviewTests {
    /// A picture that no compression makes small, and of which neighbours are alike.
    private func grainy(_ width: Int, _ height: Int, _ format: PixelFormat) throws -> Image {
        var generator = SeededGenerator(seed: 7)
        let smooth = try Pictures.gradient(width, height, format)
        let step = format.bytesPerPixel
        var bytes = smooth.bytes
        for at in bytes.indices {
            let isAlpha = format.hasAlpha && at % step >= step - step / format.channels
            // Of samples with two bytes the upper one is the second.
            let isUpper = !format.isDeep || at % 2 == 1
            if isAlpha {
                bytes[at] = 255
            } else if isUpper {
                bytes[at] = UInt8(clamping: Int(bytes[at]) / 2 + 50 + Int.random(in: -8...8, using: &generator))
            }
        }
        return try #require(Image(size: smooth.size, format: format, bytes: bytes))
    }

    private static let stops = [1.0 / 8, 3.0 / 8, 5.0 / 8, 7.0 / 8, 31.0 / 32]

    @Test("A JPEG's come at an eighth of the rows, and every quarter from there", arguments: Orientation.allCases)
    func jpeg(orientation: Orientation) throws {
        let camera = try grainy(160, 480, .rgb8)
        let plain = try camera.encoded(as: .jpeg(quality: 90))
        let file = JPEGFile.oriented(plain, UInt8(orientation.rawValue), isLittleEndian: true)
        let decode = try PushedDecode(file)
        #expect((5...8).contains(decode.previews.count) && decode.converges)
        #expect(try #require(decode.likeness.last) >= 30)
        #expect(decode.final == (try Image.decode(file)))
        for (preview, stop) in zip(decode.previews, Self.stops) {
            // A row of blocks has 16 rows.
            #expect((stop..<stop + 16.0 / 480 + 0.001).contains(preview.given.quality) || stop > 0.9)
            #expect(shows(preview.given, of: decode.final, orientation))
        }
    }

    /// Whether the rows that the quality tells of are the final image's.
    private func shows(_ preview: DegradedImage, of final: Image, _ orientation: Orientation) -> Bool {
        let stored = orientation.applied(to: final.size)
        let there = Int((preview.quality * Double(stored.height)).rounded())
        let reversed = orientation.reversesRows
        let side = orientation.isTransposing ? final.width : final.height
        let range = reversed ? (side - there)..<side : 0..<there
        let rect =
            orientation.isTransposing
            ? PixelRect(x: range.lowerBound, y: 0, width: there, height: final.height)
            : PixelRect(x: 0, y: range.lowerBound, width: final.width, height: there)
        return preview.image.cropped(to: rect) == final.cropped(to: rect)
    }

    @Test("Reduced, cut and enlarged ones too")
    func sizes() throws {
        let picture = try grainy(300, 800, .rgb8)
        for encoding in [ImageEncoding.jpeg(quality: 90), .png] {
            let file = try picture.encoded(as: encoding)
            for (width, height, mode) in [
                (100, 200, ContentMode.fit), (150, 150, .fill), (300, 100, .fill(gravity: .bottom)), (40, 400, .exact),
                (400, 1000, .fit),
            ] {
                var options = DecodeOptions(
                    as: Rendition(targetSize: PixelSize(width: width, height: height), contentMode: mode))
                options.rendition.enlarges = width == 400
                let decode = try PushedDecode(file, options: options) { 40 }
                #expect(decode.converges, "\(width) × \(height): \(decode.likeness)")
                // A strip of few rows is like a small picture.
                #expect(encoding == .png || mode == .fit || mode == .exact ? !decode.previews.isEmpty : true)
                if let last = decode.likeness.last { #expect(last >= 30, "\(width) × \(height): \(decode.likeness)") }
                #expect(decode.final == (try Image.decode(file, options: options)))
            }
        }
    }

    @Test("A small JPEG has none: it comes in a moment, and its last blocks are a large part of it")
    func small() throws {
        let file = try grainy(600, 300, .rgb8).encoded(as: .jpeg)
        #expect(try PushedDecode(file).previews.isEmpty)
        let png = try grainy(60, 100, .rgb8).encoded(as: .png)
        #expect(png.count < 24 << 10)
        #expect(try PushedDecode(png).previews.isEmpty)
    }

    @Test(
        "A PNG's come, too, and fade from the last row to what all of them are like",
        arguments: [PixelFormat.grey8, .rgb8, .rgba8, .greyAlpha8, .rgb16, .rgba16])
    func png(format: PixelFormat) throws {
        let file = try grainy(200, 400, format).encoded(as: .png(reduced: false))
        let decode = try PushedDecode(file, options: DecodeOptions(as: Rendition(keepsDepth: true)))
        #expect(decode.final.format == format)
        #expect((5...8).contains(decode.previews.count) && decode.converges, "\(decode.likeness)")
        #expect(try #require(decode.likeness.last) >= 30)
        let first = try #require(decode.previews.first).given
        #expect(first.quality >= 0.125 && first.quality < 0.15)
        #expect(shows(first, of: decode.final, .up))
        // Flat at the end, and opaque.
        let colours = (0..<200).compactMap { first.image.deepPixel(x: $0, y: 399) }
        #expect(Set(colours).count == 1 && colours[0].w == .max)
    }

    @Test("Where a PNG can be seen through, rows that are not there are clear")
    func clear() throws {
        var generator = SeededGenerator(seed: 9)
        let file = try Pictures.noise(300, 600, .rgba8, using: &generator).encoded(as: .png)
        let decode = try PushedDecode(file) { 100 }
        #expect(decode.previews.count >= 5 && decode.converges)
        for preview in decode.previews {
            let start = Int((preview.given.quality * 600).rounded()) * preview.given.image.bytesPerRow
            #expect(preview.given.image.bytes[start...].allSatisfy { $0 == 0 })
        }
        #expect(try #require(decode.likeness.last) >= 30)
    }

    @Test("In pieces of any size they are few, and each is better than the one before")
    func pieces() throws {
        var generator = SeededGenerator()
        let seed = generator.seed
        let picture = try grainy(200, 500, .rgb8)
        for encoding in [ImageEncoding.jpeg, .png] {
            let file = try picture.encoded(as: encoding)
            for _ in 0..<20 {
                let longest = Int.random(in: 1...file.count, using: &generator)
                let decode = try PushedDecode(file) { Int.random(in: 1...longest, using: &generator) }
                #expect(decode.converges, "seed \(seed)")
            }
            #expect(try PushedDecode(file) { file.count }.previews.isEmpty)
        }
    }

    @Test("What somebody keeps of them stays as it is")
    func kept() throws {
        let file = try grainy(160, 480, .rgb8).encoded(as: .jpeg)
        let decoder = JPEGDecoder(options: DecodeOptions(previews: true))
        var kept: [(Image, [UInt8])] = []
        for start in stride(from: 0, to: file.count, by: 10) {
            try decoder.append(Array(file[start..<min(file.count, start + 10)]))
            if let image = try decoder.takePreview()?.image { kept.append((image, image.bytes.map { $0 })) }
        }
        _ = try decoder.finish()
        #expect(kept.count >= 5)
        for (image, bytes) in kept { #expect(image.bytes == bytes) }
    }

    @Test("A file that ends too early has shown what there was of it, and fails")
    func truncated() throws {
        for encoding in [ImageEncoding.jpeg, .png] {
            let file = try grainy(160, 480, .rgb8).encoded(as: encoding)
            let decoder = ContentDecoder(options: DecodeOptions(as: Rendition(damage: .refuse), previews: true))
            try decoder.append(Array(file.prefix(file.count / 2)))
            #expect(try decoder.takePreview() != nil)
            #expect(throws: DecodeError.self) { try decoder.finish() }
            #expect(throws: DecodeError.self) { try decoder.takePreview() }
        }
    }

    @Test("A schedule gives eight at most: early ones evenly, late ones as what is missing shrinks")
    func schedule() throws {
        let image = try Pictures.gradient(1, 1)
        for height in [1, 7, 100, 3000, 60_000] {
            for last in [height, height - height / 30] {
                var schedule = PreviewSchedule()
                let rows = (1...height).filter { rows in
                    guard schedule.wants(rows: rows, of: height, last: last) else { return false }
                    _ = schedule.give([image], quality: Double(rows) / Double(height))
                    return true
                }
                #expect(rows.count <= 7)
                #expect(rows.first == max(1, (height + 7) / 8))
                #expect(try #require(rows.last) >= min(last, height - height / 512))
            }
        }
    }

    @Test("Of scans that are costly to show there are two: the first one, and one of half the quality")
    func costlyScans() throws {
        let picture = try Pictures.gradient(2, 2)
        var schedule = PreviewSchedule()
        var given: [Double] = []
        for quality in [0.01, 0.02, 0.3, 0.5, 0.6, 0.9, 1] where schedule.wants(quality, isCostly: true) {
            given += schedule.give([picture], quality: quality).map { [$0.quality] } ?? []
        }
        #expect(given == [0.01, 0.5])
    }
}
