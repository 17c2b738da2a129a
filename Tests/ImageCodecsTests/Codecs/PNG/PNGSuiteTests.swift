import ImageCodecs
import Testing

@Suite("PngSuite", .enabled(if: SharedImages.areThere))
struct PNGSuiteTests {
    private static let names = SharedImages.names(in: "pngsuite", extensions: ["png"])
    private static let references = Set(SharedImages.names(in: "pngsuite-bmp", extensions: ["bmp"]))

    @Test("Every valid file has exactly the reference's pixels")
    func valid() throws {
        let valid = Self.names.filter { !$0.hasPrefix("x") }
        #expect(valid.count == 162)
        var compared = 0
        for name in valid {
            // The references have the samples as they are stored.
            let image = try Image.decode(
                SharedImages.bytes("pngsuite/\(name)"), options: DecodeOptions(as: Rendition(appliesGamma: false)))
            let referenceName = name.dropLast(4) + ".bmp"
            guard Self.references.contains(String(referenceName)) else { continue }
            let reference = try #require(
                try BitmapReference(SharedImages.bytes("pngsuite-bmp/\(referenceName)")), "\(referenceName)")
            #expect(image.size == reference.size, "\(name)")
            // The references halve 16-bit grey by 257, and 16-bit colour by 256; libpng, and so this, both by 256.
            let tolerance = name.hasSuffix("0g16.png") ? 1 : 0
            let isEqual = Self.areEqual(image.converted(to: .rgba8).bytes, reference.rgba, tolerance: tolerance)
            #expect(isEqual, "\(name)")
            compared += 1
        }
        #expect(compared >= 160)
    }

    /// What colour a pixel has that nobody can see is not compared: tbbn0g04's reference says black where the file says white.
    private static func areEqual(_ left: [UInt8], _ right: [UInt8], tolerance: Int) -> Bool {
        guard left.count == right.count else { return false }
        for at in stride(from: 0, to: left.count, by: 4) where left[at + 3] != 0 || right[at + 3] != 0 {
            for sample in at..<at + 4 where abs(Int(left[sample]) - Int(right[sample])) > tolerance { return false }
        }
        return true
    }

    @Test("Every corrupt file is refused, with the place")
    func corrupt() throws {
        let corrupt = Self.names.filter { $0.hasPrefix("x") }
        #expect(corrupt.count == 14)
        for name in corrupt {
            let bytes = try SharedImages.bytes("pngsuite/\(name)")
            #expect(throws: DecodeError.self, "\(name)") { try Image.decode(bytes, options: .refusing) }
        }
    }

    @Test("Interlaced pictures are the same as plain ones, at every size")
    func interlaced() throws {
        for name in Self.names where name.contains("i3p") && name.hasPrefix("s") {
            let plain = name.replacing("i3p", with: "n3p")
            #expect(
                try Image.decode(SharedImages.bytes("pngsuite/\(name)"))
                    == Image.decode(SharedImages.bytes("pngsuite/\(plain)")), "\(name)")
        }
    }
}
