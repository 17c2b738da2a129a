import Foundation
import ImageCodecs
import TestSupport
import Testing

@Suite("Layouts of written PNGs")
struct PNGLayoutTests {
    /// IHDR's bit depth and colour type.
    private struct Header: Equatable {
        let bits: UInt8
        let type: UInt8

        init(_ bits: UInt8, _ type: UInt8) {
            self.bits = bits
            self.type = type
        }

        init(_ file: [UInt8]) { self.init(file[24], file[25]) }
    }

    private func picture(
        _ width: Int, _ height: Int, _ format: PixelFormat, _ pixel: (Int) -> [UInt8]
    ) throws -> Image {
        let bytes = (0..<width * height).flatMap(pixel)
        return try #require(Image(size: PixelSize(width: width, height: height), format: format, bytes: bytes))
    }

    private func isSame(_ left: Image, _ right: Image) -> Bool {
        left.converted(to: .rgba16) == right.converted(to: .rgba16)
    }

    @Test("A picture has no more samples, and no deeper ones, than say something", arguments: [false, true])
    func least(isDeep: Bool) throws {
        var generator = SeededGenerator(seed: 1)
        let grey = try Pictures.noise(60, 50, .grey8, using: &generator)
        let colour = try Pictures.noise(60, 50, .rgb8, using: &generator)
        let fewLevels = try picture(60, 50, .grey8) { [[0, 85, 170, 255][$0 * $0 / 7 % 4]] }
        let blackAndWhite = try picture(60, 50, .grey8) { [$0 * $0 / 7 % 3 == 0 ? 255 : 0] }
        let glass = try picture(60, 50, .greyAlpha8) { [UInt8($0 * 7 & 255), UInt8($0 / 13 & 255)] }
        let headers: [(Image, Header)] = [
            (grey, Header(8, 0)), (colour, Header(8, 2)), (fewLevels, Header(2, 0)), (blackAndWhite, Header(1, 0)),
            (glass, Header(8, 4)),
        ]
        for (image, header) in headers {
            for format in PixelFormat.allCases where format.isDeep == isDeep {
                guard !format.isGrey || image.format.isGrey, format.hasAlpha || !image.format.hasAlpha else { continue }
                let stored = image.converted(to: format)
                let file = try stored.encoded(as: .png)
                #expect(Header(file) == header, "\(format)")
                #expect(isSame(try Image.decode(file, options: DecodeOptions(as: Rendition(keepsDepth: true))), stored))
                let plain = try stored.encoded(as: .png(reduced: false))
                #expect(Header(plain) == Header(isDeep ? 16 : 8, (format.isGrey ? 0 : 2) | (format.hasAlpha ? 4 : 0)))
            }
        }
        // The lower eight bits of one sample say something.
        var bytes = grey.converted(to: .grey16).bytes
        bytes[200] ^= 1
        let deep = try #require(Image(size: grey.size, format: .grey16, bytes: bytes))
        #expect(Header(try deep.converted(to: .rgba16).encoded(as: .png)) == Header(16, 0))
    }

    @Test(
        "A picture of few colours gets a palette, as deep as it must be, and gives back every sample",
        arguments: [1, 2, 3, 4, 5, 16, 17, 256, 257], [PixelFormat.rgb8, .rgba8])
    func palette(colours: Int, format: PixelFormat) throws {
        var generator = SeededGenerator(seed: 3)
        let image = try picture(80, 60, format) { index in
            let colour = index < colours ? index : Int.random(in: 0..<colours, using: &generator)
            let alpha = colour % 3 == 1 ? UInt8(colour / 2) : 255
            return [UInt8(colour & 255), UInt8(200 - colour / 2), UInt8(colour >> 8)] + (format.hasAlpha ? [alpha] : [])
        }
        let file = try image.encoded(as: .png)
        #expect(isSame(try Image.decode(file), image))
        let depth = colours <= 2 ? 1 : colours <= 4 ? 2 : colours <= 16 ? 4 : 8
        let hasAlpha = format.hasAlpha && colours > 1
        #expect(Header(file) == (colours > 256 ? Header(8, hasAlpha ? 6 : 2) : Header(UInt8(depth), 3)))
        // No alphas but those that are not full.
        let alphas = PNGFile.chunks(file).first { $0.type == "tRNS" }?.payload.count ?? 0
        #expect(alphas == (hasAlpha && colours <= 256 ? (1..<colours).filter { $0 % 3 == 1 }.count : 0))
    }

    @Test("A profile of colours stays with samples of colours, and one of greys with greys")
    func profiles() throws {
        let grey = try picture(90, 60, .rgb8) { [UInt8](repeating: UInt8($0 * $0 / 50 & 15) &* 16, count: 3) }
        let colours = grey.withICCProfile(ICCProfiles.minimal(isGrey: false))
        let file = try colours.encoded(as: .png)
        #expect([2, 3].contains(Header(file).type))
        #expect(try Image.decode(file) == colours)
        let greys = grey.converted(to: .grey8).withICCProfile(ICCProfiles.minimal(isGrey: true))
        let greyFile = try greys.encoded(as: .png)
        #expect(Header(greyFile).type == 0)
        #expect(try Image.decode(greyFile) == greys)
        let glass = greys.converted(to: .greyAlpha8)
        #expect(try Image.decode(glass.encoded(as: .png)) == greys)
    }

    /// Of one of many kinds: noise, few colours, smooth, grey, clear in places.
    private func random(using generator: inout SeededGenerator) throws -> Image {
        func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
        let format = try #require(PixelFormat.allCases.randomElement(using: &generator))
        let most = number(0...9) == 0 ? 300 : 40
        let (width, height) = (number(1...most), number(1...most))
        let colours = [1, 2, 3, 4, 9, 16, 40, 256, 300, 1 << 24][number(0...9)]
        let (isGrey, alphas, step) = (number(0...2) == 0, number(0...3), [1, 17, 85, 255][number(0...3)])
        let (isSmooth, isDeep) = (number(0...1) == 0, number(0...2) == 0)
        let pixels = (0..<max(1, min(colours, width * height))).map { index in
            func sample() -> UInt16 {
                let value = isSmooth ? index * 255 / min(colours, 256) & 255 : number(0...255)
                return UInt16(value / step * step) * 257 ^ (isDeep ? UInt16(number(0...255)) : 0)
            }
            let grey = sample()
            let colour = isGrey ? [grey, grey, grey] : [grey, sample(), sample()]
            return colour + [alphas == 0 ? 65_535 : alphas == 1 ? UInt16(number(0...1)) * 65_535 : sample()]
        }
        var samples: [UInt16] = []
        for at in 0..<width * height {
            let index = isSmooth ? (at % width + at / width) % pixels.count : number(0...pixels.count - 1)
            let pixel = pixels[index]
            samples += (format.isGrey ? [pixel[0]] : Array(pixel[..<3])) + (format.hasAlpha ? [pixel[3]] : [])
        }
        let deep = try #require(
            Image(
                size: PixelSize(width: width, height: height), format: format.deep(true),
                bytes: Pictures.native(samples)))
        return deep.converted(to: format)
    }

    @Test("Whatever the picture, its pixels come back, from a file that is no larger than one that is not reduced")
    func property() throws {
        var generator = SeededGenerator()
        let seed = generator.seed
        for round in 0..<200 {
            let image = try random(using: &generator)
            let level = [0, 1, 6, 9][round % 4]
            let file = try image.encoded(as: .png(level: level))
            let plain = try image.encoded(as: .png(level: level, reduced: false))
            #expect(file.count <= plain.count, "\(image), \(level), seed \(seed)")
            for file in [file, plain] {
                let decoded = try Image.decode(file, options: DecodeOptions(as: Rendition(keepsDepth: true)))
                #expect(isSame(decoded, image), "\(image), seed \(seed)")
            }
        }
    }

    @Test("libvips reads the same pixels", .enabled(if: VipsReference.copier != nil))
    func others() throws {
        var generator = SeededGenerator()
        let seed = generator.seed
        let directory = TemporaryDirectory()
        let path = "\(directory.path)/file.png"
        for _ in 0..<20 {
            let image = try random(using: &generator)
            try Data(image.encoded(as: .png)).write(to: URL(fileURLWithPath: path))
            let read = try #require(try VipsReference.copy(of: path), "seed \(seed)")
            #expect(isSame(read, image), "\(image), seed \(seed)")
        }
    }

    @Test("A large picture of which layouts are tried is written to a descriptor as into memory, and not beyond it")
    func descriptors() throws {
        var generator = SeededGenerator(seed: 8)
        let image = try picture(700, 500, .rgb8) { _ in
            let colour = UInt8.random(in: 0..<40, using: &generator)
            return [colour, 9, colour &* 5]
        }
        #expect(Header(try image.encoded(as: .png)).type == 3)
        let noise = try Pictures.noise(700, 500, .rgba8, using: &generator)
        for picture in [image, noise] {
            let directory = TemporaryDirectory()
            let descriptor = open("\(directory.path)/file", O_RDWR | O_CREAT, 0o600)
            defer { close(descriptor) }
            try picture.write(as: .png, to: descriptor)
            #expect(SharedImages.read("\(directory.path)/file") == (try picture.encoded(as: .png)))
            let full = open("/dev/full", O_WRONLY)
            try #require(full >= 0)
            defer { close(full) }
            #expect(throws: EncodeError.notWritten(code: ENOSPC)) { try picture.write(as: .png, to: full) }
        }
    }

    private static let exiftool = VipsReference.installed("exiftool")

    @Test("exiftool finds no fault with anything that is written", .enabled(if: exiftool != nil))
    func validation() throws {
        var generator = SeededGenerator(seed: 6)
        let directory = TemporaryDirectory()
        var count = 0
        for format in PixelFormat.allCases {
            var pictures = [try Pictures.gradient(40, 30, format), try random(using: &generator)]
            if SharedImages.areThere, !format.isGrey {
                let photo = try Image.decode(SharedImages.bytes("mit-jpeg/Nuke__Tests__Resources__image-p3.jpg"))
                pictures.append(pictures[0].withICCProfile(photo.iccProfile))
            }
            for picture in pictures {
                for metadata in [ImageMetadata(), TIFFFile.facts, ImageMetadata(gamma: 0.5)] {
                    for isReduced in [true, false] {
                        let file = try picture.withMetadata(metadata)
                            .encoded(as: .png(reduced: isReduced), metadata: .all)
                        try Data(file).write(to: URL(fileURLWithPath: "\(directory.path)/\(count).png"))
                        count += 1
                    }
                }
            }
        }
        let words = ["-validate", "-warning", "-error", "-a", "-s3", directory.path]
        let lines = try ChildProcess(path: try #require(Self.exiftool), words).readOutput().split(separator: "\n")
        let verdicts = lines.filter { !$0.hasPrefix("=") && !$0.contains("directories scanned") }
        #expect(verdicts.filter { $0 == "OK" }.count == count)
        #expect(Set(verdicts.filter { !$0.contains("files read") }) == ["OK"])
    }
}
