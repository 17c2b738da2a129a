import Streams

/// The end of a stream in a model.
public enum ModelEnd: Sendable, Hashable {
    /// The end of a stream that did not fail.
    case finished
    /// The failure that ends a stream, as it prints.
    case failed(String)

    /// The end with the failure of the test publishers.
    public static var failure: ModelEnd { .failed("\(TestFailure())") }
}

/// A model of an operator: a pure function from what comes in to what goes out.
public struct OperatorModel<Output: Sendable>: Sendable {
    /// The closure that returns the operator's timeline for its upstreams' timelines, when everything is requested.
    public let timeline: @Sendable ([Timeline<Int>]) -> Timeline<Output>

    /// Creates a model from a function of timelines.
    ///
    /// - Parameter timeline: A closure that returns the operator's timeline for its upstreams' timelines.
    public init(_ timeline: @escaping @Sendable ([Timeline<Int>]) -> Timeline<Output>) {
        self.timeline = timeline
    }

    /// The end of a stream.
    public typealias End = ModelEnd

    /// The output of an operator after some of its input.
    public struct Outcome: Sendable {
        /// The values, in order.
        public var values: [Output]
        /// The end, if it has come.
        public var end: End?

        /// Creates an output; it has no end by default.
        ///
        /// - Parameters:
        ///   - values: The values, in order.
        ///   - end: The end, if it has come.
        public init(_ values: [Output], _ end: End? = nil) {
            self.values = values
            self.end = end
        }
    }

    /// Returns a model of an operator with one upstream that delivers within the upstream's signals, from a function of
    /// the values, and of the end or none, that have come.
    ///
    /// - Parameter outcome: A closure that returns the output for some input.
    public static func values(
        _ outcome: @escaping @Sendable (_ values: [Int], _ end: ModelEnd?) -> Outcome
    ) -> OperatorModel {
        schedule { schedule in
            var values: [Int] = []
            var end: End?
            for (_, signal) in schedule {
                switch signal {
                case .value(let value): values.append(value)
                case .finished, .cancelled: end = .finished
                case .failure(let label): end = .failed(label)
                }
            }
            return outcome(values, end)
        }
    }

    /// Returns a model of an operator with several upstreams that delivers within their signals, from a function of all
    /// signals that have come, in their order.
    ///
    /// - Parameter outcome: A closure that returns the output for some input.
    public static func schedule(
        _ outcome: @escaping @Sendable (_ signals: [(input: Int, signal: Timeline<Int>.Signal)]) -> Outcome
    ) -> OperatorModel {
        OperatorModel { inputs in
            let events = inputs.enumerated().flatMap { index, input in input.events.map { (index, $0) } }
                .enumerated().sorted { ($0.element.1.time, $0.offset) < ($1.element.1.time, $1.offset) }.map(\.element)
            var timeline = Timeline<Output>()
            var seen: [(input: Int, signal: Timeline<Int>.Signal)] = []
            var delivered = 0
            func step(at time: VirtualTime) {
                let now = outcome(seen)
                for value in now.values.dropFirst(delivered) { timeline.append(.value(value), at: time) }
                delivered = now.values.count
                switch now.end {
                case nil: break
                case .finished?: timeline.append(.finished, at: time)
                case .failed(let label)?: timeline.append(.failure(label), at: time)
                }
            }
            step(at: .zero)
            for (input, event) in events where timeline.end == nil {
                seen.append((input, event.signal))
                step(at: event.time)
            }
            return timeline
        }
    }
}

extension OperatorModel.Outcome: Equatable where Output: Equatable {}
