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
        let words = text.split { $0 == " " || $0 == "-" }.map(String.init)
        switch words.count {
        case 6 where words[5] == "GMT": return seconds(words[1], words[2], words[3], words[4])
        case 5: return seconds(words[2], words[1], words[4], words[3])
        default: return nil
        }
    }

    private static func seconds(_ day: String, _ month: String, _ year: String, _ time: String) -> Int? {
        let parts = time.split(separator: ":", omittingEmptySubsequences: false).map { Int32($0) }
        guard let day = Int32(day), let month = months.firstIndex(of: month), let number = Int32(year),
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
}
