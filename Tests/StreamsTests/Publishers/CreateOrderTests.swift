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

    @Test("A source that sends from onRequest while something is requested is told of every request when it counts")
    func toldInTime() {
        let rounds = (0..<(40 * raceCount)).map { _ in Pulled() }
        duel(rounds.map { round in ({ for _ in 0..<20 { round.listen() } }, { round.subscriber.request(.max(1)) }) })
        #expect(rounds.count { $0.subscriber.values != [1] } == 0)
    }

    /// A stream whose source sends only when it is told.
    private struct Pulled: Sendable {
        let subscriber = RecordingSubscriber<Int, Never>(initialDemand: .none)
        private let emitters = Recorded<[Emitter<Int, Never>]>([])

        init() {
            AnyPublisher<Int, Never>.create(.dropNewest) { [emitters] emitter in
                emitters.update { $0.append(emitter) }
                return Disposable()
            }.subscribe(subscriber)
            listen()
        }

        /// Has the source told anew.
        func listen() {
            for emitter in emitters.value {
                emitter.onRequest { _ in
                    while emitter.requested > .none { emitter.send(1) }
                }
            }
        }
    }
}
