/// A day's records, as the server has them at the moment at which it is asked.
struct Day: Codable, Equatable, Sendable {
    let date: CalendarDate
    let workouts: [String]
}

/// A date of the calendar, in UTC.
struct CalendarDate: Codable, Hashable, Sendable {
    /// Whole days since 1970.
    let days: Int

    /// The date at a moment, a time since 1970.
    init(at moment: Duration) {
        days = Int(moment.components.seconds) / 86_400
    }

    private init(days: Int) { self.days = days }

    func before(by count: Int) -> CalendarDate { CalendarDate(days: days - count) }

    /// The moment at which it is over.
    var end: Duration { .seconds((days + 1) * 86_400) }
}
