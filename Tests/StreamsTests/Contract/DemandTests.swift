import Foundation
import Streams
import StreamsTesting
import Testing

@Suite("Demand")
struct DemandTests {
    @Test("Arithmetic saturates at unlimited and at none")
    func arithmetic() {
        typealias Demand = Subscribers.Demand
        #expect(Demand.max(.max - 1) + .max(5) == .unlimited)
        #expect(Demand.unlimited + 1 == .unlimited)
        #expect(Demand.unlimited - 1 == .unlimited)
        #expect(Demand.unlimited - .unlimited == .unlimited)
        #expect(Demand.max(2) - .max(5) == .none)
        #expect(Demand.max(.max / 2) * 3 == .unlimited)
        #expect(Demand.unlimited * 0 == .none)
        #expect(Demand.max(3) < .unlimited)
        #expect(Demand.unlimited.max == nil)
        var demand = Demand.max(2)
        demand *= 3
        #expect(demand == .max(6))
        demand += 2
        demand += .max(4)
        #expect(demand == .max(12))
        demand -= 1
        demand -= .max(3)
        #expect(demand == .max(8))
    }

    @Test("A request for none, and one after the end or the cancel, does nothing")
    func noRequests() {
        let subscriber = RecordingSubscriber<Int, Never>(initialDemand: .none)
        (1...3).publisher.map { $0 }.prefix(2).subscribe(subscriber)
        subscriber.request(.none)
        #expect(subscriber.values == [])
        subscriber.request(.max(2))
        #expect(subscriber.values == [1, 2])
        subscriber.request(.unlimited)
        subscriber.cancel()
        subscriber.request(.max(1))
        #expect(subscriber.values == [1, 2])
        #expect(subscriber.isFinished)
        #expect(subscriber.violations.isEmpty)
    }

    private static let numbers = (1...6).publisher
    private static let sources: [AnyPublisher<Int, Never>] = [
        numbers.eraseToAnyPublisher(),
        AnyPublisher.create { emitter in
            for value in 1...6 { emitter.send(value) }
            emitter.send(completion: .finished)
            return Disposable()
        },
        numbers.buffer(size: 10, prefetch: .keepFull, whenFull: .dropNewest).eraseToAnyPublisher(),
        numbers.flatMap { Just($0) }.eraseToAnyPublisher(),
        numbers.flatMap(maxPublishers: .max(1)) { Just($0) }.eraseToAnyPublisher(),
        numbers.zip(numbers).map { $0.0 }.eraseToAnyPublisher(),
        numbers.filter { $0 > 0 }.append([]).eraseToAnyPublisher(),
        numbers.receive(on: ImmediateScheduler.shared).eraseToAnyPublisher(),
        numbers.collect(1).map { $0[0] }.eraseToAnyPublisher(),
        Just(numbers).switchToLatest().eraseToAnyPublisher(),
        numbers.withLatestFrom(Just(0)).map { $0.0 }.eraseToAnyPublisher(),
        numbers.prefix(untilOutputFrom: Empty<Int, Never>(completeImmediately: false)).eraseToAnyPublisher(),
        [numbers].zipped().map { $0[0] }.eraseToAnyPublisher(),
    ]

    @Test("Demand that is nearly unlimited, on top of what is open, overflows nowhere", arguments: sources)
    func nearlyUnlimited(_ source: AnyPublisher<Int, Never>) {
        let subscriber = RecordingSubscriber<Int, Never>(
            initialDemand: .max(2), demandForValue: { $0 < 4 ? .max(.max - 1) : .none },
            onValue: { subscriber, value in if value == 5 { subscriber.request(.max(.max - 1)) } })
        source.subscribe(subscriber)
        #expect(subscriber.values == Array(1...6))
        #expect(subscriber.isFinished)
        #expect(subscriber.violations.isEmpty)
    }

    @Test("A request for none inside a value, or between two, changes nothing", arguments: sources)
    func noneInside(_ source: AnyPublisher<Int, Never>) {
        for demand in [Subscribers.Demand.max(3), .unlimited] {
            let isInside = Recorded(false)
            let subscriber = RecordingSubscriber<Int, Never>(
                initialDemand: demand,
                onValue: { subscriber, _ in
                    #expect(!isInside.value)
                    isInside.set(true)
                    subscriber.request(.none)
                    isInside.set(false)
                })
            source.subscribe(subscriber)
            subscriber.request(.none)
            #expect(subscriber.values == (demand == .unlimited ? Array(1...6) : [1, 2, 3]))
            subscriber.request(.max(2))
            subscriber.request(.none)
            #expect(subscriber.values == (demand == .unlimited ? Array(1...6) : [1, 2, 3, 4, 5]))
            subscriber.request(.unlimited)
            #expect(subscriber.values == Array(1...6))
            #expect(subscriber.isFinished && subscriber.violations.isEmpty, "\(subscriber.violations)")
        }
    }

    @Test("What is computed below zero is none")
    func negative() {
        typealias Demand = Subscribers.Demand
        #expect(Demand.max(-1) == .none)
        #expect(Demand.max(.min) == .none)
        #expect(Demand.max(3) + -1 == .max(2))
        #expect(Demand.max(3) + .min == .none)
        #expect(Demand.max(3) - -1 == .max(4))
        #expect(Demand.max(3) - .min == .unlimited)
        #expect(Demand.max(3) - .max == .none)
        #expect(Demand.max(3) * -1 == .none)
        #expect(Demand.unlimited + -1 == .unlimited)
        #expect(Demand.unlimited * -1 == .none)
        let subscriber = RecordingSubscriber<Int, Never>(initialDemand: .max(-1))
        (1...3).publisher.subscribe(subscriber)
        #expect(subscriber.values == [])
        #expect(subscriber.violations.isEmpty)
    }

    @Test("What is written is read; a negative count is corrupt data")
    func coding() throws {
        for demand in [Subscribers.Demand.none, .max(7), .unlimited] {
            let data = try JSONEncoder().encode(demand)
            #expect(try JSONDecoder().decode(Subscribers.Demand.self, from: data) == demand)
        }
        #expect(throws: DecodingError.self) {
            _ = try JSONDecoder().decode(Subscribers.Demand.self, from: Data("-1".utf8))
        }
    }
}
