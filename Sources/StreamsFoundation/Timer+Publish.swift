public import Foundation
public import Streams

extension Timer {
    /// Returns a publisher that delivers the date at every interval, once it is connected.
    ///
    ///     Timer.publish(every: 1, on: .main, in: .common).autoconnect().sink { print($0) }
    ///
    /// Demand: a date that was not requested is dropped. Never fails and never ends. Thread: that of the run loop.
    ///
    /// - Parameters:
    ///   - interval: The time between two dates, in seconds.
    ///   - tolerance: The time by which a date may be late, in seconds; nil for the run loop's own choice.
    ///   - runLoop: The run loop that the timer runs on.
    ///   - mode: The modes of the run loop in which it runs.
    ///   - options: The options with which work is scheduled; there are none.
    public static func publish(
        every interval: TimeInterval, tolerance: TimeInterval? = nil, on runLoop: RunLoop, in mode: RunLoop.Mode,
        options: RunLoopScheduler.SchedulerOptions? = nil
    ) -> TimerPublisher {
        TimerPublisher(interval: interval, tolerance: tolerance, runLoop: runLoop, mode: mode, options: options)
    }

    /// A publisher that delivers the date at every interval.
    public final class TimerPublisher: ConnectablePublisher {
        public typealias Output = Date
        public typealias Failure = Never

        /// The time between two dates, in seconds.
        public let interval: TimeInterval
        /// The time by which a date may be late, in seconds.
        public let tolerance: TimeInterval?
        /// The run loop that the timer runs on.
        public var runLoop: RunLoop { kept.value }
        /// The modes of the run loop in which it runs.
        public let mode: RunLoop.Mode
        /// The options with which work is scheduled.
        public let options: RunLoopScheduler.SchedulerOptions?

        private let kept: Kept<RunLoop>
        private let dates: Publishers.Multicast<AnyPublisher<Date, Never>, PassthroughSubject<Date, Never>>

        /// Creates a publisher of dates.
        ///
        /// - Parameters:
        ///   - interval: The time between two dates, in seconds.
        ///   - tolerance: The time by which a date may be late, in seconds; nil for the run loop's own choice.
        ///   - runLoop: The run loop that the timer runs on.
        ///   - mode: The modes of the run loop in which it runs.
        ///   - options: The options with which work is scheduled.
        public init(
            interval: TimeInterval, tolerance: TimeInterval? = nil, runLoop: RunLoop, mode: RunLoop.Mode,
            options: RunLoopScheduler.SchedulerOptions? = nil
        ) {
            self.interval = interval
            self.tolerance = tolerance
            kept = Kept(runLoop)
            self.mode = mode
            self.options = options
            let kept = kept
            dates = AnyPublisher<Date, Never>.create(.dropNewest) { emitter in
                let timer = Timer(timeInterval: Swift.max(0.001, interval), repeats: true) { _ in emitter.send(Date()) }
                if let tolerance { timer.tolerance = Swift.max(0, tolerance) }
                kept.value.add(timer, forMode: mode)
                let timerKept = Kept(timer)
                return Disposable { timerKept.value.invalidate() }
            }.multicast { PassthroughSubject() }
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Date, S.Failure == Never {
            dates.receive(subscriber: subscriber)
        }

        public func connect() -> any Cancellable {
            dates.connect()
        }
    }
}
