import ImageCodecs
import TestSupport
import Testing

@Suite("Huffman codes that say nothing of their scans, or what is not so")
struct HuffmanTrustTests {
    /// Patterns that show at a sixteenth of the size, and would be lost with the scans that they are in. Above some of them there is nothing.
    enum Pattern: CaseIterable {
        case squares, lines, quietAbove, squaresBelow, inkBelow, colourBelow

        func image() throws -> Image {
            let size = PixelSize(width: 640, height: 480)
            var bytes: [UInt8] = []
            for y in 0..<size.height {
                for x in 0..<size.width {
                    switch self {
                    case .squares: bytes += (x / 12 + y / 12) % 2 == 0 ? [255, 0, 0] : [0, 0, 255]
                    case .lines: bytes += x % 5 < 2 ? [0, 0, 0] : [255, 255, 255]
                    case .squaresBelow:
                        bytes += y > 120 && (x / 20 + y / 20) % 2 == 1 ? [0, 0, 0] : [255, 255, 255]
                    case .inkBelow:
                        bytes += y > 120 && (x / 7 + y / 7) % 2 == 1 ? [0, 40, 0] : [250, 255, 200]
                    case .colourBelow:
                        bytes += y < 120 ? [128, 0, 128] : (x / 12 + y / 12) % 2 == 0 ? [255, 0, 0] : [0, 0, 255]
                    case .quietAbove: bytes += y > 120 && (x / 5 + y / 5) % 2 == 0 ? [0, 40, 0] : [250, 255, 200]
                    }
                }
            }
            return try #require(Image(size: size, format: .rgb8, bytes: bytes))
        }
    }

    /// How far the image by all that shows is from that by every scan.
    private func agreement(_ file: [UInt8], side: Int) throws -> Double {
        let target = PixelSize(width: side, height: side)
        let planned = try Image.decode(file, options: DecodeOptions(as: Rendition(targetSize: target)))
        let full = try Image.decode(
            file, options: DecodeOptions(as: Rendition(targetSize: target, leavesOutScans: false)))
        return Pictures.psnr(planned, full)
    }

    /// Files whose codes say that nearly every block is empty.
    private static func lying(_ symbols: [UInt8]) -> [UInt8: Int] {
        Dictionary(symbols.map { ($0, 12) } + [(0xE0, 1)]) { $1 }
    }

    @Test("Codes that call nearly every block empty cost nothing that shows", arguments: Pattern.allCases, [40, 20])
    func lying(pattern: Pattern, side: Int) throws {
        let file = try pattern.image().encoded(as: .jpeg(quality: 90, progressive: true))
        let hostile = HuffmanRecoding.recoded(file, lengths: Self.lying)
        #expect(try Image.decode(hostile) == Image.decode(file))
        let (honest, fooled) = (try agreement(file, side: side), try agreement(hostile, side: side))
        #expect(fooled >= min(honest, 44) - 1, "\(pattern) to \(side): \(honest) dB, with lies \(fooled)")
    }

    @Test("Nor where there is nothing above what shows", arguments: [Pattern.squaresBelow, .inkBelow])
    func quiet(pattern: Pattern) throws {
        let file = try pattern.image().encoded(as: .jpeg(quality: 90, progressive: true))
        let hostile = HuffmanRecoding.recoded(file, lengths: Self.lying)
        let (honest, fooled) = (try agreement(file, side: 40), try agreement(hostile, side: 40))
        #expect(fooled >= honest - 3, "\(pattern): \(honest) dB, with lies \(fooled)")
    }

    @Test("One code for all scans says nothing of any", arguments: Pattern.allCases, [40, 20])
    func shared(pattern: Pattern, side: Int) throws {
        let file = try pattern.image().encoded(as: .jpeg(quality: 90, progressive: true))
        let symbols = (0...255).map(UInt8.init).filter { $0 & 15 <= 8 }
        let shared = HuffmanRecoding.recoded(file) { _ in
            Dictionary(symbols.map { ($0, 9) } + [(0xE0, 1)]) { $1 }
        }
        #expect(try Image.decode(shared) == Image.decode(file))
        let (honest, fooled) = (try agreement(file, side: side), try agreement(shared, side: side))
        #expect(fooled >= min(honest, 44) - 1, "\(pattern) to \(side): \(honest) dB, with one code \(fooled)")
    }

    @Test("Nor do the standard's codes", arguments: Pattern.allCases, [40, 20])
    func standard(pattern: Pattern, side: Int) throws {
        let file = try pattern.image().encoded(as: .jpeg(quality: 90, progressive: true))
        let lengths = try #require(HuffmanRecoding.firstLengths(RandomJPEG.standardCoded()))
        let standard = HuffmanRecoding.recoded(file, splitsRuns: true) { _ in lengths }
        #expect(try Image.decode(standard) == Image.decode(file))
        let (honest, fooled) = (try agreement(file, side: side), try agreement(standard, side: side))
        #expect(fooled >= min(honest, 44) - 1, "\(pattern) to \(side): \(honest) dB, with the standard's \(fooled)")
    }

    @Test(
        "What an honest code calls little is still left out: its scan is read no further than its first rows",
        .ifCodecsWorkInside)
    func honest() throws {
        let file = try Pictures.textured(640, 480).encoded(as: .jpeg(quality: 90, progressive: true))
        let decoder = ContentDecoder(options: DecodeOptions(as: .fit(PixelSize(width: 40, height: 40))))
        var count = 0
        while count < file.count, !decoder.needsNoMoreBytes {
            try decoder.append(Array(file[count...].prefix(200)))
            count += 200
        }
        #expect(count < file.count * 3 / 4, "\(count) of \(file.count)")
    }
}
