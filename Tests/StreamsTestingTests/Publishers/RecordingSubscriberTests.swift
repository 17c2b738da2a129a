import Streams
import StreamsTesting
import Testing

@Suite("The recording subscriber")
struct RecordingSubscriberTests {
    /// Does whatever it is told, contract or not.
    private struct Rogue: Publisher {
        typealias Output = Int
        typealias Failure = Never

        let misbehave: @Sendable (AnySubscriber<Int, Never>) -> Void

        func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
            misbehave(AnySubscriber(subscriber))
        }
    }

    private func violations(
        demand: Subscribers.Demand = .unlimited, _ misbehave: @escaping @Sendable (AnySubscriber<Int, Never>) -> Void
    ) -> [RecordingSubscriber<Int, Never>.Violation] {
        let subscriber = RecordingSubscriber<Int, Never>(initialDemand: demand)
        Rogue(misbehave: misbehave).subscribe(subscriber)
        return subscriber.violations
    }

    @Test("It notes each breach of the contract")
    func breaches() {
        #expect(violations { _ = $0.receive(1) }.first == .signalBeforeSubscription)
        #expect(
            violations(demand: .max(1)) {
                $0.receive(subscription: Subscriptions.empty)
                _ = $0.receive(1)
                _ = $0.receive(2)
            } == [.valueBeyondDemand])
        #expect(
            violations {
                $0.receive(subscription: Subscriptions.empty)
                $0.receive(completion: .finished)
                _ = $0.receive(1)
            } == [.signalAfterCompletion])
    }

    @Test("It notes nothing against a publisher that keeps the contract")
    func faultless() {
        let subscriber = RecordingSubscriber<Int, Never>(initialDemand: .max(1), demandForValue: { _ in .max(1) })
        (1...5).publisher.subscribe(subscriber)
        #expect(subscriber.values == [1, 2, 3, 4, 5])
        #expect(subscriber.isFinished)
        #expect(subscriber.violations.isEmpty)
    }
}
