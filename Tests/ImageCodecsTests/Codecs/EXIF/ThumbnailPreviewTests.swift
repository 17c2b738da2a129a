import Foundation
import ImageCodecs
import Synchronization
import TestSupport
import Testing

/// A JPEG's embedded thumbnail is its first degraded image.
@Suite("Embedded thumbnails")
struct ThumbnailPreviewTests {
    /// Nothing in it is too fine for a thumbnail.
    private func picture(_ width: Int = 320, _ height: Int = 240, _ format: PixelFormat = .rgb8) throws -> Image {
        try Pictures.gradient(width / 4, height / 4, format).resized(
            to: PixelSize(width: width, height: height), filter: .mitchell)
    }

    /// A JPEG of `picture`, and a segment with a thumbnail of it.
    private func segment(_ picture: Image, progressive: Bool = false) throws -> ExifSegment {
        let size = picture.size.fitted(in: PixelSize(width: 80, height: 80))
        let encoding = ImageEncoding.jpeg(quality: 85, progressive: progressive)
        return ExifSegment(thumbnail: try picture.resized(to: size).encoded(as: encoding))
    }

    private func headerLength(_ file: [UInt8]) throws -> Int {
        let segments = JPEGFile.segments(file)
        let scan = try #require(segments.firstIndex { $0.marker == 0xDA })
        return 2 + segments[...scan].reduce(0) { $0 + $1.bytes.count - $1.entropy.count }
    }

    @Test("It is there when the header is, of files of all kinds", arguments: [false, true], [false, true])
    func early(isProgressive: Bool, isLittleEndian: Bool) throws {
        let profile = ICCProfiles.minimal(isGrey: false, count: 3000)
        let picture = try picture()
        var segment = try segment(picture)
        segment.isLittleEndian = isLittleEndian
        let plain = try picture.withICCProfile(profile).encoded(as: .jpeg(quality: 90, progressive: isProgressive))
        let file = segment.inserted(into: plain)
        for target in [nil, PixelSize(width: 100, height: 100), PixelSize(width: 20, height: 20)] {
            let options = DecodeOptions(as: Rendition(targetSize: target))
            let decode = try PushedDecode(file, options: options)
            let first = try #require(decode.previews.first)
            #expect(try first.bytes <= headerLength(file) + 1)
            #expect(Pictures.psnr(first.given.image, decode.final) > 30)
            // A picture without detail is better in its thumbnail than in its first scans.
            #expect(isProgressive ? decode.isInOrder : decode.converges)
            #expect(decode.final == (try Image.decode(plain, options: options)))
        }
    }

    @Test("It is there of an arithmetic-coded file, which shows nothing else before its end")
    func arithmetic() throws {
        let seeds = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        let plain = [UInt8](try Data(contentsOf: seeds.appendingPathComponent("Fuzzing/Seeds/jpeg/arithmetic.jpg")))
        let final = try Image.decode(plain)
        let size = PixelSize(width: (final.width + 1) / 2, height: (final.height + 1) / 2)
        let segment = ExifSegment(thumbnail: try final.resized(to: size).encoded(as: .jpeg(quality: 95)))
        let decode = try PushedDecode(segment.inserted(into: plain))
        #expect(decode.previews.count == 1 && decode.converges)
        #expect(try #require(decode.likeness.first) > 20)
        #expect(decode.final == final)
    }

    @Test(
        "It is turned as the picture is, and shows the same part of it", arguments: Orientation.allCases,
        [ContentMode.fit, .fill(gravity: .topLeft), .fill(gravity: .right), .exact])
    func turned(orientation: Orientation, mode: ContentMode) throws {
        let picture = try picture()
        var segment = try segment(picture)
        segment.orientation = orientation
        for isProgressive in [false, true] {
            let file = segment.inserted(into: try picture.encoded(as: .jpeg(quality: 95, progressive: isProgressive)))
            for target in [nil, PixelSize(width: 60, height: 150), PixelSize(width: 50, height: 30)] {
                let decode = try PushedDecode(
                    file, options: DecodeOptions(as: Rendition(targetSize: target, contentMode: mode)))
                let first = try #require(decode.likeness.first)
                #expect(first > 30, "\(String(describing: target))")
                #expect(isProgressive ? decode.isInOrder : decode.converges)
            }
        }
    }

    /// A thumbnail of 64 × 48 with bars above and below, or left and right.
    private func barred(_ picture: Image, _ value: UInt8, size: PixelSize) throws -> ExifSegment {
        let shown = picture.resized(in: size)
        var bytes = [UInt8](repeating: value, count: size.width * size.height * 3)
        let (left, top) = ((size.width - shown.width) / 2, (size.height - shown.height) / 2)
        for y in 0..<shown.height {
            let at = ((top + y) * size.width + left) * 3
            let row = shown.bytes[(y * shown.bytesPerRow)..<((y + 1) * shown.bytesPerRow)]
            bytes.replaceSubrange(at..<(at + shown.width * 3), with: row)
        }
        let image = try #require(Image(size: size, format: .rgb8, bytes: bytes))
        return ExifSegment(thumbnail: try image.encoded(as: .jpeg(quality: 90)))
    }

    @Test("Black bars around it are cut off", arguments: [(300, 200), (200, 300), (320, 120), (100, 320)])
    func bars(width: Int, height: Int) throws {
        let picture = try picture(width, height)
        let plain = try picture.encoded(as: .jpeg(quality: 90))
        let box = PixelSize(width: 64, height: 48)
        let decode = try PushedDecode(barred(picture, 2, size: box).inserted(into: plain))
        let first = try #require(decode.likeness.first)
        #expect(first > 24)
        #expect(decode.converges)
    }

    @Test("One of another shape is of another picture", arguments: [(300, 200), (200, 300), (240, 240)])
    func shape(width: Int, height: Int) throws {
        let picture = try picture(width, height)
        let plain = try picture.encoded(as: .jpeg(quality: 90))
        let box = PixelSize(width: 64, height: 48)
        let other = ExifSegment(thumbnail: try Pictures.gradient(64, 48).encoded(as: .jpeg))
        for segment in [try barred(picture, 200, size: box), other] {
            #expect(try PushedDecode(segment.inserted(into: plain)).previews.isEmpty)
        }
    }

    @Test("Grey and colour become what the picture is")
    func colour() throws {
        for (format, other) in [(PixelFormat.grey8, PixelFormat.rgb8), (.rgb8, .grey8)] {
            let picture = try picture(320, 240, format)
            let segment = try segment(picture.converted(to: other))
            let decode = try PushedDecode(segment.inserted(into: try picture.encoded(as: .jpeg)))
            #expect(try #require(decode.previews.first).given.image.format == format)
            #expect(decode.converges)
        }
    }

    @Test("A progressive one is as good")
    func progressive() throws {
        let picture = try picture()
        let segment = try segment(picture, progressive: true)
        let decode = try PushedDecode(segment.inserted(into: try picture.encoded(as: .jpeg)))
        #expect(try #require(decode.likeness.first) > 30)
    }

    @Test("One that is damaged, or is none, changes nothing")
    func damaged() throws {
        let picture = try picture()
        let good = try segment(picture)
        // Whole rows of blocks are too few for degraded images of rows alone.
        let plain = try picture.encoded(as: .jpeg)
        let final = try Image.decode(plain)
        var bad: [(String, ExifSegment)] = []
        func add(_ name: String, _ change: (inout ExifSegment) throws -> Void) rethrows {
            var segment = good
            try change(&segment)
            bad.append((name, segment))
        }
        add("uncompressed") { $0.compression = 1 }
        add("starts beyond the end") { $0.start = 1 << 20 }
        add("starts at the limit of what can be counted") { $0.start = 0xFFFF_FFFF }
        add("is too long by one") { $0.count = good.thumbnail.count + 1 }
        add("is as long as can be counted") { $0.count = 0xFFFF_FFFF }
        add("is empty") { $0.count = 0 }
        add("is cut off") { $0.count = good.thumbnail.count / 2 }
        add("is no JPEG") { $0.thumbnail = [UInt8](repeating: 7, count: 2000) }
        add("IFD1 is IFD0") { $0.directory = 8 }
        add("IFD1 lies beyond the end") { $0.directory = 0x7FFF_FFFF }
        add("there is no IFD1") { $0.directory = 0 }
        add("declares millions of pixels") { segment in
            segment.thumbnail = JPEGFile.resized(segment.thumbnail, width: 60_000, height: 45_000)
        }
        try add("is as large as the picture") { $0.thumbnail = try picture.encoded(as: .jpeg(quality: 30)) }
        add("has a thumbnail of its own") { $0.thumbnail = good.inserted(into: good.thumbnail) }
        for (name, segment) in bad {
            let decode = try PushedDecode(segment.inserted(into: plain), pieces: { 97 })
            #expect(decode.previews.isEmpty, "\(name)")
            #expect(decode.final == final, "\(name)")
        }
        // Nobody goes on from IFD1.
        var looped = good
        looped.next = 26
        #expect(try !PushedDecode(looped.inserted(into: plain)).previews.isEmpty)
    }

    @Test("Bytes of it that are wrong are never the file's failure")
    func mutated() throws {
        var generator = SeededGenerator()
        let seed = generator.seed
        let picture = try picture(320, 240, .grey8)
        let plain = try picture.encoded(as: .jpeg)
        let final = try Image.decode(plain)
        let whole = try segment(picture).inserted(into: plain)
        let range = 12..<(whole.count - plain.count)
        for _ in 0..<300 {
            var file = whole
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                file[Int.random(in: range, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            let decode = try PushedDecode(file, pieces: { 1000 })
            let isTurned = decode.final.size != final.size || decode.final != final
            #expect(!isTurned || decode.final.metadata.storedOrientation != .up, "seed \(seed)")
            #expect(decode.previews.allSatisfy { $0.given.image.size == decode.final.size }, "seed \(seed)")
        }
    }

    @Test("Rows that are not there yet show it")
    func underRows() throws {
        let picture = try picture()
        let file = try segment(picture).inserted(into: try picture.encoded(as: .jpeg(quality: 90)))
        let decode = try PushedDecode(file)
        #expect(decode.previews.count >= 4 && decode.converges)
        let (first, second) = (decode.previews[0].given.image, decode.previews[1].given.image)
        let last = 239 * first.bytesPerRow
        #expect(first.bytes[last...] == second.bytes[last...])
        #expect(second.bytes.prefix(20 * first.bytesPerRow) == decode.final.bytes.prefix(20 * first.bytesPerRow))
        #expect(try #require(decode.likeness.last) > 36)
    }

    @Test("It may be asked for late: rows and scans that are there count more")
    func late() throws {
        var generator = SeededGenerator()
        let seed = generator.seed
        let picture = try picture()
        for isProgressive in [false, true] {
            let plain = try picture.encoded(as: .jpeg(quality: 90, progressive: isProgressive))
            let file = try segment(picture).inserted(into: plain)
            for _ in 0..<30 {
                let decode = try PushedDecode(file) { Int.random(in: 1...file.count / 2, using: &generator) }
                #expect(isProgressive ? decode.isInOrder : decode.converges, "seed \(seed)")
            }
        }
    }

    @Test("A decode that is cancelled does not go on in its thumbnail")
    func cancelled() throws {
        let picture = try picture()
        let file = try segment(picture).inserted(into: try picture.encoded(as: .jpeg(progressive: true)))
        let isCancelled = Mutex(false)
        let flag: @Sendable () -> Bool = { isCancelled.withLock { $0 } }
        let decoder = JPEGDecoder(options: DecodeOptions(previews: true, isCancelled: flag))
        try decoder.append(Array(file.prefix(try headerLength(file) + 2)))
        isCancelled.withLock { $0 = true }
        #expect(throws: DecodeError.cancelled) { try decoder.takePreview() }
    }

    @Test("Files of cameras and programs", .enabled(if: SharedImages.areThere))
    func real() throws {
        let folder = "mit-jpeg/"
        let names = [
            "Nuke__Tests__Resources__image-p3.jpg", "SDWebImage__Tests__Tests__Images__TestICCProfile.jpg",
            "image__tests__images__jpg__progressive__cat.jpg",
        ]
        for name in names {
            let file = try SharedImages.bytes(folder + name)
            let decode = try PushedDecode(file, options: DecodeOptions(as: Rendition(filter: .bilinear))) { 50 }
            let first = try #require(decode.previews.first)
            #expect(try first.bytes <= headerLength(file) + 50, "\(name)")
            // One is there to be told from its picture: its text says that profiles are applied.
            #expect(Pictures.psnr(first.given.image, decode.final) > (name.contains("ICC") ? 13 : 18), "\(name)")
            #expect(decode.converges, "\(name): \(decode.likeness)")
        }
    }
}
