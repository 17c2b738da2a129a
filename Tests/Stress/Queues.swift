import Streams
import StreamsTesting
import Synchronization

private let spins = Atomic(0)

private func spin() { _ = spins.load(ordering: .relaxed) }

/// The queues with demand: one thread sends, the other requests, and the subscriber returns demand.
enum Queues {
    /// The numbers of one round.
    private struct Numbers: Sendable {
        let values: Int
        /// How many of them are sent before the threads begin.
        let early: Int
        /// How long the sender takes from one to the next.
        let pause: Int
        let requests: Int
        let finishes: Bool
        let watcher: Watcher

        init(_ random: inout SeededGenerator) {
            values = .random(in: 1...300, using: &random)
            early = .random(in: 0...values, using: &random)
            pause = .random(in: 0...100, using: &random)
            requests = .random(in: 0...300, using: &random)
            finishes = .random(using: &random)
            watcher = Watcher(
                initial: .random(in: 0...2, using: &random),
                returnsAt: [0, 1, 1, 2, 3].randomElement(using: &random) ?? 1)
        }

        func request() {
            for _ in 0..<requests { watcher.request(.max(1)) }
        }
    }

    private static func emitter(
        _ strategy: BackpressureStrategy<Watcher.Overflow>, _ watcher: Watcher
    ) -> Emitter<Int, Watcher.Overflow> {
        let emitters = Mutex<Emitter<Int, Watcher.Overflow>?>(nil)
        AnyPublisher<Int, Watcher.Overflow>.create(strategy) { emitter in
            emitters.withLock { $0 = emitter }
            return Disposable()
        }.subscribe(watcher)
        guard let emitter = emitters.withLock({ $0 }) else { fatalError("The factory did not run.") }
        return emitter
    }

    /// Values come in order, none is lost, and none comes that is sent after the end.
    static func order(_ random: inout SeededGenerator) -> Bout {
        let numbers = Numbers(&random)
        let watcher = numbers.watcher
        let send: @Sendable (Int) -> Void
        let finish: @Sendable () -> Void
        switch Int.random(in: 0...2, using: &random) {
        case 0:
            let emitter = emitter(.unbounded, watcher)
            (send, finish) = ({ emitter.send($0) }, { emitter.onComplete() })
        case 1:
            let upstream = PassthroughSubject<Int, Watcher.Overflow>()
            upstream.buffer(size: .max, prefetch: .byRequest, whenFull: .dropNewest).subscribe(watcher)
            (send, finish) = ({ upstream.send($0) }, { upstream.send(completion: .finished) })
        default:
            let replay = ReplaySubject<Int, Watcher.Overflow>(bufferSize: 1)
            replay.subscribe(watcher)
            (send, finish) = ({ replay.send($0) }, { replay.send(completion: .finished) })
        }
        for value in 0..<numbers.early { send(value) }
        return Bout {
            for value in numbers.early..<numbers.values {
                send(value)
                for _ in 0..<numbers.pause { spin() }
            }
            guard numbers.finishes else { return }
            finish()
            send(-1)
        } right: {
            numbers.request()
        } fault: {
            watcher.request(.unlimited)
            return watcher.fault(sent: numbers.values, isFinished: numbers.finishes)
        }
    }

    /// A source that sends from `onRequest`, while something is requested, sends all that is, whoever requests; and whoever
    /// sets the closure anew has it told at once.
    static func pull(_ random: inout SeededGenerator) -> Bout {
        let requests = Int.random(in: 1...4, using: &random)
        let watcher = Watcher(initial: 0, returnsAt: 0)
        let emitter = emitter(.fail(Watcher.Overflow()), watcher)
        let count = Counted()
        let listen: @Sendable () -> Void = {
            emitter.onRequest { _ in
                while emitter.requested > .none, count.value < requests { emitter.send(count.next()) }
            }
        }
        listen()
        return Bout {
            for _ in 0..<20 { listen() }
        } right: {
            for _ in 0..<requests { watcher.request(.max(1)) }
        } fault: {
            watcher.fault(sent: requests, isFinished: false)
        }
    }

    /// A source that sends only while something is requested never overflows, and loses nothing.
    static func pace(_ random: inout SeededGenerator) -> Bout {
        let numbers = Numbers(&random)
        let watcher = numbers.watcher
        let emitter = emitter(.fail(Watcher.Overflow()), watcher)
        let count = Counted()
        return Bout {
            // Looks now and then, as a device that is polled would.
            for _ in 0..<(4 * numbers.values) where emitter.requested > .none && count.value < numbers.values {
                emitter.send(count.next())
            }
            if numbers.finishes { emitter.onComplete() }
        } right: {
            numbers.request()
        } fault: {
            watcher.fault(sent: count.value, isFinished: numbers.finishes)
        }
    }

    /// Counts from 0.
    private final class Counted: Sendable {
        private let count = Atomic(0)

        var value: Int { count.load(ordering: .relaxed) }

        func next() -> Int { count.add(1, ordering: .relaxed).oldValue }
    }
}
