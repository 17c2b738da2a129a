/// A date and time of day as the camera's clock showed it (Exif 2.32, 4.6.5.F: DateTimeOriginal and what belongs to it). Always one
/// that there is.
public struct CaptureDate: Sendable, Hashable {
    /// The year, 1 to 9999, of the Gregorian calendar.
    public let year: Int
    /// The month, 1 to 12.
    public let month: Int
    /// The day, from 1 to the number of days that the month has.
    public let day: Int
    /// The hour, 0 to 23.
    public let hour: Int
    /// The minute, 0 to 59.
    public let minute: Int
    /// The second, 0 to 60: a leap second has the number 60.
    public let second: Int
    /// The nanoseconds within the second, less than a billion.
    public let nanosecond: Int
    /// The number of minutes that the clock was ahead of UTC, less than a day. `nil` where the file does not say: most
    /// cameras know no time zone.
    public let offsetFromUTC: Int?

    /// Creates a date and time of day.
    ///
    /// - Parameters:
    ///   - year: The year, 1 to 9999.
    ///   - month: The month, 1 to 12.
    ///   - day: The day of the month.
    ///   - hour: The hour, 0 to 23.
    ///   - minute: The minute, 0 to 59.
    ///   - second: The second, 0 to 60.
    ///   - nanosecond: The nanoseconds within the second.
    ///   - offsetFromUTC: The number of minutes that the clock is ahead of UTC; nil if it is not known.
    /// - Returns: `nil` for a date or a time of day that there is not.
    public init?(
        year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0, nanosecond: Int = 0,
        offsetFromUTC: Int? = nil
    ) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= Self.days(inMonth: month, of: year), (0...23).contains(hour), (0...59).contains(minute),
            (0...60).contains(second), (0..<1_000_000_000).contains(nanosecond),
            (-1439...1439).contains(offsetFromUTC ?? 0)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
        self.nanosecond = nanosecond
        self.offsetFromUTC = offsetFromUTC
    }

    private static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension CaptureDate: CustomStringConvertible {
    /// The date as ISO 8601 writes it: `2012-08-08T22:07:18.1+02:00`, without the offset where it is not known.
    public var description: String {
        let date = "\(Self.digits(year, 4))-\(Self.digits(month))-\(Self.digits(day))"
        let time = "\(Self.digits(hour)):\(Self.digits(minute)):\(Self.digits(second))"
        let fraction = fractionDigits.isEmpty ? "" : "." + fractionDigits
        return "\(date)T\(time)\(fraction)\(offsetText ?? "")"
    }

    /// Of the second, without zeros at the end; empty where it is whole.
    var fractionDigits: String {
        var digits = Substring(Self.digits(nanosecond, 9))
        while digits.last == "0" { digits = digits.dropLast() }
        return String(digits)
    }

    /// `+02:00`; `nil` where it is not known.
    var offsetText: String? {
        offsetFromUTC.map { offset in
            "\(offset < 0 ? "-" : "+")\(Self.digits(abs(offset) / 60)):\(Self.digits(abs(offset) % 60))"
        }
    }

    static func digits(_ number: Int, _ count: Int = 2) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
}
