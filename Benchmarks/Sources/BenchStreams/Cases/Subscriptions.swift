import CAllocations
import OpenCombine
import Streams

/// The least that a subscription can be: one object with one closure.
private final class OneClosure: Sendable {
    let closure: @Sendable (Int) -> Void

    init(_ closure: @escaping @Sendable (Int) -> Void) {
        self.closure = closure
    }
}

/// OpenCombine's subject with many subscribers, made once. Its types aren't Sendable.
private struct PeerCrowd {
    static let made = SerialState(PeerCrowd())

    let subject = OpenCombine.PassthroughSubject<Int, Never>()
    let sinks: [OpenCombine.AnyCancellable]

    init() {
        let subject = subject
        sinks = (0..<10_000).map { _ in subject.map { $0 &+ 1 }.sink { keep($0) } }
    }
}

func subscriptionCases() -> [Case] {
    let count = opaque(10_000)
    return [
        Case(
            "Just → map → sink, per subscription", per: count,
            [
                Subject("one object, one closure") {
                    for value in 0..<count {
                        let one = OneClosure { keep($0 &+ opaque(value)) }
                        one.closure(value)
                        keepAlive(one)
                    }
                },
                Subject("Streams") {
                    for value in 0..<count { _ = Streams.Just(value).map { $0 &+ 1 }.sink { keep($0) } }
                },
                Subject("OpenCombine") {
                    for value in 0..<count { _ = OpenCombine.Just(value).map { $0 &+ 1 }.sink { keep($0) } }
                },
                Subject("async-algorithms") { iterationPerSubscription(count) },
            ]),
        Case(
            "subscribe to a subject, then cancel", per: count,
            [
                Subject("Streams") {
                    let subject = Streams.PassthroughSubject<Int, Never>()
                    for _ in 0..<count { subject.map { $0 &+ 1 }.sink { keep($0) }.cancel() }
                },
                Subject("OpenCombine") {
                    let subject = OpenCombine.PassthroughSubject<Int, Never>()
                    for _ in 0..<count { subject.map { $0 &+ 1 }.sink { keep($0) }.cancel() }
                },
                Subject("AsyncStream and a task") { taskPerSubscription(count) },
            ]),
        Case(
            "the same with 10,000 live subscribers", per: count,
            [
                Subject("Streams") {
                    struct Crowd {
                        static let subject = Streams.PassthroughSubject<Int, Never>()
                        static let sinks = (0..<10_000).map { _ in subject.map { $0 &+ 1 }.sink { keep($0) } }
                    }
                    withExtendedLifetime(Crowd.sinks) {
                        for _ in 0..<count { Crowd.subject.map { $0 &+ 1 }.sink { keep($0) }.cancel() }
                    }
                },
                Subject("OpenCombine") {
                    PeerCrowd.made.withValue { crowd in
                        for _ in 0..<count { crowd.subject.map { $0 &+ 1 }.sink { keep($0) }.cancel() }
                    }
                },
            ]),
    ]
}
