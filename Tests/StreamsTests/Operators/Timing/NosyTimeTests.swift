import Streams
import StreamsTesting
import Synchronization
import Testing

@Suite("A scheduler's moments may be compared by code of anybody's")
struct NosyTimeTests {
    /// Called whenever two moments are compared; what it calls may do anything, once.
    final class Hook: Sendable {
        private struct State: Sendable {
            var action: (@Sendable () -> Void)?
        }

        private let state = Mutex(State())
        let calls = Atomic(0)
        /// By how many milliseconds the clock has been set back.
        let lag = Atomic(0)

        func set(_ action: @escaping @Sendable () -> Void) { state.withLock { $0.action = action } }

        func call() {
            calls.add(1, ordering: .relaxed)
            state.withLock { $0.action.take() }?()
        }
    }

    struct Time: Strideable, Sendable {
        let time: VirtualTime
        let hook: Hook

        func distance(to other: Time) -> VirtualTime.Stride { time.distance(to: other.time) }
        func advanced(by interval: VirtualTime.Stride) -> Time { Time(time: time.advanced(by: interval), hook: hook) }
        static func < (lhs: Time, rhs: Time) -> Bool {
            lhs.hook.call()
            return lhs.time < rhs.time
        }
        static func == (lhs: Time, rhs: Time) -> Bool { lhs.time == rhs.time }
    }

    struct NosyScheduler: Scheduler {
        typealias SchedulerTimeType = Time
        typealias SchedulerOptions = Never

        let virtual = VirtualTimeScheduler()
        let hook = Hook()

        var now: Time {
            let lag = hook.lag.load(ordering: .relaxed)
            return Time(time: virtual.now.advanced(by: .milliseconds(-lag)), hook: hook)
        }
        var minimumTolerance: VirtualTime.Stride { virtual.minimumTolerance }

        func schedule(options: Never?, _ action: @escaping @Sendable () -> Void) {
            virtual.schedule(action)
        }

        func schedule(
            after date: Time, tolerance: VirtualTime.Stride, options: Never?, _ action: @escaping @Sendable () -> Void
        ) {
            virtual.schedule(after: date.time, action)
        }

        func schedule(
            after date: Time, interval: VirtualTime.Stride, tolerance: VirtualTime.Stride, options: Never?,
            _ action: @escaping @Sendable () -> Void
        ) -> any Cancellable {
            virtual.schedule(after: date.time, interval: interval, action)
        }
    }

    typealias Operator = @Sendable (PassthroughSubject<Int, Never>, NosyScheduler) -> AnyPublisher<Int, Never>

    static let operators: [(name: String, make: Operator)] = [
        ("debounce", { $0.debounce(for: .milliseconds(2), scheduler: $1).eraseToAnyPublisher() }),
        ("throttle", { $0.throttle(for: .milliseconds(2), scheduler: $1, latest: true).eraseToAnyPublisher() }),
        ("delay", { $0.delay(for: .milliseconds(2), scheduler: $1).eraseToAnyPublisher() }),
        ("timeout", { $0.timeout(.milliseconds(2), scheduler: $1).eraseToAnyPublisher() }),
    ]

    @Test(
        "They are compared outside of locks: what compares may cancel and send", arguments: [1, 2, 3, 4, 5, 6],
        [false, true])
    func comparisons(_ turn: Int, cancels: Bool) {
        for (name, make) in Self.operators {
            let scheduler = NosyScheduler()
            let subject = PassthroughSubject<Int, Never>()
            let values = Recorded<[Int]>([])
            let place = SerialDisposable()
            place.set(make(subject, scheduler).sink { value in values.update { $0.append(value) } })
            for value in 1...6 {
                if value == turn { scheduler.hook.set { if cancels { place.cancel() } else { subject.send(9) } } }
                subject.send(value)
                scheduler.virtual.advance(by: .milliseconds(value % 3))
            }
            let before = values.value.count
            if cancels { place.cancel() }
            scheduler.virtual.advance(by: .milliseconds(100))
            #expect(scheduler.hook.calls.load(ordering: .relaxed) > 0, "\(name) compares nothing")
            if cancels { #expect(values.value.count == before, "\(name) delivers after the cancel") }
        }
    }

    @Test("Where the clock has been set back the earlier moment counts: a timer is made for it")
    func setBack() {
        let scheduler = NosyScheduler()
        let subject = PassthroughSubject<Int, Never>()
        let deliveries = Recorded<[VirtualTime]>([])
        let sink = subject.debounce(for: .milliseconds(10), scheduler: scheduler).sink { _ in
            deliveries.update { $0.append(scheduler.virtual.now) }
        }
        scheduler.virtual.advance(by: .milliseconds(10))
        subject.send(1)
        scheduler.hook.lag.store(8, ordering: .relaxed)
        subject.send(2)
        scheduler.hook.lag.store(0, ordering: .relaxed)
        scheduler.virtual.advance(by: .milliseconds(100))
        #expect(deliveries.value == [VirtualTime.zero.advanced(by: .milliseconds(12))])
        withExtendedLifetime(sink) {}
    }
}
