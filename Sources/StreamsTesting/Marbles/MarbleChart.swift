import Streams

/// A diagram of several timelines, one below the other.
///
///     a       1---2---|
///     b       --x---y-----|
///     zip     --1x--2y--|
public struct MarbleChart: Sendable, CustomStringConvertible {
    /// A line of the diagram.
    public struct Lane: Sendable {
        /// The name in front of the line.
        public let name: String
        /// The timeline of the line.
        public let timeline: Timeline<String>

        public init<Value>(_ name: String, _ timeline: Timeline<Value>) {
            self.name = name
            self.timeline = timeline.map { "\($0)" }
        }

        /// A subscription: `s` where it begins, each request with its number, `∞` for everything, and how it ends.
        ///
        /// - Parameters:
        ///   - name: The name in front of the line.
        ///   - window: The subscription.
        public init(_ name: String, _ window: SubscriptionWindow) {
            var timeline = Timeline<String>([.init(at: window.start, .value("s"))])
            for (time, demand) in window.requests {
                timeline.append(.value(demand.max.map(String.init) ?? "∞"), at: time)
            }
            if let end = window.end { timeline.append(end.how == .cancelled ? .cancelled : .finished, at: end.time) }
            self.init(name, timeline)
        }
    }

    /// The lines, from the top down.
    public var lanes: [Lane]
    /// The span of time that a character stands for.
    public var unit: VirtualTime.Stride

    public init(_ lanes: [Lane], unit: VirtualTime.Stride = .milliseconds(1)) {
        self.lanes = lanes
        self.unit = unit
    }

    public var description: String {
        let width = lanes.map(\.name.count).max() ?? 0
        return zip(lanes, lines).map { lane, line in
            lane.name + String(repeating: " ", count: width - lane.name.count + 4) + line
        }.joined(separator: "\n")
    }

    /// The diagrams alone, one line for each lane.
    public var lines: [String] {
        let cells = lanes.map(cells(of:))
        let last = cells.flatMap(\.keys).max() ?? 0
        var columns = [0]
        // What is wider than a moment pushes all that follows to the right, in every lane.
        for moment in 0...last {
            let width = cells.compactMap { $0[moment]?.count }.max() ?? 1
            columns.append(columns[moment] + max(width, 1))
        }
        return zip(lanes, cells).map { lane, cells in
            var line = ""
            let end = cells.keys.max() ?? 0
            for moment in 0...end {
                line += String(repeating: "-", count: columns[moment] - line.count) + (cells[moment] ?? "")
            }
            // What goes on says so.
            let goesOn = lane.timeline.end == nil
            return goesOn ? line + String(repeating: "-", count: max(columns[last + 1] - line.count, 1)) : line
        }
    }

    /// What each moment of a lane shows.
    private func cells(of lane: Lane) -> [Int: String] {
        var moments: [Int: [String]] = [:]
        for event in lane.timeline.events {
            moments[event.time.nanoseconds / max(unit.magnitude, 1), default: []].append(Self.text(event.signal))
        }
        return moments.mapValues { texts in
            // An end behind one value needs no brackets to be understood.
            let isPlain = texts.count == 1 || (texts.count == 2 && ["|", "✕", ";"].contains(texts[1]))
            return isPlain ? texts.joined() : "(\(texts.joined()))"
        }
    }

    private static func text(_ signal: Timeline<String>.Signal) -> String {
        switch signal {
        case .value(let value): value
        case .finished: "|"
        case .failure: "✕"
        case .cancelled: ";"
        }
    }
}

extension Timeline: CustomStringConvertible {
    /// The timeline's diagram, one character for each millisecond.
    public var description: String {
        MarbleChart([MarbleChart.Lane("", self)]).lines.first ?? ""
    }

    /// Returns a description of the difference from an expected timeline, with both diagrams and a mark where they
    /// part; nil where there is none.
    ///
    /// - Parameters:
    ///   - expected: The expected timeline.
    ///   - unit: The span of time that a character stands for.
    public func difference(
        from expected: Timeline, unit: VirtualTime.Stride = .milliseconds(1)
    ) -> String? where Value: Equatable {
        if self == expected { return nil }
        let lanes = [MarbleChart.Lane("expected", expected), MarbleChart.Lane("actual", self)]
        let chart = MarbleChart(lanes, unit: unit)
        let lines = chart.lines.map(Array.init)
        let common = zip(lines[0], lines[1]).prefix { $0 == $1 }.count
        return "\(chart)\n\(String(repeating: " ", count: "expected".count + 4 + common))^"
    }
}
