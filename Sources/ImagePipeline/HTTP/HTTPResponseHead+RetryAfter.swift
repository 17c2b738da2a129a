import Files

extension HTTPResponseHead {
    /// The time after which a server that is busy wants to be asked again (RFC 9110, 10.2.3); nil for other answers.
    var retryAfter: Duration? {
        guard [429, 503].contains(status), let text = self["retry-after"].first else { return nil }
        if let seconds = Int(text) { return seconds >= 0 ? .seconds(min(seconds, 31_536_000)) : nil }
        // A moment counts from the one at which the server has answered, by its own clock.
        guard let later = Self.seconds(text), let now = self["date"].first.flatMap(Self.seconds) else { return nil }
        return .seconds(max(0, later - now))
    }

    /// The seconds since 1970 of a date such as `Sun, 06 Nov 1994 08:49:37 GMT`; servers write no other form any more.
    private static func seconds(_ date: String) -> Int? {
        let words = date.split(separator: " ")
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        guard words.count == 6, words[5] == "GMT", let day = Int32(words[1]), let year = Int32(words[3]),
            let month = months.firstIndex(of: String(words[2])), (1900...9999).contains(year)
        else { return nil }
        let time = words[4].split(separator: ":").compactMap { Int32($0) }
        guard time.count == 3 else { return nil }
        var fields = tm()
        (fields.tm_year, fields.tm_mon, fields.tm_mday) = (year - 1900, Int32(month), day)
        (fields.tm_hour, fields.tm_min, fields.tm_sec) = (time[0], time[1], time[2])
        return Int(timegm(&fields))
    }
}
