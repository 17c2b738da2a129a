import ImageCodecs
import TestSupport
import Testing

@Suite("Damage that is shown")
struct DamageTests {
    /// The error under the other policy, which refuses.
    private func refusal(_ bytes: [UInt8]) -> DecodeError? {
        do throws(DecodeError) {
            _ = try Image.decode(bytes, options: .refusing)
            return nil
        } catch {
            return error
        }
    }

    /// The first word of an error or of damage: they have the same.
    private func name(_ value: (some CustomStringConvertible)?) -> String {
        value.map { String("\($0)".prefix { $0.isLetter }) } ?? ""
    }

    // MARK: JPEG

    @Test("A JPEG damaged anywhere in its data is what libjpeg makes of it, in pieces too", arguments: [false, true])
    func randomDamage(isProgressive: Bool) throws {
        var generator = SeededGenerator()
        let seed = generator.seed
        var (files, shown, damaged) = (0, 0, 0)
        // Until enough of them are shown: how many of so many files can be is chance.
        while (shown <= 60 || damaged <= 40) && files < 250 {
            files += 1
            let sides = isProgressive ? 257...300 : 40...120
            var (bytes, settings) = try RandomJPEG.file(
                width: sides, height: sides, isProgressive: isProgressive, using: &generator)
            damage(&bytes, using: &generator)
            for scale: Int32 in [1, 2, 8] {
                let expected = ScaledDecode(reference: bytes, scale: scale, showsDamage: true)
                let made = ScaledDecode(bytes, scale: scale, chunk: 300, showsDamage: true)
                let isEqual =
                    made?.width == expected?.width && made?.height == expected?.height
                    && made?.samples == expected?.samples
                #expect(isEqual, "scale \(scale), \(settings), seed \(seed)")
                if expected?.isDamaged == true { #expect(made?.isDamaged == true, "\(settings), seed \(seed)") }
                shown += expected == nil ? 0 : 1
                damaged += made?.isDamaged == true ? 1 : 0
            }
        }
        #expect(shown > 60 && damaged > 40, "of \(files) files, seed \(seed)")
    }

    /// Behind the first scan's header, and not in the last bytes: without its end marker a file is whole.
    private func damage(_ bytes: inout [UInt8], using generator: inout SeededGenerator) {
        let scan = bytes.indices.dropLast().first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA } ?? 0
        let data = scan + 20..<bytes.count - 12
        let at = Int.random(in: data, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes.removeSubrange(at...)
        case 1: bytes.removeSubrange(at..<min(bytes.count - 2, at + Int.random(in: 1...200, using: &generator)))
        case 2: bytes.insert(contentsOf: [0xFF, UInt8.random(in: 0xD0...0xD9, using: &generator)], at: at)
        default:
            for _ in 0..<Int.random(in: 1...20, using: &generator) {
                bytes[Int.random(in: data, using: &generator)] = UInt8.random(in: 0...254, using: &generator)
            }
        }
    }

    @Test(
        "Every JPEG of the corpora that libjpeg shows, with warnings or without, is shown, and marked where it is refused otherwise",
        .enabled(if: SharedImages.areThere))
    func corporaOfJPEG() throws {
        var (shown, marked) = (0, 0)
        for folder in ["corpora-jpeg", "mit-jpeg", "exif-orientation"] {
            for file in SharedImages.names(in: folder, extensions: ["jpg", "jpeg"]) {
                let bytes = try SharedImages.bytes("\(folder)/\(file)")
                guard let reference = ScaledDecode(reference: bytes, scale: 8, showsDamage: true) else { continue }
                let refusal = refusal(bytes)
                // Neither a limit nor a picture of seven components is damage.
                switch refusal {
                case .limitExceeded, .unsupported, .unknownFormat: continue
                default: break
                }
                do throws(DecodeError) {
                    let image = try Image.decode(bytes)
                    #expect(name(image.damage) == name(refusal), "\(file): \(String(describing: image.damage))")
                    if image.metadata.storedOrientation == .up,
                        reference.samples.count == image.width * image.height * image.format.channels
                    {
                        let isEqual = image.bytes == reference.samples
                        #expect(isEqual, "\(file)")
                    }
                    shown += 1
                    if image.damage != nil { marked += 1 }
                } catch {
                    Issue.record("\(file): \(error)")
                }
            }
        }
        print("of the corpora's JPEGs \(shown) are shown, \(marked) of them marked as damaged")
        #expect(shown >= 80 && marked >= 40)
    }

    @Test("A picture made of next to nothing is refused all the same, sequential, progressive or arithmetic-coded")
    func bombs() throws {
        let picture = try Pictures.gradient(16, 16, .grey8)
        for encoding in [ImageEncoding.jpeg, .jpeg(progressive: true)] {
            let bomb = JPEGFile.resized(try picture.encoded(as: encoding), width: 6_000, height: 6_000)
            let options = DecodeOptions(as: .fit(PixelSize(width: 1_000, height: 1_000)))
            #expect(throws: DecodeError.self) { try Image.decode(bomb, options: options) }
        }
        var segments = JPEGFile.segments(try picture.encoded(as: .jpeg))
        for index in segments.indices {
            if segments[index].marker == 0xC0 { segments[index].marker = 0xC9 }
            if segments[index].marker == 0xDA { segments[index].entropy = [0, 0, 0] }
        }
        segments.removeAll { $0.marker == 0xC4 }
        let arithmetic = JPEGFile.resized(JPEGFile.file(segments), width: 6_000, height: 6_000)
        #expect(throws: DecodeError.self) { try Image.decode(arithmetic) }
    }

    // MARK: PNG

    @Test("A PNG cut off anywhere shows the rows before that, black or clear ones below, and says so")
    func cutPNG() throws {
        for format in [PixelFormat.rgb8, .greyAlpha8, .rgba16] {
            let picture = try Pictures.gradient(23, 31, format)
            let file = try picture.encoded(as: .png(level: 1))
            let rendition = Rendition(keepsDepth: true)
            var most = 0
            for count in stride(from: 60, to: file.count - 30, by: 7) {
                let cut = Array(file.prefix(count))
                guard let image = try? Image.decode(cut, options: DecodeOptions(as: rendition)) else {
                    #expect(most == 0, "\(count) bytes of \(file.count) show less than fewer do")
                    continue
                }
                guard let damage = image.damage, damage.kind == .truncated, let rows = damage.row else {
                    Issue.record("\(count) bytes: \(String(describing: image.damage))")
                    continue
                }
                #expect(rows >= most && rows < 31)
                most = rows
                let there = rows * image.bytesPerRow
                #expect(Array(image.bytes.prefix(there)) == Array(picture.bytes.prefix(there)))
                let isEmpty = image.bytes.dropFirst(there).allSatisfy { $0 == 0 }
                #expect(isEmpty)
                guard case .truncated? = refusal(cut) else {
                    Issue.record("\(count) bytes are not refused")
                    continue
                }
            }
            #expect(most > 20)
        }
    }

    @Test("An interlaced one shows the passes before that, and what has come of the last one")
    func cutInterlaced() throws {
        let picture = try Pictures.gradient(60, 61)
        let file = PNGFile.interlaced(picture)
        var last = 0.0
        for count in stride(from: file.count / 3, to: file.count - 30, by: 400) {
            let image = try Image.decode(Array(file.prefix(count)))
            #expect(image.damage != nil)
            let likeness = Pictures.psnr(image, picture)
            #expect(likeness >= last - 0.5)
            last = likeness
        }
        #expect(last > 30)
        #expect(throws: DecodeError.self) { try Image.decode(Array(file.prefix(70))) }
    }

    @Test("One of which a checksum alone is wrong shows every row, in pieces too, and says so")
    func checksums() throws {
        let picture = try Pictures.gradient(40, 30, .rgb8)
        let file = try picture.encoded(as: .png)
        var data = Array(file[41..<file.count - 16])
        data[data.count - 1] ^= 1
        let files = [file[..<41] + data + file.suffix(16), file[..<33] + PNGFile.chunk("IDAT", data) + file.suffix(12)]
        for file in files {
            let image = try Image.decode(Array(file))
            #expect(image == picture && name(image.damage) == "corrupt")
            let pushed = try PushedDecode(Array(file)).final
            #expect(pushed == picture && name(pushed.damage) == "corrupt")
        }
    }

    @Test(
        "Every PNG of the corpora that libvips shows something of is shown and marked, and above the damage it is the same",
        .enabled(if: SharedImages.areThere && VipsReference.program != nil))
    func corporaOfPNG() throws {
        let names = SharedImages.names(in: "corpora-png", extensions: ["png"]).filter { !$0.hasSuffix("_huge.png") }
        let references = try VipsReference.images(of: names, in: "corpora-png")
        var (shown, marked, more) = (0, 0, 0)
        for file in names {
            let bytes = try SharedImages.bytes("corpora-png/\(file)")
            let image = try? Image.decode(bytes, options: DecodeOptions(as: Rendition(appliesGamma: false)))
            let reference = references[file].flatMap { image in image.bytes.contains { $0 != 0 } ? image : nil }
            guard let image else {
                #expect(reference == nil, "\(file)")
                continue
            }
            let refusal = refusal(bytes)
            #expect(name(image.damage) == name(refusal), "\(file)")
            shown += 1
            if image.damage != nil { marked += 1 }
            if reference == nil { more += 1 }
            // Below it libvips goes on with what it finds. Of 16 bits it rounds to 8 where libpng takes the upper ones.
            guard let reference, !file.contains("i3p"), !file.contains("16_"), let damage = image.damage,
                damage.kind != .truncated
            else { continue }
            let there = (damage.row ?? 0) * image.bytesPerRow
            let isEqual = image.size == reference.size && image.bytes.prefix(there) == reference.bytes.prefix(there)
            #expect(isEqual, "\(file)")
        }
        print(
            "of the corpora's PNGs \(shown) are shown, \(marked) marked as damaged, \(more) of which libvips shows nothing"
        )
        #expect(shown >= 100 && marked >= 30)
    }

    // MARK: Both

    @Test(
        "A picture with fewer bytes than were announced is refused under either policy",
        arguments: DamagePolicy.allCases)
    func shortTransfer(policy: DamagePolicy) throws {
        for encoding in [ImageEncoding.jpeg, .jpeg(progressive: true), .png] {
            let file = try Pictures.gradient(200, 160).encoded(as: encoding)
            let decoder = ContentDecoder(options: DecodeOptions(as: Rendition(damage: policy)))
            decoder.announcedBytes = file.count
            try decoder.append(Array(file.prefix(file.count / 2)))
            do throws(DecodeError) {
                _ = try decoder.finish()
                Issue.record("\(encoding) is not refused")
            } catch {
                #expect(name(error) == "truncated")
            }
        }
    }

    @Test(
        "A damaged picture that needs no more bytes than have come is shown, however few those are at a time",
        .ifCodecsWorkInside)
    func needsNoMore() throws {
        let file = try Pictures.gradient(400, 300).encoded(as: .jpeg(progressive: true))
        let options = DecodeOptions(as: .fit(PixelSize(width: 20, height: 15)))
        var earlyOnes = 0
        for place in stride(from: file.count / 4, to: file.count - 8, by: 29) {
            var broken = file
            broken[place] ^= 0x55
            let whole = ContentDecoder(options: options)
            whole.announcedBytes = file.count
            try? whole.append(broken)
            guard let image = try? whole.finish(), image.damage != nil else { continue }
            let decoder = ContentDecoder(options: options)
            decoder.announcedBytes = file.count
            var start = 0
            while start < broken.count, !decoder.needsNoMoreBytes {
                let end = min(start + 7, broken.count)
                try decoder.append(Array(broken[start..<end]))
                start = end
            }
            if start < broken.count { earlyOnes += 1 }
            #expect(try decoder.finish() == image, "byte \(place)")
        }
        #expect(earlyOnes >= 3)
    }

    @Test("The mark goes through every step, and is on every picture of a pass")
    func mark() throws {
        let file = try Pictures.gradient(200, 160).encoded(as: .jpeg)
        let cut = Array(file.prefix(file.count / 2))
        var options = DecodeOptions(as: .fit(PixelSize(width: 100, height: 100)))
        options.further = [.fit(PixelSize(width: 50, height: 50))]
        let decoder = ContentDecoder(options: options)
        try decoder.append(cut)
        let image = try decoder.finish()
        let damage = try #require(image.damage)
        #expect(name(damage) == "truncated" && decoder.furtherImages.map(\.damage) == [damage])
        let size = PixelSize(width: 20, height: 20)
        let steps: [AnyImageProcessor] = [.circle, .grayscale, .blur(sigma: 2), .resize(in: size, mode: .fill)]
        for step in steps { #expect(try step.process(image).damage == damage, "\(step)") }
    }
}
