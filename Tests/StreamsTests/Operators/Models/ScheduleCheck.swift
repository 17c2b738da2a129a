import Streams
import StreamsTesting
import Testing

/// What happens on one of two upstreams.
enum ScheduledSignal: Hashable, Sendable {
    case value(Int)
    case end(End)
}

/// Checks an operator of two publishers against its model: two subjects, a random order of their signals, unlimited
/// demand or random requests in between.
func checkSchedules<Value: Equatable & Sendable>(
    _ name: String, cases: Int = 400,
    model: (_ schedule: [(side: Int, signal: ScheduledSignal)]) -> (values: [Value], end: End?),
    make: (PassthroughSubject<Int, TestError>, PassthroughSubject<Int, TestError>) -> any Publisher<Value, TestError>,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let first = replayedSeed ?? UInt64.random(in: 0..<1 << 40)
    for seed in first..<first + UInt64(replayedSeed == nil ? cases : 1) {
        var random = SeededGenerator(seed: seed)
        var hasEnded = [false, false]
        var schedule: [(side: Int, signal: ScheduledSignal)] = []
        for _ in 0..<Int.random(in: 0...14, using: &random) {
            let side = Int.random(in: 0...1, using: &random)
            guard !hasEnded[side] else { continue }
            switch Int.random(in: 0..<12, using: &random) {
            case 0:
                schedule.append((side, .end(.finished)))
                hasEnded[side] = true
            case 1:
                schedule.append((side, .end(.failed(.expected))))
                hasEnded[side] = true
            default: schedule.append((side, .value(schedule.count + 100 * side)))
            }
        }
        let subjects = [PassthroughSubject<Int, TestError>(), PassthroughSubject<Int, TestError>()]
        let subscriber = RecordingSubscriber<Value, TestError>()
        subscribe(make(subjects[0], subjects[1]), subscriber)
        for (side, signal) in schedule {
            switch signal {
            case .value(let value): subjects[side].send(value)
            case .end(.finished): subjects[side].send(completion: .finished)
            case .end(.failed(let error)): subjects[side].send(completion: .failure(error))
            }
        }
        let expected = model(schedule)
        let context = Comment(rawValue: "\(name): STREAMS_SEED=\(seed), \(schedule)")
        #expect(subscriber.values == expected.values, context, sourceLocation: sourceLocation)
        #expect(subscriber.end == expected.end, context, sourceLocation: sourceLocation)
        #expect(subscriber.violations.isEmpty, context, sourceLocation: sourceLocation)
        if subscriber.completion != nil {
            #expect(!subjects[0].hasSubscribers && !subjects[1].hasSubscribers, context, sourceLocation: sourceLocation)
        }
    }
}
