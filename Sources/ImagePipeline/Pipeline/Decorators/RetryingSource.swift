import Streams

extension Source {
    /// Begins a load again that has failed for a reason that may pass.
    ///
    ///     HTTPSource(transport).retrying(.exponential(maxRetries: 3), on: scheduler)
    ///     HTTPSource(transport).retrying(.every(.seconds(5), times: 3), on: scheduler)
    ///
    /// Events of the failed attempt stay delivered; a new response begins its body anew. A server that says when to come back
    /// (`Retry-After`) is believed as far as the policy's total time allows. Loads only read: any may be repeated.
    ///
    /// Demand: each attempt gets what is left. Cancelling ends the attempt, or the wait for it.
    ///
    /// - Parameters:
    ///   - policy: The rule that says when to try again, and how often.
    ///   - scheduler: The scheduler that measures time; later attempts begin on it.
    public func retrying<Context: Scheduler>(
        _ policy: RetryPolicy, on scheduler: Context
    ) -> some Source<Request, Event> {
        AnySource<Request, Event> { [self] request in
            Deferred { () -> AnyPublisher<Event, LoadError> in
                let start = scheduler.now
                return events(for: request).retryWhen { failures in
                    failures.enumerated().setFailureType(to: LoadError.self)
                        .flatMap { attempt, error -> AnyPublisher<Void, LoadError> in
                            let spent = start.distance(to: scheduler.now)
                            guard let delay = policy.delay(after: error, failures: attempt + 1, spent: spent) else {
                                return Fail(error: error).eraseToAnyPublisher()
                            }
                            return Just(()).setFailureType(to: LoadError.self).delay(for: delay, scheduler: scheduler)
                                .eraseToAnyPublisher()
                        }
                }.eraseToAnyPublisher()
            }.eraseToAnyPublisher()
        }
    }

    /// Begins a load again that has failed for a reason that may pass, whenever a publisher delivers a value: a network that is back.
    ///
    /// Demand: each attempt gets what is left. Cancelling ends the attempt, or the wait for it.
    ///
    /// - Parameters:
    ///   - trigger: A publisher whose values begin the loads again that have failed and wait. When it ends, they fail.
    ///   - condition: Returns whether a failure is worth another attempt.
    public func retrying<Trigger: Publisher>(
        whenever trigger: Trigger, when condition: @escaping @Sendable (LoadError) -> Bool = { $0.isWorthRetrying }
    ) -> some Source<Request, Event> where Trigger.Failure == Never {
        AnySource<Request, Event> { [self] request in
            events(for: request).retryWhen { failures in
                failures.setFailureType(to: LoadError.self)
                    .flatMap { error -> AnyPublisher<Void, LoadError> in
                        guard condition(error) else { return Fail(error: error).eraseToAnyPublisher() }
                        return trigger.first().map { _ in }.setFailureType(to: LoadError.self)
                            .switchIfEmpty(Fail(error: error)).eraseToAnyPublisher()
                    }
            }.eraseToAnyPublisher()
        }
    }
}
