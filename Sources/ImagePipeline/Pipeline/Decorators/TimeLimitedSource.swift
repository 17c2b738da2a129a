import Streams
import Synchronization

extension Source {
    /// Limits the time of each load: one whose final value has not come by then is cancelled, and fails with ``LoadError/timedOut(_:)``.
    ///
    ///     let answer = pipeline.timingOut(after: .seconds(10), on: DispatchQueue.global())
    ///
    /// The limit holds for everything together: waiting for a turn, all attempts, transfer, decoding. Each subscriber has a clock of its
    /// own; a load that is shared goes on for the others.
    ///
    /// Demand: the upstream's. Thread: the upstream's, or the scheduler's for the failure.
    ///
    /// - Parameters:
    ///   - limit: The time from the subscription to the final value.
    ///   - scheduler: The scheduler that measures time.
    public func timingOut<Value, Context: Scheduler>(
        after limit: Duration, on scheduler: Context
    ) -> some Source<Request, LoadEvent<Value>> where Event == LoadEvent<Value> {
        AnySource<Request, LoadEvent<Value>> { [self] request in
            events(for: request).failing(
                with: .timedOut(limit),
                when: Just(()).delay(for: .span(limit), scheduler: scheduler))
        }
    }
}

extension Publisher where Failure == LoadError {
    /// Fails a load, and cancels it, when a signal comes before its final value.
    func failing<Value, Signal: Publisher>(
        with error: LoadError, when signal: Signal
    ) -> AnyPublisher<LoadEvent<Value>, LoadError> where Output == LoadEvent<Value> {
        Deferred {
            let outcome = SignalledOutcome()
            return prefix(untilOutputFrom: signal.handleEvents(receiveOutput: { _ in outcome.signalled() }))
                .handleEvents(receiveOutput: { if $0.finalValue != nil { outcome.succeeded() } })
                .append(
                    Deferred {
                        outcome.isFailure
                            ? Fail<LoadEvent<Value>, LoadError>(error: error).eraseToAnyPublisher()
                            : Empty<LoadEvent<Value>, LoadError>().eraseToAnyPublisher()
                    })
        }
        .eraseToAnyPublisher()
    }
}

/// The race of the signal against the final value. After that value there is no failure any more.
private final class SignalledOutcome: Sendable {
    private let state = Mutex<(hasSignal: Bool, hasValue: Bool)>((false, false))

    var isFailure: Bool { state.withLock { $0.hasSignal && !$0.hasValue } }

    func signalled() {
        state.withLock { $0.hasSignal = true }
    }

    func succeeded() {
        state.withLock { $0.hasValue = true }
    }
}

extension SchedulerTimeIntervalConvertible {
    /// Returns the span of a scheduler's time that is as long as a duration, to the nanosecond: of a century and more, what a sum of such
    /// spans has room for.
    static func span(_ duration: Duration) -> Self {
        let (seconds, attoseconds) = min(max(.zero, duration), .seconds(1 << 32)).components
        return .nanoseconds(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
    }
}
