import Streams
import StreamsTesting
import Synchronization
import Testing

/// A sink behind flatMap is not hidden as other subscribers are: the code that serves it is another.
@Suite("flatMap right before a sink")
struct FlatMapIntoSinkTests {
    typealias Flattened = Publishers.FlatMap<AnyPublisher<Int, Never>, PassthroughSubject<Int, Never>>
    typealias Sink = (Flattened, @escaping @Sendable (Int) -> Void) -> AnyCancellable

    @Test("Both sinks get what a subscriber gets whose type is hidden, whatever is sent and cancelled inside of values")
    func sameAsHidden() {
        for seed in UInt64(0)..<400 {
            let hidden = Self.played(seed: seed) { flattened, receive in flattened.map { $0 }.sink { receive($0) } }
            let values = Self.played(seed: seed) { flattened, receive in flattened.sink { receive($0) } }
            #expect(values == hidden, "seed \(seed)")
            let both = Self.played(seed: seed) { flattened, receive in
                flattened.sink(receiveCompletion: { _ in receive(-1) }, receiveValue: { receive($0) })
            }
            #expect(both.filter { $0 != -1 } == hidden, "seed \(seed)")
            #expect(both.dropLast().allSatisfy { $0 != -1 }, "seed \(seed)")
        }
    }

    @Test("A cancel inside the n-th of a sequence's values is the last that a sink sees of flatMap")
    func cancelInside() {
        for last in 0..<6 {
            let seen = Mutex<[Int]>([])
            let cancellable = Mutex<AnyCancellable?>(nil)
            let start = PassthroughSubject<Int, Never>()
            let sink = start.flatMap { _ in (0..<1_000).publisher }.sink { value in
                seen.withLock { $0.append(value) }
                if value == last { cancellable.withLock { $0 }?.cancel() }
            }
            cancellable.withLock { $0 = sink }
            start.send(1)
            start.send(2)
            #expect(seen.withLock { $0 } == Array(0...last))
        }
    }

    /// What a subscriber sees of 60 random steps: publishers come and end, subjects send, and some of that is done inside values.
    private static func played(seed: UInt64, _ sink: Sink) -> [Int] {
        let play = Play(seed: seed)
        let cancellable = sink(play.outer.flatMap { play.inner($0) }) { play.receive($0) }
        play.cancellable.withLock { $0 = cancellable }
        for _ in 0..<60 { play.step() }
        for subject in play.subjects { subject.send(completion: .finished) }
        play.outer.send(completion: .finished)
        cancellable.cancel()
        play.cancellable.withLock { $0 = nil }
        return play.seen.withLock { $0 }
    }

    private final class Play: Sendable {
        let outer = PassthroughSubject<Int, Never>()
        let subjects = (0..<4).map { _ in PassthroughSubject<Int, Never>() }
        let seen = Mutex<[Int]>([])
        let cancellable = Mutex<AnyCancellable?>(nil)
        private let random: Mutex<SeededGenerator>
        private let depth = Mutex(0)

        init(seed: UInt64) {
            random = Mutex(SeededGenerator(seed: seed))
        }

        func inner(_ number: Int) -> AnyPublisher<Int, Never> {
            number < subjects.count
                ? subjects[number].eraseToAnyPublisher()
                : (0..<number).publisher.map { 100 * number + $0 }.eraseToAnyPublisher()
        }

        func receive(_ value: Int) {
            seen.withLock { $0.append(value) }
            let isDeep = depth.withLock { depth in
                depth += 1
                return depth > 3
            }
            if !isDeep, chance(of: 3) { step() }
            depth.withLock { $0 -= 1 }
        }

        func step() {
            switch random.withLock({ Int.random(in: 0..<40, using: &$0) }) {
            case 0: cancellable.withLock { $0 }?.cancel()
            case 1..<16: outer.send(random.withLock { Int.random(in: 0..<9, using: &$0) })
            case let step: subjects[step % subjects.count].send(step)
            }
        }

        private func chance(of count: Int) -> Bool {
            random.withLock { Int.random(in: 0..<count, using: &$0) == 0 }
        }
    }
}
