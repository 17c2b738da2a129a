import Files

/// Photos of one day, next to each other in a fetch result.
public struct PhotoSection: Sendable, Hashable {
    /// The day.
    public let day: CalendarDay
    /// The positions of its photos in the result.
    public let range: Range<Int>
}

extension FetchResult {
    /// Returns the photos' days, each with the positions of its photos. Use it with results that are sorted by date: in
    /// one that is sorted by name, a day may have several sections.
    ///
    /// Takes time in proportion to the number of photos, and memory to that of the days.
    ///
    /// - Parameter offset: A closure that returns the offset from UTC, in seconds, at a time that is given in seconds since 1970; by
    ///   default that of this machine's time zone. Dates of capture, which are a camera's own time, are taken as they are.
    public func sections(
        offsetFromUTC offset: (Int64) -> Int = FetchResult.localOffset
    ) -> [PhotoSection] {
        var sections: [PhotoSection] = []
        var first = 0
        var current: CalendarDay?
        for position in indices {
            let nanoseconds = date(at: position)
            let seconds = nanoseconds / 1_000_000_000 - (nanoseconds % 1_000_000_000 < 0 ? 1 : 0)
            let shift = query.sortKey == .captured ? 0 : Int64(offset(seconds))
            let (local, isBeyond) = seconds.addingReportingOverflow(shift)
            let day = CalendarDay(seconds: isBeyond ? (shift < 0 ? .min : .max) : local)
            if let current, current != day {
                sections.append(PhotoSection(day: current, range: first..<position))
                first = position
            }
            current = day
        }
        if let current { sections.append(PhotoSection(day: current, range: first..<endIndex)) }
        return sections
    }

    /// Returns the seconds that this machine's clocks are ahead of UTC at a time.
    ///
    /// - Parameter seconds: The time in seconds since 1970.
    public static func localOffset(at seconds: Int64) -> Int {
        var time = time_t(seconds)
        var parts = tm()
        return localtime_r(&time, &parts) == nil ? 0 : parts.tm_gmtoff
    }
}
