import Foundation
import ImagePipeline
import Streams

/// The days of a calendar through memory and disk: what is past is kept, today is not.
///
/// This is all that an app needs; it is the composition of the images' pipeline, with dates for requests and days for images.
struct Records: Source {
    private let source: AnySource<CalendarDate, LoadEvent<Day>>

    /// - Parameter memory: what is kept in memory, of which tests look at the number.
    init(
        origin: Origin, disk: DiskCache, memory: MemoryCache<CacheKey, Day>, clock: Clock,
        policyForToday: CachePolicy = .noStore, on threads: ThreadPoolScheduler
    ) {
        // A date is data, not a path: the key is hashed, whatever is in it.
        let key: @Sendable (CalendarDate) -> CacheKey = { CacheKey(["day", "\($0.days)"]) }
        let policy: @Sendable (CalendarDate) -> CachePolicy = { $0 < clock.today ? .useCache : policyForToday }
        source = AnySource(
            origin
                .cached(in: disk, by: key, policy: policy, on: threads)
                .decoded(on: threads) { try JSONDecoder().decode(Day.self, from: Data($0)) }
                .stored(in: memory, by: key, cost: { _ in 1 }, policy: policy, now: { clock.now })
                .coalesced(by: key)
                .served(from: memory, by: key, policy: policy))
    }

    func events(for date: CalendarDate) -> AnyPublisher<LoadEvent<Day>, LoadError> {
        source.events(for: date)
    }
}

extension CalendarDate: Comparable {
    static func < (left: CalendarDate, right: CalendarDate) -> Bool { left.days < right.days }
}
