import Streams
import Synchronization

extension Conformance {
    /// How a subscriber comes to request everything.
    private enum Demanding: String, CaseIterable {
        case atOnce = "with the subscription"
        case late = "after the subscription"
        case inside = "inside the first value"
    }

    /// How many values the subscriber wants.
    private static var wanted: Int { 5 }

    func keepsPace(_ input: Int) -> String? {
        for failsAtFirst in [false, true] {
            for goesOn in [false, true] {
                for demanding in Demanding.allCases {
                    let source = LongSource(failsAtFirst: failsAtFirst)
                    let recorder = Recorder(
                        initialDemand: demanding == .atOnce ? .unlimited : demanding == .late ? .none : .max(1),
                        onValue: { recorder, _ in
                            if recorder.values.count == Self.wanted { return recorder.cancelInSignal() }
                            if demanding == .inside { recorder.request(.unlimited) }
                        })
                    subscribe(recorder, to: source, at: input, othersGoOn: goesOn)
                    if demanding == .late { recorder.request(.unlimited) }
                    source.fail()
                    if recorder.values.count == Self.wanted, source.count > LongSource.window {
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

    func asksForNoMore(_ input: Int) -> String? {
        for goesOn in [false, true] {
            let source = LongSource()
            let recorder = Recorder(initialDemand: .max(Self.wanted))
            subscribe(recorder, to: source, at: input, othersGoOn: goesOn)
            if recorder.completion == nil, source.count > LongSource.window {
                return "\(source.count) values were made where \(Self.wanted) were requested"
            }
            recorder.cancel()
            if let breach = breach(recorder) { return breach }
        }
        return nil
    }

    /// Subscribes to an operator of which one upstream is the long source.
    ///
    /// - Parameter goesOn: Whether the others have nothing to deliver and never end; else they deliver a few values.
    private func subscribe(_ recorder: Recorder, to source: LongSource, at input: Int, othersGoOn goesOn: Bool) {
        let other =
            goesOn
            ? Empty<Int, TestFailure>(completeImmediately: false).eraseToAnyPublisher()
            : (0..<3).publisher.setFailureType(to: TestFailure.self).eraseToAnyPublisher()
        make((0..<inputs).map { $0 == input ? source.eraseToAnyPublisher() : other }).subscribe(recorder)
    }
}
