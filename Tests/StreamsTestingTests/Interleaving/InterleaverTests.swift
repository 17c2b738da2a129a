import Streams
import StreamsTesting
import Synchronization
import Testing

@Suite("Interleaver")
struct InterleaverTests {
    private func order(seed: UInt64) -> String {
        let interleaver = Interleaver(Choices(seed: seed))
        interleaver.run([
            .init("a", [{ interleaver.pause() }, { interleaver.pause() }]), .init("b", [{ interleaver.pause() }, {}]),
            .init("c", [{}]),
        ])
        return interleaver.trace
    }

    @Test("The same seed gives the same order, other seeds give others, nested ones among them")
    func orders() {
        let orders = Set((0..<200).map { order(seed: $0) })
        #expect(order(seed: 5) == order(seed: 5))
        #expect(orders.count > 20)
        #expect(orders.contains { $0.hasPrefix("a( b(") })
        #expect(orders.allSatisfy { $0.filter { $0 == "(" }.count == 5 })
    }

    @Test("A subject without a queue of its own is caught overlapping its signals, with a small order")
    func overlap() {
        /// Delivers each value on the spot, also while another is being delivered.
        final class Naive: Publisher, Subscription {
            typealias Output = Int
            typealias Failure = TestFailure
            let downstream = Mutex<AnySubscriber<Int, TestFailure>?>(nil)
            let a: AnyPublisher<Int, TestFailure>
            let b: AnyPublisher<Int, TestFailure>
            let cancellables = Mutex<[AnyCancellable]>([])

            init(_ a: AnyPublisher<Int, TestFailure>, _ b: AnyPublisher<Int, TestFailure>) {
                (self.a, self.b) = (a, b)
            }

            func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == TestFailure {
                downstream.withLock { $0 = AnySubscriber(subscriber) }
                subscriber.receive(subscription: self)
                for upstream in [a, b] {
                    let sink = upstream.sink(
                        receiveCompletion: { _ in },
                        receiveValue: { [self] value in _ = downstream.withLock { $0 }?.receive(value) })
                    cancellables.withLock { $0.append(sink) }
                }
            }

            func request(_ demand: Subscribers.Demand) {}

            func cancel() {
                downstream.withLock { $0 = nil }
                cancellables.withLock { $0 = [] }
            }
        }
        let property = InterleavingProperty<Int>("naive merge", inputs: 2, asksAhead: true) { Naive($0[0], $0[1]) }
        #expect {
            try property.check(cases: 500, seed: 1)
        } throws: {
            ($0 as? PropertyFailure)?.reason.contains("against the contract") ?? false
        }
    }
}
