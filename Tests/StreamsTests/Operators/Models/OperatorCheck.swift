import Streams
import StreamsTesting
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The seed that a failure printed, to run that case again.
let replayedSeed = getenv("STREAMS_SEED").flatMap { UInt64(String(cString: $0)) }

/// How an upstream or a stream ends.
enum End: Hashable, Sendable {
    case finished, failed(TestError)
}

/// What an operator makes of an upstream, by a pure function over arrays.
struct Outcome<Value: Equatable & Sendable>: Equatable, Sendable {
    var values: [Value]
    var end: End

    init(_ values: [Value], _ end: End) {
        self.values = values
        self.end = end
    }
}

/// Checks an operator against its model: random values and end, from a cold source and from a subject, under unlimited
/// demand, one at a time and in random bursts, cancelled at a random value. Prints the seed of what fails.
func check<Value: Equatable & Sendable, Failure: Error>(
    _ name: String, cases: Int = 300,
    model: ([Int], End) -> Outcome<Value>,
    make: (AnyPublisher<Int, TestError>) -> any Publisher<Value, Failure>,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let first = replayedSeed ?? UInt64.random(in: 0..<1 << 40)
    for seed in first..<first + UInt64(replayedSeed == nil ? cases : 1) {
        var random = SeededGenerator(seed: seed)
        let values = (0..<Int.random(in: 0...8, using: &random)).map { _ in Int.random(in: 0...5, using: &random) }
        let end = Int.random(in: 0..<3, using: &random) == 0 ? End.failed(.expected) : .finished
        let expected = model(values, end)
        let policy = Int.random(in: 0..<3, using: &random)
        let cancelAt = Int.random(in: 0..<4, using: &random) == 0 ? Int.random(in: 1...4, using: &random) : nil
        let isHot = Bool.random(using: &random)
        let count = Counter()
        let subscriber = RecordingSubscriber<Value, Failure>(
            initialDemand: policy == 0 ? .unlimited : policy == 1 ? .max(1) : .none,
            demandForValue: { _ in policy == 1 ? .max(1) : .none },
            onValue: { subscriber, _ in
                count.increment()
                if count.count == cancelAt { subscriber.cancelInSignal() }
            })
        let subject = PassthroughSubject<Int, TestError>()
        let completion: Subscribers.Completion<TestError> = end == .finished ? .finished : .failure(.expected)
        let cold = values.publisher.setFailureType(to: TestError.self)
            .append(Publishers.Ending(completion: completion)).eraseToAnyPublisher()
        // A subject drops what was not requested: it is for unlimited demand.
        let useSubject = isHot && policy == 0
        subscribe(make(useSubject ? subject.eraseToAnyPublisher() : cold), subscriber)
        if useSubject {
            for value in values { subject.send(value) }
            subject.send(completion: completion)
        }
        // More requests than there are values, so that every stream comes to its end.
        if policy == 2 { for _ in 0..<40 { subscriber.request(.max(Int.random(in: 1...3, using: &random))) } }
        let context =
            "\(name): STREAMS_SEED=\(seed), upstream \(values) \(end), policy \(policy), cancel at \(cancelAt.map(String.init) ?? "-")"
        #expect(subscriber.violations.isEmpty, "\(context): \(subscriber.violations)", sourceLocation: sourceLocation)
        if let cancelAt, expected.values.count >= cancelAt {
            #expect(
                subscriber.values == Array(expected.values.prefix(cancelAt)), Comment(rawValue: context),
                sourceLocation: sourceLocation)
            #expect(subscriber.completion == nil, Comment(rawValue: context), sourceLocation: sourceLocation)
        } else {
            #expect(subscriber.values == expected.values, Comment(rawValue: context), sourceLocation: sourceLocation)
            #expect(subscriber.end == expected.end, Comment(rawValue: context), sourceLocation: sourceLocation)
        }
    }
}

func subscribe<P: Publisher, Value: Sendable, Failure: Error>(
    _ publisher: P, _ subscriber: RecordingSubscriber<Value, Failure>
) where P.Output == Value, P.Failure == Failure {
    publisher.subscribe(subscriber)
}

extension Publishers {
    /// Delivers nothing but an end.
    struct Ending: Publisher {
        typealias Output = Int
        typealias Failure = TestError

        let completion: Subscribers.Completion<TestError>

        func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == TestError {
            subscriber.receive(subscription: Subscriptions.empty)
            subscriber.receive(completion: completion)
        }
    }
}

extension RecordingSubscriber {
    var end: End? {
        switch completion {
        case nil: nil
        case .finished: .finished
        case .failure(let error): .failed((error as? TestError) ?? .overflow)
        }
    }
}
