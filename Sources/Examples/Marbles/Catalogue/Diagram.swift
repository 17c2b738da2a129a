import Streams
import StreamsTesting

/// A diagram of an operator: what goes in, drawn by hand, and what comes out, as it really happens on virtual time.
public struct Diagram: Sendable {
    /// The source file whose doc comment shows it, without its ending.
    public let file: String
    /// The operator.
    public let name: String

    private let inputs: [(label: String, diagram: String)]
    private let isCold: Bool
    private let requests: String?
    private let outputs: @Sendable (Scene) -> [Output]

    /// What stands on a line below the inputs.
    struct Output: Sendable {
        let label: String
        let start: Int
        let publisher: AnyPublisher<String, any Error>

        /// - Parameter start: The moment at which it is subscribed to.
        init<P: Publisher>(_ label: String, at start: Int = 0, _ publisher: P) {
            self.label = label
            self.start = start
            self.publisher = publisher.map { "\($0)" }.mapError { $0 as any Error }.eraseToAnyPublisher()
        }
    }

    /// What an operator is given.
    struct Scene: Sendable {
        let inputs: [AnyPublisher<String, TestFailure>]
        let scheduler: VirtualTimeScheduler

        /// The first input.
        var texts: AnyPublisher<String, TestFailure> { inputs[0] }
        /// The first input as numbers.
        var ints: AnyPublisher<Int, TestFailure> { ints(0) }
        /// The second input.
        var other: AnyPublisher<String, TestFailure> { inputs[1] }

        func ints(_ index: Int) -> AnyPublisher<Int, TestFailure> {
            inputs[index].map { Int($0) ?? 0 }.eraseToAnyPublisher()
        }

        /// A publisher that begins when it is subscribed to, each value with a name in front.
        func inner(_ name: String, _ diagram: String) -> AnyPublisher<String, TestFailure> {
            TestPublisher(.cold, Diagram.timeline(diagram), on: scheduler).map { name + $0 }.eraseToAnyPublisher()
        }
    }

    /// - Parameters:
    ///   - requests: What is requested when, where that matters; everything at once if nil.
    ///   - isCold: Whether inputs begin when they are subscribed to, instead of at the left end.
    init(
        _ file: String, _ name: String, _ inputs: [(label: String, diagram: String)], requests: String? = nil,
        isCold: Bool = false, outputs: @escaping @Sendable (Scene) -> [Output]
    ) {
        self.file = file
        self.name = name
        self.inputs = inputs
        self.requests = requests
        self.isCold = isCold
        self.outputs = outputs
    }

    /// One input, one output.
    init<P: Publisher>(
        _ file: String, _ name: String, _ upstream: String, _ label: String, requests: String? = nil,
        isCold: Bool = false, _ make: @escaping @Sendable (Scene) -> P
    ) {
        self.init(file, name, [("upstream", upstream)], requests: requests, isCold: isCold) {
            [Output(label, make($0))]
        }
    }

    /// Two inputs, one output.
    init<P: Publisher>(
        _ file: String, _ name: String, _ upstream: String, _ otherName: String, _ other: String, _ label: String,
        _ make: @escaping @Sendable (Scene) -> P
    ) {
        self.init(file, name, [("upstream", upstream), (otherName, other)]) { [Output(label, make($0))] }
    }

    static func timeline(_ diagram: String) -> Timeline<String> {
        (try? Timeline<String>(diagram)) ?? Timeline()
    }

    /// Runs the operator and draws what happened.
    public func drawn() -> MarbleChart {
        let scheduler = VirtualTimeScheduler()
        let sources = inputs.map { TestPublisher(isCold ? .cold : .hot, Self.timeline($0.diagram), on: scheduler) }
        let scene = Scene(inputs: sources.map { $0.eraseToAnyPublisher() }, scheduler: scheduler)
        let made = outputs(scene)
        let recorders = made.map { output in
            let recorder = RecordingSubscriber<String, any Error>(
                demand: requests == nil ? .unlimited : .upTo(0), clock: scheduler)
            if output.start == 0 {
                output.publisher.subscribe(recorder)
            } else {
                scheduler.schedule(after: .milliseconds(output.start)) { output.publisher.subscribe(recorder) }
            }
            return recorder
        }
        for event in requests.map(Self.timeline)?.events ?? [] {
            guard case .value(let text) = event.signal, let count = Int(text) else { continue }
            scheduler.schedule(after: event.time) { for recorder in recorders { recorder.request(.max(count)) } }
        }
        scheduler.advance(by: .milliseconds(60))
        var lanes = inputs.map { MarbleChart.Lane($0.label, Self.timeline($0.diagram)) }
        if let requests { lanes.append(MarbleChart.Lane("requests", Self.timeline(requests))) }
        lanes += zip(made, recorders).map { MarbleChart.Lane($0.label, $1.timeline) }
        for recorder in recorders { recorder.cancel() }
        return MarbleChart(lanes)
    }
}

/// All diagrams, in the order of the doc comments of each file.
public enum Catalogue {
    public static let diagrams =
        combining + filtering + folding + transforming + timing + failing + flowing
}
