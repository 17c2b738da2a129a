import Streams

extension Conformance {
    typealias Recorder = RecordingSubscriber<Output, any Error>

    /// What a check works with: an upstream of its own at one input, plain values at the others.
    struct Bench {
        let upstream = ConformanceUpstream()
        let published: AnyPublisher<Output, any Error>

        /// - Parameter goesOn: Whether the other inputs have nothing to deliver and never end.
        init(_ conformance: Conformance, _ input: Int, othersGoOn goesOn: Bool = false) {
            let upstream = upstream
            let other =
                goesOn
                ? Empty<Int, TestFailure>(completeImmediately: false).eraseToAnyPublisher()
                : (0..<100).publisher.setFailureType(to: TestFailure.self).eraseToAnyPublisher()
            published = conformance.make(
                (0..<conformance.inputs).map { index in
                    index == input ? upstream.eraseToAnyPublisher() : other
                })
        }

        /// Subscribes and returns the subscriber.
        func subscribed(_ recorder: Recorder) -> Recorder {
            published.subscribe(recorder)
            return recorder
        }
    }

    /// Whether the operator hands the upstream's own subscription on: then it is the upstream that has to drop, to refuse
    /// and to count.
    func isTransparent(_ bench: Bench, _ recorder: Recorder) -> Bool {
        recorder.takenSubscription() === bench.upstream
    }

    /// What a subscriber saw that was against the contract; nil for nothing.
    func breach(_ recorder: Recorder) -> String? {
        recorder.violations.isEmpty ? nil : recorder.violations.map(\.description).joined(separator: ", ")
    }
}
