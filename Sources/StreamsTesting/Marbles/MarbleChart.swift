import Streams

/// A diagram of several timelines, one below the other.
///
///     a       1---2---|
///     b       --x---y-----|
///     zip     --1x--2y--|
public struct MarbleChart: Sendable, CustomStringConvertible {
    /// The way in which a chart is written.
    public enum Style: Sendable, Hashable {
        /// A drawing for people: values stand as they are, and what is wider than a moment is followed by dashes in the other lanes.
        case illustration
        /// A diagram for people and for ``Timeline``, which reads each lane back: values of several characters stand in quotes, and
        /// what is wider than a moment is followed by spaces.
        case notation
    }

    /// A line of the diagram.
    public struct Lane: Sendable {
        /// The name in front of the line.
        public let name: String
        /// The timeline of the line.
        public let timeline: Timeline<String>

        /// Creates a line of a timeline, whose values stand as they print.
        ///
        /// - Parameters:
        ///   - name: The name in front of the line.
        ///   - timeline: The timeline of the line.
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
    /// The way in which the chart is written.
    public var style: Style

    /// Creates a diagram of lines.
    ///
    /// - Parameters:
    ///   - lanes: The lines, from the top down.
    ///   - unit: The span of time that a character stands for.
    ///   - style: The way in which the chart is written.
    public init(
        _ lanes: [Lane], unit: VirtualTime.Stride = .milliseconds(1), style: Style = .illustration
    ) {
        self.lanes = lanes
        self.unit = unit
        self.style = style
    }

    public var description: String {
        let width = lanes.map(\.name.count).max() ?? 0
        return zip(lanes, lines).map { lane, line in
            lane.name + String(repeating: " ", count: width - lane.name.count + 4) + line
        }.joined(separator: "\n")
    }

    /// The diagrams alone, one line for each lane. Where nothing happens in any of them for long, the time stands in place
    /// of its dashes.
    public var lines: [String] {
        let cells = lanes.map(cells(of:))
        let segments = segments(cells)
        return zip(lanes, cells).map { lane, cells in
            let goesOn = lane.timeline.end == nil
            let end = cells.keys.max() ?? 0
            var line = ""
            var width = 0
            for segment in segments where segment.moment <= end || goesOn {
                line += padding(width - line.count)
                line += segment.pause ?? cells[segment.moment] ?? "-"
                width += segment.width
            }
            guard goesOn else { return line }
            // What goes on says so.
            let isLast = segments.last.map { cells[$0.moment] != nil } ?? true
            return line + (isLast && width == line.count ? "-" : padding(width - line.count))
        }
    }

    /// A moment, or a long time in which nothing happens in any lane.
    private struct Segment {
        let moment: Int
        let pause: String?
        let width: Int
    }

    private func segments(_ cells: [[Int: String]]) -> [Segment] {
        var segments: [Segment] = []
        var next = 0
        let moments = Set(cells.flatMap(\.keys)).sorted()
        for moment in moments.isEmpty ? [0] : moments {
            let pause = (next == 0 ? "" : " ") + duration(moment - next) + " "
            if moment - next > 2 * pause.count {
                segments.append(Segment(moment: next, pause: pause, width: pause.count))
                next = moment
            }
            while next <= moment {
                let width = cells.compactMap { $0[next]?.count }.max() ?? 1
                segments.append(Segment(moment: next, pause: nil, width: max(width, 1)))
                next += 1
            }
        }
        return segments
    }

    private func padding(_ count: Int) -> String {
        String(repeating: style == .illustration ? "-" : " ", count: max(count, 0))
    }

    private func duration(_ moments: Int) -> String {
        let nanoseconds = moments * max(unit.magnitude, 1)
        let units = [("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1_000)]
        let (name, size) = units.first { nanoseconds.isMultiple(of: $0.1) } ?? ("ns", 1)
        return "\(nanoseconds / size)\(name)"
    }

    /// What each moment of a lane shows.
    private func cells(of lane: Lane) -> [Int: String] {
        var moments: [Int: [String]] = [:]
        for event in lane.timeline.events {
            moments[event.time.nanoseconds / max(unit.magnitude, 1), default: []].append(text(event.signal))
        }
        return moments.mapValues { texts in
            // In an illustration an end behind one value needs no brackets to be understood.
            let isPlain =
                texts.count == 1
                || (style == .illustration && texts.count == 2 && ["|", "✕", ";"].contains(texts[1]))
            return isPlain ? texts.joined() : "(\(texts.joined()))"
        }
    }

    private func text(_ signal: Timeline<String>.Signal) -> String {
        switch signal {
        case .value(let value): style == .notation ? MarbleReader.quoted(value) : value
        case .finished: "|"
        case .failure(let label):
            style == .notation && label != "\(TestFailure())" ? "✕\(MarbleReader.inQuotes(label))" : "✕"
        case .cancelled: ";"
        }
    }
}

extension Timeline: CustomStringConvertible {
    /// The timeline's diagram, one character for each millisecond, which ``init(_:unit:startingAt:)`` reads back.
    public var description: String {
        MarbleChart([MarbleChart.Lane("", self)], style: .notation).lines.first ?? ""
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
        let chart = MarbleChart(lanes, unit: unit, style: .notation)
        let lines = chart.lines.map(Array.init)
        let common = zip(lines[0], lines[1]).prefix { $0 == $1 }.count
        return "\(chart)\n\(String(repeating: " ", count: "expected".count + 4 + common))^"
    }
}
