import Streams

extension RecordingSubscriber where Input: Equatable {
    /// Checks that the signals so far are those of a timeline, at its moments.
    ///
    ///     try recorder.expect("1---4--|")
    ///
    /// A failure that is written as `✕` alone stands for any.
    ///
    /// - Parameters:
    ///   - expected: The expected timeline.
    ///   - unit: The span of time that a character of the message stands for.
    /// - Throws: `Disproof`, with both diagrams and a mark where they part.
    public func expect(_ expected: Timeline<Input>, unit: VirtualTime.Stride = .milliseconds(1)) throws {
        let actual = timeline
        let anyFailure = Timeline<Input>.Signal.failure("\(TestFailure())")
        let compared = Timeline(
            zip(actual.events.indices, actual.events).map { index, event in
                guard case .failure = event.signal, expected.events.indices.contains(index),
                    expected.events[index].signal == anyFailure
                else { return event }
                return .init(at: event.time, anyFailure)
            })
        if let difference = compared.difference(from: expected, unit: unit) { throw Disproof(difference) }
    }
}
