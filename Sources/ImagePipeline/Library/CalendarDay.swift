/// A day of the Gregorian calendar.
public struct CalendarDay: Sendable, Hashable, Comparable {
    static let seconds: Int64 = 86_400

    /// Days since 1970-01-01.
    let number: Int64

    /// Creates the day that a number of seconds since 1970 lies in.
    ///
    /// - Parameter seconds: The seconds since 1970, of a clock that shows the day's own time.
    public init(seconds: Int64) {
        number = seconds / Self.seconds - (seconds % Self.seconds < 0 ? 1 : 0)
    }

    init(_ date: CaptureDate) {
        // Years begin in March here, so that the leap day is their last one.
        let year = Int64(date.month <= 2 ? date.year - 1 : date.year)
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let month = Int64((date.month + 9) % 12)
        let dayOfYear = (153 * month + 2) / 5 + Int64(date.day) - 1
        number = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The year, the month (1 to 12) and the day of the month.
    public var parts: (year: Int, month: Int, day: Int) {
        let shifted = number + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * month + 2) / 5 + 1
        return (Int(yearOfEra + era * 400 + (month >= 10 ? 1 : 0)), Int(month < 10 ? month + 3 : month - 9), Int(day))
    }

    public static func < (lhs: CalendarDay, rhs: CalendarDay) -> Bool { lhs.number < rhs.number }
}

extension CalendarDay: CustomStringConvertible {
    /// The day as ISO 8601 writes it: `2012-08-08`; before the year 0 with a sign, `-0001-12-31`.
    public var description: String {
        let (year, month, day) = parts
        func digits(_ number: Int, _ count: Int) -> String {
            let text = String(number.magnitude)
            return (number < 0 ? "-" : "") + String(repeating: "0", count: max(0, count - text.utf8.count)) + text
        }
        return "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))"
    }
}
