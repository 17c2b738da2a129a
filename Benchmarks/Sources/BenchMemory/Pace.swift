import Dispatch
import Streams

/// The memory that it takes to get five values of a synchronous source of very many, behind operators that queue.
struct Pace {
    let name: String
    /// - Parameter count: How many values the source has.
    let run: @Sendable (_ count: Int) -> Void

    /// Subscribes, requests everything and cancels inside the fifth value.
    private static func five<P: Publisher>(_ publisher: P, then act: () -> Void = {}) {
        let subscription = SerialDisposable()
        let upstream = Recipient<P.Output, P.Failure>(subscription)
        publisher.subscribe(upstream.subscriber)
        upstream.request()
        act()
        subscription.cancel()
    }

    /// A subscriber that wants five values, and requests everything late.
    private struct Recipient<Input: Sendable, Failure: Error> {
        let subscriber: AnySubscriber<Input, Failure>
        let request: () -> Void

        init(_ disposable: SerialDisposable) {
            let kept = CurrentValueSubject<(any Subscription)?, Never>(nil)
            let count = CurrentValueSubject<Int, Never>(0)
            subscriber = AnySubscriber(
                receiveSubscription: { subscription in
                    disposable.set(subscription)
                    kept.send(subscription)
                },
                receiveValue: { _ in
                    count.send(count.value + 1)
                    if count.value == 5 { disposable.cancel() }
                    return .none
                })
            request = { kept.value?.request(.unlimited) }
        }
    }

    static let all: [Pace] = [
        Pace(name: "flatMap, one at a time: the second publisher") { count in
            five(
                [0, 1].publisher.flatMap(maxPublishers: .max(1)) { $0 == 0 ? (0..<1).publisher : (0..<count).publisher }
            )
        },
        Pace(name: "concatMap: the second publisher") { count in
            five([0, 1].publisher.concatMap { $0 == 0 ? (0..<1).publisher : (0..<count).publisher })
        },
        Pace(name: "concatMap: the upstream") { count in
            five((0..<count).publisher.concatMap { _ in Empty<Int, Never>(completeImmediately: false) })
        },
        Pace(name: "retryWhen, with a trigger that comes later") { count in
            let first = PassthroughSubject<Int, NoMore>()
            let trigger = PassthroughSubject<Void, NoMore>()
            let isFirst = CurrentValueSubject<Bool, Never>(true)
            five(
                Deferred {
                    defer { isFirst.send(false) }
                    return isFirst.value
                        ? first.eraseToAnyPublisher()
                        : (0..<count).publisher.setFailureType(to: NoMore.self).eraseToAnyPublisher()
                }.retryWhen { _ in trigger },
                then: {
                    first.send(completion: .failure(NoMore()))
                    trigger.send()
                })
        },
        Pace(name: "zip with a second publisher that has five") { count in
            five((0..<count).publisher.zip((0..<5).publisher))
        },
        Pace(name: "prefix(untilOutputFrom:)") { count in
            five((0..<count).publisher.prefix(untilOutputFrom: Empty<Int, Never>(completeImmediately: false)))
        },
        Pace(name: "combineLatest, the first of two") { count in
            five((0..<count).publisher.combineLatest((0..<5).publisher))
        },
        Pace(name: "sample") { count in five((0..<count).publisher.sample((0..<5).publisher)) },
        Pace(name: "withLatestFrom, the other") { count in
            five((0..<5).publisher.withLatestFrom((0..<count).publisher))
        },
        Pace(name: "collect by time or count") { count in
            let queue = DispatchQueue(label: "collect")
            five((0..<count).publisher.collect(.byTimeOrCount(queue, .seconds(600), 5))) { queue.sync {} }
        },
    ]

    /// Prints how far the peak of each rises above what was resident before it.
    static func measure(_ count: Int) {
        print("Peak memory for five values of \(count):")
        for pace in all {
            Memory.resetPeak()
            let before = Memory.resident
            pace.run(count)
            print("    \(pace.name): \(max(0, Memory.peak - before)) KB")
        }
    }
}

/// The failure of a first attempt.
struct NoMore: Error {}
