/// A publisher that delivers a recording: values, then an end.
///
///     Record(output: [1, 2], completion: .finished)   1-2|
///
/// Demand: values wait for requests; the end comes behind them. Delivers on the thread that requests.
public struct Record<Output: Sendable, Failure: Error>: Publisher {
    /// The recording that is delivered.
    public let recording: Recording

    /// A list of values, and an end.
    public struct Recording: Sendable {
        /// The values, in order.
        public private(set) var output: [Output] = []
        /// The end.
        public private(set) var completion: Subscribers.Completion<Failure> = .finished
        private var isOver = false

        public typealias Input = Output

        private enum CodingKeys: String, CodingKey {
            case output, completion
        }

        /// Creates an empty recording, which finishes.
        public init() {}

        /// Creates a recording of values and an end.
        ///
        /// - Parameters:
        ///   - output: The values.
        ///   - completion: The end.
        public init(output: [Output], completion: Subscribers.Completion<Failure> = .finished) {
            self.output = output
            self.completion = completion
            isOver = true
        }

        /// Adds a value to the recording.
        ///
        /// - Precondition: It has no end yet.
        ///
        /// - Parameter input: The value.
        public mutating func receive(_ input: Output) {
            precondition(!isOver, "A recording that has its end takes no more values.")
            output.append(input)
        }

        /// Adds the end to the recording.
        ///
        /// - Precondition: It has no end yet.
        ///
        /// - Parameter completion: The completion.
        public mutating func receive(completion: Subscribers.Completion<Failure>) {
            precondition(!isOver, "A recording has one end.")
            self.completion = completion
            isOver = true
        }
    }

    /// Creates a publisher that delivers a recording.
    ///
    /// - Parameter recording: The recording to deliver.
    public init(recording: Recording) {
        self.recording = recording
    }

    /// Creates a publisher that delivers what a closure records.
    ///
    /// - Parameter record: Makes the recording.
    public init(record: (inout Recording) -> Void) {
        var recording = Recording()
        record(&recording)
        self.recording = recording
    }

    /// Creates a recording of values and an end.
    ///
    /// - Parameters:
    ///   - output: The values.
    ///   - completion: The end.
    public init(output: [Output], completion: Subscribers.Completion<Failure>) {
        recording = Recording(output: output, completion: completion)
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        attach(AnySubscriber(subscriber))
    }

    @usableFromInline
    func attach(_ subscriber: AnySubscriber<Output, Failure>) {
        let values = Publishers.Sequence<[Output], Failure>(sequence: recording.output)
        switch recording.completion {
        case .finished: values.receive(subscriber: subscriber)
        case .failure(let failure): values.append(Fail(error: failure)).receive(subscriber: subscriber)
        }
    }
}

extension Record: Codable where Output: Codable, Failure: Codable {}
extension Record.Recording: Encodable where Output: Encodable, Failure: Encodable {}

extension Record.Recording where Output: Codable, Failure: Codable {
    /// Encodes the recording.
    ///
    /// - Parameter encoder: The encoder.
    public func encode(into encoder: any Encoder) throws {
        try encode(to: encoder)
    }
}

extension Record.Recording: Decodable where Output: Decodable, Failure: Decodable {
    /// Decodes a recording, which is complete.
    ///
    /// - Parameter decoder: The decoder.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            output: try container.decode([Output].self, forKey: .output),
            completion: try container.decode(Subscribers.Completion<Failure>.self, forKey: .completion))
    }
}
