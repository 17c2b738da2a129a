import Streams

/// A case of an operator's property: the timelines of its upstreams, the demand, and the cancel.
public struct OperatorScenario: Sendable, CustomStringConvertible {
    /// The timelines of the upstreams.
    public var inputs: [Timeline<Int>]
    /// The kind of the upstreams: one timeline for all subscribers, or one for each.
    public var kind: TestPublisher<Int>.Kind
    /// The demand of the subscriber.
    public var demand: DemandPolicy
    /// The value at which the subscriber cancels, counted from 1; nil for never.
    public var cancelAt: Int?

    /// A diagram of the upstreams, and the rest in words.
    public var description: String {
        let lanes = inputs.enumerated().map { index, input in
            MarbleChart.Lane(inputs.count == 1 ? "upstream" : "input \(index + 1)", input)
        }
        let cancel = cancelAt.map { ", cancel at value \($0)" } ?? ""
        return "\(MarbleChart(lanes, style: .notation))\n\(kind), demand \(demand)\(cancel)"
    }

    /// The labels of the case, for the report of what was generated.
    public var labels: [String] {
        var labels = ["\(kind)"]
        labels.append(demand == .unlimited ? "unlimited demand" : "limited demand")
        if demand.limit != nil { labels.append("demand that ends") }
        if cancelAt != nil { labels.append("cancelled") }
        if inputs.contains(where: \.values.isEmpty) { labels.append("an empty upstream") }
        if inputs.contains(where: { $0.end == nil }) { labels.append("an upstream that goes on") }
        if inputs.contains(where: { if case .failure? = $0.end { true } else { false } }) { labels.append("a failure") }
        return labels
    }

    /// The moment of the last signal.
    var lastMoment: VirtualTime {
        inputs.flatMap(\.events).map(\.time).max() ?? .zero
    }

    /// Returns a generator of scenarios.
    ///
    /// - Parameters:
    ///   - inputs: The number of upstreams.
    ///   - kinds: The kinds of upstreams to choose from.
    ///   - isBursty: A Boolean value that determines whether signals of an upstream may come at the same moment. Those
    ///     of two never do.
    ///   - values: The number of different values, which are counted from 0. The simplest scenario has each of them in turn.
    ///   - durations: The spans of time that matter to the operator: signals are a few milliseconds apart, or about as long
    ///     as one of these. They always come at whole milliseconds.
    ///   - opening: The largest number of signals that one of the upstreams, if it is cold, may open with: it sends them inside
    ///     its subscription or a request, before time passes.
    public static func random(
        inputs: Int, kinds: [TestPublisher<Int>.Kind] = [.cold, .hot], isBursty: Bool = false, values: Int = 6,
        around durations: [VirtualTime.Stride] = [], opening: Int = 0
    ) -> Gen<OperatorScenario> {
        let long = durations.map { $0.magnitude / 1_000_000 }.flatMap { [$0 - 1, $0, $0 + 1, 2 * $0] }
        let gaps = Array(0...3) + Set(long).filter { $0 > 4 }.sorted().map { $0 - 1 }
        return Gen { choices in
            let kind = choices.element(of: kinds)
            var timelines = [Timeline<Int>](repeating: Timeline(), count: inputs)
            var moment = 0
            var count = 0
            let steps = choices.array(upTo: 4 + 4 * inputs) { choices in
                (
                    side: choices.int(in: 0...max(inputs - 1, 0)), gap: choices.element(of: gaps),
                    what: choices.int(in: 0...(values + (inputs > 1 ? 1 : -1)))
                )
            }
            let opener = choices.int(in: 0...max(inputs - 1, 0))
            // Drawn in any case, so that a hot one is made a cold one without changing all that follows.
            let (opens, most) = (choices.chance(1, of: 4), choices.int(in: 0...opening))
            let opening = kind == .cold && opens ? most : 0
            for (index, step) in steps.enumerated() where inputs > 0 {
                var (side, gap, what) = step
                if index < opening { (side, gap) = (opener, -1) }
                guard timelines[side].end == nil else { continue }
                moment += gap + (isBursty && inputs == 1 && moment > 0 ? 0 : 1)
                switch what {
                case values: timelines[side].append(.finished, at: .milliseconds(moment))
                case values + 1: timelines[side].append(.failure("\(TestFailure())"), at: .milliseconds(moment))
                case 0:
                    timelines[side].append(.value(count % values), at: .milliseconds(moment))
                    count += 1
                default: timelines[side].append(.value(what), at: .milliseconds(moment))
                }
            }
            for side in timelines.indices where timelines[side].end == nil {
                moment += 1 + choices.element(of: gaps)
                // To go on is the simplest.
                switch choices.int(in: 0...5) {
                case 0: break
                case 5: timelines[side].append(.failure("\(TestFailure())"), at: .milliseconds(moment))
                default: timelines[side].append(.finished, at: .milliseconds(moment))
                }
            }
            return OperatorScenario(
                inputs: timelines, kind: kind, demand: DemandPolicy.random.draw(&choices),
                cancelAt: choices.chance(1, of: 4) ? choices.int(in: 1...4) : nil)
        }
    }
}
