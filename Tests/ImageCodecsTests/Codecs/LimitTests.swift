import ImageCodecs
import Synchronization
import TestSupport
import Testing

@Suite("Limits, truncation, cancellation")
struct LimitTests {
    private func refusal(_ bytes: [UInt8], _ limits: DecodeLimits = .safe, target: PixelSize? = nil) -> DecodeError? {
        do throws(DecodeError) {
            let rendition = Rendition(targetSize: target, damage: .refuse)
            _ = try Image.decode(bytes, options: DecodeOptions(as: rendition, limits: limits))
            return nil
        } catch {
            return error
        }
    }

    private func limit(_ error: DecodeError?) -> DecodeLimits.Limit? {
        if case .limitExceeded(let limit, let value, let allowed, _) = error, value > allowed { return limit }
        return nil
    }

    @Test("A size beyond a limit is refused by the header alone")
    func bombs() throws {
        let jpeg = try Pictures.gradient(16, 16).encoded(as: .jpeg)
        #expect(limit(refusal(JPEGFile.resized(jpeg, width: 65_500, height: 65_500))) == .pixels)
        let png = try Pictures.gradient(16, 16).encoded(as: .png(reduced: false))
        let target = PixelSize(width: 100, height: 100)
        let wide = PNGFile.changed(png, width: 30_000, height: 30_000, isInterlaced: false)
        #expect(limit(refusal(wide, target: target)) == .pixels)
        let vast = PNGFile.changed(png, width: 0x7FFF_FFFF, height: 0x7FFF_FFFF, isInterlaced: false)
        #expect(limit(refusal(vast)) == .dimension)
        #expect(limit(refusal(vast, .unlimited)) == .pixels)
        // Nothing is asked of the bytes behind the header.
        let decoder = ContentDecoder()
        #expect(throws: DecodeError.self) { try decoder.append(Array(wide.prefix(60))) }
    }

    @Test("Whole-picture arrays count as working memory before they are allocated")
    func workingMemory() throws {
        let target = PixelSize(width: 100, height: 100)
        let progressive = try Pictures.gradient(16, 16).encoded(as: .jpeg(progressive: true))
        let coefficients = JPEGFile.resized(progressive, width: 12_000, height: 9_000)
        #expect(limit(refusal(coefficients, target: PixelSize(width: 3_000, height: 3_000))) == .workingBytes)
        let png = try Pictures.gradient(16, 16, .rgba8).encoded(as: .png)
        // Every other row is held.
        let passes = PNGFile.changed(png, width: 8_000, height: 9_000, isInterlaced: true)
        #expect(limit(refusal(passes, target: target)) == .workingBytes)
        #expect(limit(refusal(passes, DecodeLimits(outputBytes: 1 << 30))) == .workingBytes)
    }

    @Test("The image handed out has a limit of its own")
    func output() throws {
        let jpeg = try Pictures.gradient(64, 64).encoded(as: .jpeg)
        let limits = DecodeLimits(outputBytes: 64 * 64 * 3 - 1)
        #expect(limit(refusal(jpeg, limits)) == .outputBytes)
        #expect(refusal(jpeg, limits, target: PixelSize(width: 63, height: 63)) == nil)
    }

    @Test("Scans are counted")
    func scans() throws {
        let file = try Pictures.gradient(32, 32).encoded(as: .jpeg(progressive: true))
        #expect(limit(refusal(file, DecodeLimits(scans: 3))) == .scans)
        var segments = JPEGFile.segments(file)
        let first = try #require(segments.firstIndex { $0.marker == 0xDA })
        segments.insert(contentsOf: Array(repeating: segments[first], count: 1_000), at: first)
        #expect(limit(refusal(JPEGFile.file(segments))) == .scans)
    }

    @Test("Metadata are counted, and what is not wanted costs nothing")
    func metadata() throws {
        let picture = try Pictures.gradient(16, 16)
        let profiled = try picture.withICCProfile(ICCProfiles.minimal(isGrey: false, count: 200_000))
            .encoded(as: .jpeg, profile: .keep)
        #expect(refusal(profiled, DecodeLimits(metadataBytes: 100_000)) == nil)

        let png = try picture.encoded(as: .png)
        let chunk = PNGFile.bigEndian(64 << 20) + Array("PLTE".utf8)
        #expect(limit(refusal(PNGFile.inserting(chunk, into: png))) == .metadataBytes)
        let text = PNGFile.chunk("tEXt", [UInt8](repeating: 65, count: 100_000))
        #expect(try Image.decode(PNGFile.inserting(text, into: png)) == picture)
        #expect(refusal(PNGFile.inserting(text, into: png), DecodeLimits(metadataBytes: 1_000)) == nil)
    }

    @Test("An arithmetic-coded picture made out of nothing is not decoded to its end")
    func arithmeticBomb() throws {
        var segments = JPEGFile.segments(try Pictures.gradient(16, 16, .grey8).encoded(as: .jpeg))
        for index in segments.indices {
            if segments[index].marker == 0xC0 { segments[index].marker = 0xC9 }
            if segments[index].marker == 0xDA { segments[index].entropy = [0, 0, 0] }
        }
        segments.removeAll { $0.marker == 0xC4 }
        let bomb = JPEGFile.resized(JPEGFile.file(segments), width: 16_000, height: 16_000)
        let error = refusal(bomb, target: PixelSize(width: 50, height: 50))
        guard case .truncated = error else {
            Issue.record("not refused as truncated: \(String(describing: error))")
            return
        }
    }

    @Test("Input that is held counts as working memory, in chunks of any size, together with what decoding it takes")
    func heldInput() throws {
        func arithmetic(width: UInt16, entropy: Int) throws -> [UInt8] {
            var segments = JPEGFile.segments(try Pictures.gradient(16, 16, .grey8).encoded(as: .jpeg))
            for index in segments.indices {
                if segments[index].marker == 0xC0 { segments[index].marker = 0xC9 }
                if segments[index].marker == 0xDA { segments[index].entropy = [UInt8](repeating: 0, count: entropy) }
            }
            segments.removeAll { $0.marker == 0xC4 }
            return JPEGFile.resized(JPEGFile.file(segments), width: width, height: 16)
        }
        let small = try arithmetic(width: 16, entropy: 1_000_000)
        let wide = try arithmetic(width: 5_000, entropy: 900_000)
        let narrow = try arithmetic(width: 5_000, entropy: 3)
        for size in [1 << 20, 100_000, 4_096] {
            func limit(_ file: [UInt8]) -> DecodeLimits.Limit? {
                let target = PixelSize(width: 100, height: 100)
                let decoder = JPEGDecoder(
                    options: DecodeOptions(
                        as: Rendition(targetSize: target), limits: DecodeLimits(workingBytes: 1_000_000)))
                do throws(DecodeError) {
                    for start in stride(from: 0, to: file.count, by: size) {
                        try decoder.append(Array(file[start..<min(file.count, start + size)]))
                    }
                    return nil
                } catch {
                    return self.limit(error)
                }
            }
            #expect(limit(small) == .workingBytes, "chunks of \(size)")
            #expect(limit(wide) == .workingBytes, "chunks of \(size)")
            #expect(limit(Array(small.prefix(500_000))) == nil, "chunks of \(size)")
            #expect(limit(narrow) == nil, "chunks of \(size)")
        }
    }

    @Test("A file cut anywhere before its last pixel is an error, and one without its end marker is not")
    func truncation() throws {
        let picture = try Pictures.gradient(40, 30)
        for encoding in [ImageEncoding.jpeg, .jpeg(progressive: true), .png] {
            let file = try picture.encoded(as: encoding)
            let whole = try Image.decode(file)
            // The last bytes of a PNG's data are zlib's checksum and the chunk's: the pixels are there before them.
            for count in 0..<(file.count - (encoding.format == .jpeg ? 4 : 30)) {
                #expect(throws: DecodeError.self, "\(encoding), \(count) of \(file.count)") {
                    try Image.decode(Array(file.prefix(count)), options: .refusing)
                }
            }
            // EOI is 2 bytes, IEND 12.
            let tail = encoding.format == .jpeg ? 2 : 12
            #expect(try Image.decode(Array(file.dropLast(tail)), options: .refusing) == whole)
            #expect(try Image.decode(file + [UInt8](repeating: 0xAB, count: 1_000)) == whole)
        }
    }

    @Test("A progressive file that ends between two scans is truncated")
    func truncationBetweenScans() throws {
        let file = try Pictures.gradient(40, 30).encoded(as: .jpeg(progressive: true))
        var segments = JPEGFile.segments(file)
        segments.removeLast()
        let cut = Array(JPEGFile.file(segments).dropLast(2))
        guard case .truncated = refusal(cut) else {
            Issue.record("not refused")
            return
        }
    }

    @Test("A cancelled decode stops between rows", arguments: [ImageEncoding.jpeg, .jpeg(progressive: true), .png])
    func cancellation(encoding: ImageEncoding) throws {
        let file = try Pictures.gradient(200, 160).encoded(as: encoding)
        let asked = Mutex(0)
        let options = DecodeOptions(isCancelled: {
            asked.withLock { count in
                count += 1
                return count > 3
            }
        })
        #expect(throws: DecodeError.cancelled) { try Image.decode(file, options: options) }
        #expect(asked.withLock { $0 } == 4)
    }

    @Test("A decoder that has failed or finished says so")
    func states() throws {
        let decoder = ContentDecoder()
        #expect(throws: DecodeError.unknownFormat) { try decoder.append([1, 2, 3, 4, 5, 6, 7, 8]) }
        #expect(throws: DecodeError.unknownFormat) { try decoder.append([1]) }
        #expect(throws: DecodeError.unknownFormat) { try decoder.finish() }
        #expect(throws: DecodeError.unknownFormat) { try Image.decode([]) }
        for encoding in [ImageEncoding.jpeg, .png] {
            let finished = ContentDecoder()
            try finished.append(Pictures.gradient(8, 8).encoded(as: encoding))
            _ = try finished.finish()
            #expect(throws: DecodeError.alreadyFinished) { try finished.finish() }
            #expect(throws: DecodeError.alreadyFinished) { try finished.append([1]) }
            #expect(try finished.takePreview() == nil)
        }
    }
}
