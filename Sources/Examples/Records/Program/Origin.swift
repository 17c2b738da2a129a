import Foundation
import ImagePipeline
import Streams
import Synchronization

/// The server: it counts its calls. A workout of each day is over at 8, 12, 17 and 22 o'clock.
final class Origin: Source {
    private let clock: Clock
    private let count = Mutex(0)

    init(clock: Clock) { self.clock = clock }

    var calls: Int { count.withLock { $0 } }

    func events(for date: CalendarDate) -> AnyPublisher<DataEvent, LoadError> {
        Deferred { [self] () -> AnyPublisher<DataEvent, LoadError> in
            count.withLock { $0 += 1 }
            guard let body = try? JSONEncoder().encode(day(date)) else {
                return Fail(error: .value(reason: "a day that cannot be written")).eraseToAnyPublisher()
            }
            return [
                DataEvent.response(DataResponse(provenance: .network, expectedLength: body.count)),
                .chunk(Array(body)),
            ].publisher.setFailureType(to: LoadError.self).eraseToAnyPublisher()
        }.eraseToAnyPublisher()
    }

    /// The answer that it would give now.
    func day(_ date: CalendarDate) -> Day {
        let midnight = date.before(by: 1).end
        let workouts = [("run", 8), ("swim", 12), ("ride", 17), ("stretch", 22)]
        return Day(
            date: date,
            workouts: workouts.filter { midnight + .seconds($0.1 * 3_600) <= clock.now }.map(\.0))
    }
}
