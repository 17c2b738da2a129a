import Files

/// Dates in header fields (RFC 9110, 5.6.7).
enum HTTPDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Returns the seconds since 1970 that a date stands for, in any of its three forms; nil for what is no date.
    ///
    ///     Sun, 06 Nov 1994 08:49:37 GMT
    ///     Sunday, 06-Nov-94 08:49:37 GMT
    ///     Sun Nov  6 08:49:37 1994
    static func seconds(_ text: String) -> Int? {
        let words = text.split(separator: " ")
        switch words.count {
        case 6 where words[5] == "GMT": return seconds(words[1], words[2], words[3], words[4])
        case 5: return seconds(words[2], words[1], words[4], words[3])
        case 4 where words[3] == "GMT":
            let date = words[1].split(separator: "-", omittingEmptySubsequences: false)
            return date.count == 3 ? seconds(date[0], date[1], date[2], words[2]) : nil
        default: return nil
        }
    }

    private static func seconds(_ day: Substring, _ month: Substring, _ year: Substring, _ time: Substring) -> Int? {
        let parts = time.split(separator: ":", omittingEmptySubsequences: false).map(digits)
        guard let day = digits(day), let month = months.firstIndex(of: String(month)), let number = digits(year),
            parts.count == 3,
            let hour = parts[0], let minute = parts[1], let second = parts[2], (1...31).contains(day),
            (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
        else { return nil }
        // Two digits: the obsolete form, whose years lie in the last century from 70 on.
        let full = year.count == 2 ? number + (number < 70 ? 2000 : 1900) : number
        guard (1900...9999).contains(full) else { return nil }
        var fields = tm()
        (fields.tm_year, fields.tm_mon, fields.tm_mday) = (full - 1900, Int32(month), day)
        (fields.tm_hour, fields.tm_min, fields.tm_sec) = (hour, minute, second)
        return Int(timegm(&fields))
    }

    /// Int32 takes a sign, too.
    private static func digits(_ text: Substring) -> Int32? {
        text.utf8.allSatisfy { (48...57).contains($0) } ? Int32(text) : nil
    }
}
