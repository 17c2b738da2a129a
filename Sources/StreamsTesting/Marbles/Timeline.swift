import Streams

/// A list of signals with the moments of virtual time at which they come.
///
/// Write it as a diagram, `"1-2-3|"`, or build it in code.
public struct Timeline<Value: Sendable>: Sendable {
    /// A signal; a failure is known by what it prints.
    public enum Signal: Sendable {
        /// A value.
        case value(Value)
        /// The end of a stream that did not fail.
        case finished
        /// The failure that ends a stream, as it prints.
        case failure(String)
        /// The subscriber cancels.
        case cancelled
    }

    /// A signal and its moment.
    public struct Event: Sendable {
        /// The moment of the signal.
        public var time: VirtualTime
        /// The signal.
        public var signal: Signal

        /// Creates an event.
        ///
        /// - Parameters:
        ///   - time: The moment of the signal.
        ///   - signal: The signal.
        public init(at time: VirtualTime, _ signal: Signal) {
            self.time = time
            self.signal = signal
        }
    }

    /// The events, in the order in which they come.
    public private(set) var events: [Event]

    /// Creates a timeline of events; it is empty by default.
    ///
    /// - Parameter events: The events, in the order in which they come.
    public init(_ events: [Event] = []) {
        self.events = events
    }

    /// Adds a signal after the others.
    ///
    /// - Parameters:
    ///   - signal: The signal.
    ///   - time: The moment of the signal.
    public mutating func append(_ signal: Signal, at time: VirtualTime) {
        events.append(Event(at: time, signal))
    }

    /// Creates a timeline of values at moments in milliseconds, and then an end.
    ///
    /// - Parameters:
    ///   - values: The values and their moments in milliseconds.
    ///   - end: The moment at which the timeline finishes in milliseconds; nil if it doesn't.
    ///   - failure: The moment of the failure in milliseconds; nil for none.
    public init(values: [(milliseconds: Int, value: Value)], finishedAt end: Int? = nil, failedAt failure: Int? = nil) {
        events = values.map { Event(at: .milliseconds($0.milliseconds), .value($0.value)) }
        if let end { append(.finished, at: .milliseconds(end)) }
        if let failure { append(.failure("\(TestFailure())"), at: .milliseconds(failure)) }
    }

    /// The values alone.
    public var values: [Value] {
        events.compactMap { if case .value(let value) = $0.signal { value } else { nil } }
    }

    /// The end, if there is one.
    public var end: Signal? {
        events.last { if case .value = $0.signal { false } else { true } }?.signal
    }

    /// Returns a timeline with the values transformed.
    ///
    /// - Parameter transform: A closure that transforms a value.
    public func map<Other: Sendable>(_ transform: (Value) -> Other) -> Timeline<Other> {
        Timeline<Other>(events.map { Timeline<Other>.Event(at: $0.time, $0.signal.map(transform)) })
    }
}

extension Timeline.Signal {
    /// Returns a signal with its value transformed.
    ///
    /// - Parameter transform: A closure that transforms a value.
    public func map<Other: Sendable>(_ transform: (Value) -> Other) -> Timeline<Other>.Signal {
        switch self {
        case .value(let value): .value(transform(value))
        case .finished: .finished
        case .failure(let failure): .failure(failure)
        case .cancelled: .cancelled
        }
    }

    /// A Boolean value that indicates whether nothing may follow the signal.
    public var isEnd: Bool { if case .value = self { false } else { true } }
}

extension Timeline.Signal: Equatable where Value: Equatable {}
extension Timeline.Event: Equatable where Value: Equatable {}
extension Timeline: Equatable where Value: Equatable {}

extension VirtualTime {
    /// Returns the moment a number of milliseconds after the start.
    ///
    /// - Parameter milliseconds: The number of milliseconds.
    public static func milliseconds(_ milliseconds: Int) -> VirtualTime {
        zero.advanced(by: .milliseconds(milliseconds))
    }
}
