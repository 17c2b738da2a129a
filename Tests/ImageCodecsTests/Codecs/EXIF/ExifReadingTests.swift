import ImageCodecs
import TestSupport
import Testing

@Suite("Reading Exif facts")
struct ExifReadingTests {
    private typealias Entry = TIFFFile.Entry

    @Test(
        "Every fact is read, in either byte order, from a JPEG and from a PNG", arguments: [false, true],
        [ImageFormat.jpeg, .png])
    func all(isLittleEndian: Bool, format: ImageFormat) throws {
        #expect(try TIFFFile.read(TIFFFile.full(isLittleEndian: isLittleEndian).bytes, in: format) == TIFFFile.facts)
    }

    @Test("A fact whose entry is damaged is left out, and only that one", arguments: [false, true])
    func damagedFields(isLittleEndian: Bool) throws {
        /// What is left where an entry is of another type or count, or its values lie outside.
        func without(_ tag: UInt16) -> ImageMetadata? {
            var facts = TIFFFile.facts
            switch tag {
            case 0x0112:
                facts.storedOrientation = .up
                facts.density = PixelDensity(horizontal: 300.1, vertical: 150)
            case 0x011A, 0x011B, 0x0128: facts.density = nil
            case 0x9003:
                facts.captureDate = CaptureDate(
                    year: 2013, month: 1, day: 2, hour: 3, minute: 4, second: 5, nanosecond: 90, offsetFromUTC: 0)
            case 0x9011: facts.captureDate = Self.date(nanosecond: 125_000_000, offset: nil)
            case 0x9291: facts.captureDate = Self.date(nanosecond: 0, offset: -570)
            case 1...4: facts.position = nil
            case 5, 6:
                facts.position = facts.position.flatMap {
                    GeographicPosition(latitude: $0.latitude, longitude: $0.longitude)
                }
            case 0x8769: facts.captureDate = CaptureDate(year: 2020, month: 3, day: 4, hour: 5, minute: 6, second: 7)
            case 0x8825: facts.position = nil
            default: break
            }
            return facts
        }
        let full = TIFFFile.full(isLittleEndian: isLittleEndian)
        let lists: [WritableKeyPath<TIFFFile, [Entry]>] = [\.picture, \.exif, \.gps]
        for list in lists {
            for (index, entry) in full[keyPath: list].enumerated() {
                let isText = entry.type == 2
                let size = entry.values.count * ([1: 1, 2: 1, 3: 2][entry.type] ?? 4)
                var damages: [(inout Entry) -> Void] = [{ $0.type = 11 }, { $0.type = 0 }, { $0.count = 0 }]
                if !isText { damages += [{ $0.count = 0xFFFF_FFFF }, { $0.type = 2 }] }
                if size > 4 {
                    damages += [{ $0.offset = 0xFFFF_FFF0 }, { $0.offset = 0x7FFF_FFFF }, { $0.offset = 900 }]
                }
                if entry.type == 5 { damages.append { $0.values[1] = 0 } }
                for (number, damage) in damages.enumerated() {
                    var file = full
                    damage(&file[keyPath: list][index])
                    #expect(try TIFFFile.read(file.bytes) == without(entry.tag), "tag \(entry.tag), damage \(number)")
                }
                var file = full
                file[keyPath: list].remove(at: index)
                // These have a value where they are missing.
                let defaults: [UInt16: ImageMetadata] = [0x0128: TIFFFile.facts, 5: Self.facts(altitude: 12.5)]
                #expect(
                    try TIFFFile.read(file.bytes) == defaults[entry.tag] ?? without(entry.tag),
                    "tag \(entry.tag) missing")
            }
        }
        for tag: UInt16 in [0x8769, 0x8825] {
            for pointer: Entry in [.long(tag, 0xFFFF_FFFE), .long(tag, 5000), .short(tag, 8), .long(tag, 8, 8)] {
                var file = full
                file.picture.append(pointer)
                #expect(try TIFFFile.read(file.bytes) == without(tag))
            }
        }
    }

    private static func date(nanosecond: Int, offset: Int?) -> CaptureDate? {
        CaptureDate(
            year: 2012, month: 2, day: 29, hour: 22, minute: 7, second: 18, nanosecond: nanosecond,
            offsetFromUTC: offset)
    }

    private static func facts(altitude: Double) -> ImageMetadata {
        var facts = TIFFFile.facts
        facts.position = facts.position.flatMap {
            GeographicPosition(latitude: $0.latitude, longitude: $0.longitude, altitude: altitude)
        }
        return facts
    }

    @Test(
        "Without the original's date that of its digitising counts, then that of the file, each with its own fraction and offset"
    )
    func fallback() throws {
        var file = TIFFFile.full()
        file.exif.removeAll { $0.tag == 0x9003 }
        #expect(try TIFFFile.read(file.bytes).captureDate?.description == "2013-01-02T03:04:05.00000009+00:00")
        file.exif.removeAll { $0.tag == 0x9004 }
        #expect(try TIFFFile.read(file.bytes).captureDate?.description == "2020-03-04T05:06:07.7+01:00")
        file.picture.removeAll { $0.tag == 0x0132 }
        #expect(try TIFFFile.read(file.bytes).captureDate == nil)
    }

    @Test(
        "A date is read if it is one",
        arguments: [
            ("2024:02:29 23:59:60", "2024-02-29T23:59:60"), ("2023:02:29 00:00:00", nil),
            ("1900:02:29 00:00:00", nil), ("2000:02:29 00:00:00", "2000-02-29T00:00:00"),
            ("2012-08-08T22:07:18Z", "2012-08-08T22:07:18"), ("2012/08/08 22.07.18", "2012-08-08T22:07:18"),
            ("    :  :     :  :  ", nil), ("0000:00:00 00:00:00", nil), ("                   ", nil),
            ("2012:13:01 00:00:00", nil), ("2012:00:01 00:00:00", nil), ("2012:04:31 00:00:00", nil),
            ("2012:08:08 24:00:00", nil), ("2012:08:08 22:60:00", nil), ("2012:08:08 22:07:61", nil),
            ("2012:08:08", nil), ("2012:08:08 22:07", nil), ("20120808220718", nil), ("2012:8:8 22:07:18  ", nil),
            ("2012:08:08 22:07:1x", nil), ("+012:08:08 22:07:18", nil), ("2012x08:08 22:07:18", nil), ("", nil),
        ])
    func dates(text: String, expected: String?) throws {
        let file = TIFFFile(exif: [.text(0x9003, text)])
        #expect(try TIFFFile.read(file.bytes).captureDate?.description == expected)
    }

    @Test("A fraction and an offset are read if they are some")
    func fractionsAndOffsets() throws {
        for (fraction, offset, expected) in [
            ("5", "+02:00", ".5+02:00"), ("05  ", "-00:30", ".05-00:30"),
            ("123456789012", "+14:00", ".123456789+14:00"),
            ("000", "+00:00", "+00:00"), (" ", "   :  ", ""), ("x1", "02:00", ""), ("", "+24:00", ""),
            ("1x9", "+02:60", ".1"),
            ("9", "+2:00", ".9"), ("9", " 02:00", ".9"),
        ] {
            let entries: [Entry] = [
                .text(0x9003, "2012:08:08 22:07:18"), .text(0x9291, fraction), .text(0x9011, offset),
            ]
            let date = try TIFFFile.read(TIFFFile(exif: entries).bytes).captureDate
            #expect(date?.description == "2012-08-08T22:07:18" + expected)
        }
    }

    @Test("A position is read if it is one on earth")
    func positions() throws {
        func position(_ latitude: Entry, _ longitude: Entry, _ more: Entry...) throws -> GeographicPosition? {
            let entries: [Entry] = [.text(1, "N"), latitude, .text(3, "W"), longitude] + more
            return try TIFFFile.read(TIFFFile(gps: entries).bytes).position
        }
        let (north, west) = (Entry.rational(2, 90, 1, 0, 1, 0, 1), Entry.rational(4, 180, 1, 0, 1, 0, 7))
        #expect(try position(north, west) == GeographicPosition(latitude: 90, longitude: -180))
        // Fractions of minutes, and no seconds.
        let minutes = try position(.rational(2, 0, 1, 3075, 100, 0, 1), .rational(4, 1, 2, 0, 1, 0, 1))
        #expect(minutes == GeographicPosition(latitude: 30.75 / 60, longitude: -0.5))
        #expect(try position(.rational(2, 90, 1, 0, 1, 1, 1), west) == nil)
        #expect(try position(north, .rational(4, 180, 1, 1, 1000, 0, 1)) == nil)
        #expect(try position(.rational(2, 10, 1, 61, 1, 0, 1), west) == nil)
        #expect(try position(.rational(2, 10, 1, 0, 1, 61, 1), west) == nil)
        #expect(try position(.rational(2, 10, 1, 0, 1, 0, 0), west) == nil)
        #expect(try position(.rational(2, 10, 1, 0, 1), west) == nil)
        #expect(try position(.rational(2, 0xFFFF_FFFF, 1, 0, 1, 0, 1), west) == nil)
        #expect(try position(north, west, .rational(6, 8848, 1), .byte(5, 0))?.altitude == 8848)
        #expect(try position(north, west, .rational(6, 8848, 1), .byte(5, 2))?.altitude == nil)
        #expect(try position(north, west, .rational(6, 8848, 0))?.latitude == 90)
        #expect(
            try position(north, west, .rational(6, 0xFFFF_FFFF, 1)) == GeographicPosition(latitude: 90, longitude: -180)
        )
        let other = try TIFFFile.read(TIFFFile(gps: [.text(1, "X"), north, .text(3, "W"), west]).bytes)
        #expect(other.position == nil)
    }

    @Test("Wherever Exif data end, what is read is of the whole, or nothing", arguments: [false, true])
    func truncated(isLittleEndian: Bool) throws {
        let whole = TIFFFile.full(isLittleEndian: isLittleEndian).bytes
        var last = ImageMetadata()
        for count in 0..<whole.count {
            let facts = try TIFFFile.read(Array(whole.prefix(count)))
            // The header, the number of entries, and two of them.
            #expect(facts.storedOrientation == (count < 34 ? .up : .right))
            #expect(facts.density == (last.density ?? facts.density))
            #expect([nil, TIFFFile.facts.density].contains(facts.density))
            // The file's own date, until there is a better one; without what has not come of it.
            #expect((facts.captureDate?.year ?? 9999) <= (last.captureDate?.year ?? 9999))
            if let date = facts.captureDate { #expect([2012, 2020].contains(date.year)) }
            if let position = facts.position {
                #expect(position.latitude == TIFFFile.facts.position?.latitude)
                #expect([nil, -12.5].contains(position.altitude))
            } else {
                #expect(last.position == nil)
            }
            last = facts
        }
        #expect(last.density != nil && last.captureDate == TIFFFile.facts.captureDate && last.position != nil)
    }

    @Test("Directories that are each other, or one in the other, are read once each", arguments: [false, true])
    func cycles(isLittleEndian: Bool) throws {
        var file = TIFFFile.full(isLittleEndian: isLittleEndian)
        for offset: UInt32 in 0..<200 {
            file.picture = TIFFFile.full().picture + [.long(0x8769, offset), .long(0x8825, offset)]
            _ = try TIFFFile.read(file.bytes)
        }
        file.picture = TIFFFile.full().picture + [.long(0x8769, 8), .long(0x8825, 8)]
        let facts = try TIFFFile.read(file.bytes)
        #expect(facts.storedOrientation == .right)
        #expect(facts.position == nil)
    }

    @Test("An empty Exif segment does not hide the one behind it")
    func empty() throws {
        let picture = try Pictures.gradient(20, 10)
        let turned = JPEGFile.oriented(try picture.encoded(as: .jpeg), 6, isLittleEndian: true)
        for rest in [[], [0x4D, 0x4D, 0, 42]] as [[UInt8]] {
            let empty = JPEGFile.Segment(marker: 0xE1, payload: Array("Exif\0\0".utf8) + rest)
            let image = try Image.decode(JPEGFile.soi + empty.bytes + turned.dropFirst(2))
            #expect(image.size == PixelSize(width: 10, height: 20))
        }
    }

    @Test("A directory that declares more entries than there are gives those there are")
    func manyEntries() throws {
        var bytes = TIFFFile(picture: [.short(0x0112, 8)]).bytes
        bytes.replaceSubrange(8..<10, with: [0xFF, 0xFF])
        #expect(try TIFFFile.read(bytes).storedOrientation == .left)
        // The first of a tag counts.
        let entries = (0..<20_000).map { Entry.short(0x0112, UInt32($0 % 8 + 1)) }
        let many = TIFFFile(picture: entries).bytes
        #expect(try TIFFFile.read(many).storedOrientation == .up)
    }

    @Test("Random damage does no harm, and leaves facts that can be")
    func damaged() throws {
        var generator = SeededGenerator()
        let seed = generator.seed
        for round in 0..<2000 {
            var bytes = TIFFFile.full(isLittleEndian: round % 2 == 0).bytes
            for _ in 0...Int.random(in: 0...6, using: &generator) {
                let at = Int.random(in: 0..<bytes.count, using: &generator)
                bytes[at] =
                    [0, 1, 0x7F, 0xFF, UInt8.random(in: 0...255, using: &generator)].randomElement(using: &generator)
                    ?? 0
            }
            let format: ImageFormat = round % 3 == 0 ? .jpeg : .png
            let facts = try TIFFFile.read(bytes, in: format)
            if let date = facts.captureDate { #expect(Self.isPossible(date), "seed \(seed)") }
            if let position = facts.position {
                #expect(abs(position.latitude) <= 90 && abs(position.longitude) <= 180, "seed \(seed)")
            }
            if let density = facts.density {
                #expect(density.horizontal >= 1 && density.vertical <= 1e7, "seed \(seed)")
            }
        }
    }

    private static func isPossible(_ date: CaptureDate) -> Bool {
        CaptureDate(
            year: date.year, month: date.month, day: date.day, hour: date.hour, minute: date.minute,
            second: date.second,
            nanosecond: date.nanosecond, offsetFromUTC: date.offsetFromUTC) == date
    }

    /// The values are those that libvips (vipsheader -a) prints, whose Exif reader is libexif.
    @Test("Of real files the facts are those that libexif finds", .enabled(if: SharedImages.areThere))
    func realFiles() throws {
        func facts(_ path: String) throws -> ImageMetadata {
            let box = PixelSize(width: 16, height: 16)
            return try Image.decode(SharedImages.bytes(path), options: DecodeOptions(as: .fit(box))).metadata
        }
        func square(_ density: Double) -> PixelDensity? { PixelDensity(horizontal: density, vertical: density) }
        let iceland = try facts("mit-jpeg/Nuke__Tests__Resources__image-p3.jpg")
        #expect(iceland.captureDate?.description == "2012-08-08T22:07:18.1")
        #expect(iceland.density == square(72))
        #expect(
            iceland.position
                == GeographicPosition(
                    latitude: 65 + 3 / 60.0 + 20.08 / 3600, longitude: -(16 + 37 / 60.0 + 32.53 / 3600), altitude: 904.1
                ))
        let profiled = try facts("mit-jpeg/SDWebImage__Tests__Tests__Images__TestICCProfile.jpg")
        #expect(profiled.captureDate?.description == "2011-06-02T16:46:02")
        #expect(profiled.density == square(72))
        let cat = try facts("mit-jpeg/image__tests__images__jpg__progressive__cat.jpg")
        #expect(
            cat
                == ImageMetadata(
                    captureDate: CaptureDate(year: 2013, month: 10, day: 9, hour: 11, minute: 13, second: 48),
                    density: square(72)))
        #expect(try facts("mit-jpeg/image__tests__images__jpg__iptc.jpg").density == square(300))
        #expect(try facts("photos/p640x480.jpg") == ImageMetadata())
        #expect(try facts("corpora-png/Nuke__Snapshots__s-circle.png").density == nil)
        #expect(try facts("corpora-png/Nuke__fixture.png").density == square(96))
        for value in 1...8 {
            let expected = ImageMetadata(
                storedOrientation: try #require(Orientation(rawValue: value)), density: square(72))
            #expect(try facts("exif-orientation/Portrait_\(value).jpg") == expected)
        }
        #expect(try facts("exif-orientation/Portrait_0.jpg") == ImageMetadata(density: square(72)))
    }
}
