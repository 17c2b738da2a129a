import CAllocations
import Dispatch
import OpenCombine
import Streams

func subjectCases() -> [Case] {
    let count = opaque(100_000)
    // Enough that the threads' start doesn't decide.
    let many = opaque(500_000)
    let direct: [@Sendable (Int) -> Void] = [{ if ($0 &+ 1) & 3 != 0 { keep($0 &+ 1) } }, { keep($0) }]
    return [
        Case(
            "subject → map → filter → sink", per: count,
            [
                Subject("a call of a stored closure") {
                    let sink = direct[opaque(0)]
                    for value in 0..<count { sink(value) }
                },
                Subject("Streams") {
                    let subject = Streams.PassthroughSubject<Int, Never>()
                    let sink = subject.map { $0 &+ 1 }.filter { $0 & 3 != 0 }.sink { keep($0) }
                    for value in 0..<count { subject.send(value) }
                    withExtendedLifetime(sink) {}
                },
                Subject("OpenCombine") {
                    let subject = OpenCombine.PassthroughSubject<Int, Never>()
                    let sink = subject.map { $0 &+ 1 }.filter { $0 & 3 != 0 }.sink { keep($0) }
                    for value in 0..<count { subject.send(value) }
                    withExtendedLifetime(sink) {}
                },
                Subject("AsyncStream") {
                    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
                    for value in 0..<count { continuation.yield(value) }
                    continuation.finish()
                    blocking {
                        for await value in stream where (value &+ 1) & 3 != 0 { keep(value &+ 1) }
                    }
                },
            ]),
        Case(
            "subject → 8 × (map → filter → sink)", per: count,
            [
                Subject("Streams") {
                    let subject = Streams.PassthroughSubject<Int, Never>()
                    let sinks = (0..<8).map { _ in
                        subject.map { $0 &+ 1 }.filter { $0 & 3 != 0 }.sink { keep($0) }
                    }
                    for value in 0..<count { subject.send(value) }
                    withExtendedLifetime(sinks) {}
                },
                Subject("OpenCombine") {
                    let subject = OpenCombine.PassthroughSubject<Int, Never>()
                    let sinks = (0..<8).map { _ in
                        subject.map { $0 &+ 1 }.filter { $0 & 3 != 0 }.sink { keep($0) }
                    }
                    for value in 0..<count { subject.send(value) }
                    withExtendedLifetime(sinks) {}
                },
                Subject("8 AsyncStreams") { streamsToReaders(count, readers: 8) },
            ]),
        Case(
            "two threads into one subject", per: 2 * many,
            [
                Subject("Streams") {
                    let subject = Streams.PassthroughSubject<Int, Never>()
                    let sink = subject.map { $0 &+ 1 }.filter { $0 & 3 != 0 }.sink { keep($0) }
                    DispatchQueue.concurrentPerform(iterations: 2) { _ in
                        for value in 0..<many { subject.send(value) }
                    }
                    withExtendedLifetime(sink) {}
                },
                Subject("OpenCombine") {
                    let shared = SharedPeerSubject()
                    let sink = shared.subject.map { $0 &+ 1 }.filter { $0 & 3 != 0 }.sink { keep($0) }
                    DispatchQueue.concurrentPerform(iterations: 2) { _ in
                        for value in 0..<many { shared.subject.send(value) }
                    }
                    withExtendedLifetime(sink) {}
                },
                Subject("AsyncStream") { twoThreadsIntoAStream(many) },
            ]),
        Case(
            "share to 4", per: count,
            [
                Subject("Streams") {
                    let subject = Streams.PassthroughSubject<Int, Never>()
                    let shared = subject.map { $0 &+ 1 }.share()
                    let sinks = (0..<4).map { _ in shared.sink { keep($0) } }
                    for value in 0..<count { subject.send(value) }
                    withExtendedLifetime(sinks) {}
                },
                Subject("OpenCombine") {
                    let subject = OpenCombine.PassthroughSubject<Int, Never>()
                    let shared = subject.map { $0 &+ 1 }.share()
                    let sinks = (0..<4).map { _ in shared.sink { keep($0) } }
                    for value in 0..<count { subject.send(value) }
                    withExtendedLifetime(sinks) {}
                },
                Subject("async-algorithms") { asynchronousShare(count, readers: 4) },
            ]),
        Case(
            "create → sink", per: count,
            [
                Subject("a subject that isn't serialised") {
                    let subject = OpenCombine.PassthroughSubject<Int, Never>()
                    let sink = subject.sink { keep($0) }
                    for value in 0..<count { subject.send(value) }
                    withExtendedLifetime(sink) {}
                },
                Subject("Streams") {
                    _ = Streams.AnyPublisher<Int, Never>.create { emitter in
                        for value in 0..<count { emitter.onNext(value) }
                        return Streams.Disposable()
                    }.sink { keep($0) }
                },
                Subject("AsyncStream") { continuationPerValue(count) },
            ]),
    ]
}
