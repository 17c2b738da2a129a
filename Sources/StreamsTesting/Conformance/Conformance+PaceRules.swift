import Streams
import Synchronization

extension Conformance {
    /// How a subscriber comes to request everything.
    private enum Demanding: String, CaseIterable {
        case atOnce = "with the subscription"
        case late = "after the subscription"
        case inside = "inside the first value"
    }

    /// The values of the upstreams beside the long source.
    private enum Others: CaseIterable {
        /// Nothing, and they never end.
        case nothing
        /// Fewer values than are wanted.
        case few
        /// More values than are wanted.
        case enough

        var publisher: AnyPublisher<Int, TestFailure> {
            switch self {
            case .nothing: Empty(completeImmediately: false).eraseToAnyPublisher()
            case .few: (0..<3).publisher.setFailureType(to: TestFailure.self).eraseToAnyPublisher()
            case .enough: (0..<100).publisher.setFailureType(to: TestFailure.self).eraseToAnyPublisher()
            }
        }
    }

    /// How many values the subscriber wants.
    private static var wanted: Int { 5 }

    func keepsPace(_ input: Int) -> String? {
        for failsAtFirst in [false, true] {
            for others in others {
                for demanding in Demanding.allCases {
                    let source = LongSource(failsAtFirst: failsAtFirst)
                    let recorder = Recorder(
                        initialDemand: demanding == .atOnce ? .unlimited : demanding == .late ? .none : .max(1),
                        onValue: { recorder, _ in
                            if recorder.values.count == Self.wanted { return recorder.cancelInSignal() }
                            if demanding == .inside { recorder.request(.unlimited) }
                        })
                    subscribe(recorder, to: source, at: input, others)
                    if demanding == .late { recorder.request(.unlimited) }
                    source.fail()
                    if recorder.values.count == Self.wanted, source.count - Self.wanted > LongSource.window {
                        return
                            "\(source.count) values were made where \(Self.wanted) were wanted, and everything requested "
                            + "\(demanding.rawValue)\(failsAtFirst ? ", of the second attempt" : "")"
                    }
                    recorder.cancel()
                    if let breach = breach(recorder) { return breach }
                }
            }
        }
        return nil
    }

    /// An operator that asks for everything may run a source dry while others have still to be subscribed to, if it keeps none of it.
    private var others: [Others] {
        inputs < 2 ? [.nothing] : exceptions.contains(.asksForNoMore) ? [.nothing, .few] : Others.allCases
    }

    func asksForNoMore(_ input: Int) -> String? {
        for others in others {
            let source = LongSource()
            let recorder = Recorder(initialDemand: .max(Self.wanted))
            subscribe(recorder, to: source, at: input, others)
            if recorder.completion == nil, source.count - Self.wanted > LongSource.window {
                return "\(source.count) values were made where \(Self.wanted) were requested"
            }
            recorder.cancel()
            if let breach = breach(recorder) { return breach }
        }
        return nil
    }

    /// Subscribes to an operator of which one upstream is the long source.
    private func subscribe(_ recorder: Recorder, to source: LongSource, at input: Int, _ others: Others) {
        make((0..<inputs).map { $0 == input ? source.eraseToAnyPublisher() : others.publisher }).subscribe(recorder)
    }
}
