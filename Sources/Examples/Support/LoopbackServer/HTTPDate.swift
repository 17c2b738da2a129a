/// Dates as HTTP writes them (RFC 9110, section 5.6.7), without a locale or a calendar library.
enum HTTPDate {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// For instance `Sun, 06 Nov 1994 08:49:37 GMT`.
    static func text(secondsSince1970 seconds: Int) -> String {
        let day = Int((Double(seconds) / 86_400).rounded(.down))
        let second = seconds - day * 86_400
        let (year, month, dayOfMonth) = civil(day)
        let clock = [second / 3600, second / 60 % 60, second % 60].map(twoDigits).joined(separator: ":")
        let weekday = days[((day % 7) + 7) % 7]
        return "\(weekday), \(twoDigits(dayOfMonth)) \(months[month - 1]) \(year) \(clock) GMT"
    }

    private static func twoDigits(_ number: Int) -> String {
        number < 10 ? "0\(number)" : String(number)
    }

    /// Year, month (1...12) and day (1...31) of a day counted from 1970-01-01, by walking years and months: exact in
    /// the Gregorian calendar, and short enough to check by eye.
    private static func civil(_ day: Int) -> (year: Int, month: Int, day: Int) {
        var year = 1970
        var left = day
        func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }
        func length(_ year: Int) -> Int { isLeap(year) ? 366 : 365 }
        while left < 0 {
            year -= 1
            left += length(year)
        }
        while left >= length(year) {
            left -= length(year)
            year += 1
        }
        let lengths = [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        var month = 0
        while left >= lengths[month] {
            left -= lengths[month]
            month += 1
        }
        return (year, month + 1, left + 1)
    }
}
