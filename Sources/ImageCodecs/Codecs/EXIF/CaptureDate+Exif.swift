extension CaptureDate {
    /// The texts of Exif's DateTime, SubSecTime and OffsetTime tags (Exif 2.32, 4.6.5.F), without their NULs.
    ///
    /// - Parameters:
    ///   - text: `2012:08:08 22:07:18`. Other separators than the standard's are about, and blanks or zeros for what is not known: those
    ///     are no date.
    ///   - fraction: the second's decimals; what is no digit, and what follows it, does not count.
    ///   - offset: `+02:00`; anything else is no offset.
    init?(exif text: [UInt8], fraction: [UInt8], offset: [UInt8]) {
        guard text.count >= 19, [4, 7, 10, 13, 16].allSatisfy({ Self.separators.contains(text[$0]) }),
            let year = Self.number(text[0..<4]), let month = Self.number(text[5..<7]),
            let day = Self.number(text[8..<10]), let hour = Self.number(text[11..<13]),
            let minute = Self.number(text[14..<16]), let second = Self.number(text[17..<19])
        else { return nil }
        let digits = fraction.prefix { Self.digit($0) != nil }.prefix(9)
        let nanoseconds = Self.number(digits + [UInt8](repeating: 0x30, count: 9 - digits.count))
        self.init(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second,
            nanosecond: nanoseconds ?? 0, offsetFromUTC: Self.minutes(offset))
    }

    /// As Exif's date tags have it: `2012:08:08 22:07:18`.
    var exifText: String {
        let parts = [year, month, day, hour, minute, second].map { Self.digits($0) }
        return Self.digits(year, 4) + ":" + parts[1...2].joined(separator: ":") + " "
            + parts[3...].joined(separator: ":")
    }

    private static let separators = Set(":-/. T".utf8)

    private static func minutes(_ offset: [UInt8]) -> Int? {
        guard offset.count >= 6, offset[3] == UInt8(ascii: ":"), let hours = number(offset[1..<3]), hours < 24,
            let minutes = number(offset[4..<6]), minutes < 60
        else { return nil }
        switch offset[0] {
        case UInt8(ascii: "+"): return hours * 60 + minutes
        case UInt8(ascii: "-"): return -(hours * 60 + minutes)
        default: return nil
        }
    }

    /// Decimal digits and nothing else; no more than nine.
    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        var number = 0
        for character in digits {
            guard let digit = digit(character) else { return nil }
            number = number * 10 + digit
        }
        return number
    }

    private static func digit(_ character: UInt8) -> Int? {
        (0x30...0x39).contains(character) ? Int(character) - 0x30 : nil
    }
}
