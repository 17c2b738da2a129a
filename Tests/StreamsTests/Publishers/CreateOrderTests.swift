import Streams
import StreamsTesting
import Synchronization
import Testing

@Suite("create, order")
struct CreateOrderTests {
    private enum Impossible: Error {}

    @Test("A request that comes while a value is sent goes to what was queued before that value")
    func requestRacesSend() {
        for _ in 0..<raceCount {
            let emitters = Mutex<Emitter<Int, Impossible>?>(nil)
            let subscriber = RecordingSubscriber<Int, Impossible>(initialDemand: .none)
            AnyPublisher<Int, Impossible>.create(.unbounded) { emitter in
                emitters.withLock { $0 = emitter }
                return Disposable()
            }.subscribe(subscriber)
            guard let emitter = emitters.withLock({ $0 }) else {
                Issue.record("The factory did not run.")
                return
            }
            race([
                { for value in 0..<12 { emitter.onNext(value) } },
                { for _ in 0..<12 { subscriber.request(.max(1)) } },
            ])
            guard subscriber.values == Array(0..<12) else {
                Issue.record("\(subscriber.values)")
                return
            }
        }
    }
}
