extension Publisher {
    /// Checks in debug builds that the upstream keeps the contract, and reports each breach where it happens: a value
    /// beyond demand, overlapping signals, a signal after the end. In a release build it is the upstream itself, unless
    /// it is told whom to report to.
    ///
    ///     upstream                      1---2---3|
    ///     contractChecked("decoder")    1---2---3|
    ///
    /// Changes no signal. Demand, failure and thread are the upstream's; reports come on the thread of the signal, before
    /// it is passed on. Costs a lock for each signal.
    ///
    /// - Parameters:
    ///   - label: The text in front of each report.
    ///   - file: The file, for the report.
    ///   - line: The line, for the report.
    ///   - report: Takes a report; nil for a line on the standard output, in debug builds only.
    @_disfavoredOverload
    @preconcurrency
    public func contractChecked(
        _ label: String = "", file: StaticString = #fileID, line: UInt = #line,
        report: (@Sendable (String) -> Void)? = nil
    ) -> AnyPublisher<Output, Failure> {
        var report = report
        #if DEBUG
            let lines = LineWriter(nil)
            report = report ?? { lines.write($0) }
        #endif
        guard let report else { return eraseToAnyPublisher() }
        let place = "\(label)\(label.isEmpty ? "" : " ")(\(file):\(line))"
        return Publishers.ContractChecked(upstream: self) { report("\(place): \($0)") }.eraseToAnyPublisher()
    }
}

extension Publishers {
    /// Reports each breach of the contract by its upstream.
    public struct ContractChecked<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        /// The publisher that is checked.
        public let upstream: Upstream
        /// The closure that receives the reports.
        public let report: @Sendable (ContractViolation) -> Void

        /// Creates a publisher that reports each breach of the contract by its upstream, in release builds too.
        ///
        /// - Parameters:
        ///   - upstream: The publisher to check.
        ///   - report: A closure that takes a breach, on the thread of the signal.
        public init(upstream: Upstream, report: @escaping @Sendable (ContractViolation) -> Void) {
            self.upstream = upstream
            self.report = report
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            attach(AnySubscriber(subscriber))
        }

        @usableFromInline
        func attach(_ subscriber: AnySubscriber<Output, Failure>) {
            upstream.receive(subscriber: Inner(downstream: subscriber, watch: ContractWatch(report: report)))
        }

        private struct Inner<Downstream: Subscriber>: Subscriber
        where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
            let downstream: Downstream
            let watch: ContractWatch

            func receive(subscription: any Subscription) {
                watch.note { $0.receiveSubscription() }
                watch.receive(subscription)
                downstream.receive(subscription: watch)
            }

            func receive(_ input: Upstream.Output) -> Subscribers.Demand {
                watch.note { $0.beginValue() }
                let more = downstream.receive(input)
                watch.note { $0.endSignal(adding: more) }
                return more
            }

            func receive(completion: Subscribers.Completion<Upstream.Failure>) {
                watch.note { $0.beginCompletion() }
                watch.finish()
                downstream.receive(completion: completion)
                watch.note { $0.endSignal() }
            }
        }
    }
}
