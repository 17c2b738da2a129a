import Streams
import Synchronization

extension Conformance {
    func lateValueIsDropped(_ input: Int) -> String? {
        let bench = Bench(self, input)
        let recorder = bench.subscribed(Recorder())
        bench.upstream.send(0..<2)
        guard recorder.completion == nil, !isTransparent(bench, recorder) else { return breach(recorder) }
        let count = recorder.values.count
        recorder.cancel()
        bench.upstream.force(7)
        bench.upstream.force(.finished)
        if recorder.values.count > count { return "a value that was sent after the cancel came through" }
        if recorder.completion != nil { return "a completion came after the cancel" }
        return breach(recorder)
    }

    func secondSubscriptionIsCancelled(_ input: Int) -> String? {
        let bench = Bench(self, input)
        let spare = SpareSubscription()
        let recorder = bench.subscribed(Recorder())
        guard bench.upstream.isOpen, !isTransparent(bench, recorder) else { return breach(recorder) }
        bench.upstream.force(subscription: spare)
        bench.upstream.send(0..<2)
        if spare.cancels != 1 { return "a second subscription was cancelled \(spare.cancels) times" }
        return breach(recorder)
    }

    func cancelReachesUpstreamOnce(_ input: Int) -> String? {
        let bench = Bench(self, input)
        let recorder = bench.subscribed(Recorder(initialDemand: .max(1)))
        bench.upstream.send(0..<1)
        guard bench.upstream.isOpen, !isTransparent(bench, recorder) else { return breach(recorder) }
        let subscription = recorder.takenSubscription()
        subscription?.cancel()
        let first = bench.upstream.cancels
        subscription?.cancel()
        subscription?.cancel()
        if first != 1 { return "the cancel reached the upstream \(first) times" }
        if bench.upstream.cancels != 1 { return "three cancels reached the upstream \(bench.upstream.cancels) times" }
        return breach(recorder)
    }

    func cancelInsideValue(_ input: Int) -> String? {
        // Of values as they come, and of values that have waited for demand.
        for demand in [Subscribers.Demand.unlimited, .none] {
            let bench = Bench(self, input)
            let recorder = bench.subscribed(
                Recorder(initialDemand: demand, onValue: { recorder, _ in recorder.cancelInSignal() }))
            bench.upstream.send(0..<10)
            bench.upstream.end(.finished)
            recorder.request(.unlimited)
            if recorder.values.count > 1 { return "\(recorder.values.count - 1) values came after the cancel" }
            if let breach = breach(recorder) { return breach }
        }
        return nil
    }

    func cancelInsideSubscription() -> String? {
        let upstreams = (0..<inputs).map { _ in ConformanceUpstream() }
        let before = Mutex<[Bool]?>(nil)
        let hasSignal = Atomic(false)
        make(upstreams.map { $0.eraseToAnyPublisher() }).subscribe(
            AnySubscriber<Output, any Error>(
                receiveSubscription: { subscription in
                    before.withLock { $0 = upstreams.map(\.isSubscribed) }
                    subscription.cancel()
                },
                receiveValue: { _ in
                    hasSignal.store(true, ordering: .relaxed)
                    return .none
                }, receiveCompletion: { _ in hasSignal.store(true, ordering: .relaxed) }))
        if hasSignal.load(ordering: .relaxed) { return "a signal came after the cancel" }
        guard let before = before.withLock({ $0 }) else { return "no subscription came" }
        for (index, upstream) in upstreams.enumerated() where upstream.isSubscribed {
            let name = inputs == 1 ? "the upstream" : "input \(index + 1)"
            if !before[index] { return "\(name) was subscribed to after the cancel" }
            if upstream.isOpen { return "\(name) was not cancelled" }
        }
        return nil
    }

    func requestAfterCancel(_ input: Int) -> String? {
        let bench = Bench(self, input)
        let recorder = bench.subscribed(Recorder(initialDemand: .none))
        guard !isTransparent(bench, recorder) else { return breach(recorder) }
        let subscription = recorder.takenSubscription()
        subscription?.cancel()
        let (hadCompleted, count) = (recorder.completion != nil, recorder.values.count)
        let requests = bench.upstream.requests
        subscription?.request(.max(5))
        subscription?.request(.unlimited)
        if bench.upstream.requests != requests { return "a request after the cancel reached the upstream" }
        if recorder.values.count > count { return "a request after the cancel brought a value" }
        if !hadCompleted, recorder.completion != nil { return "a request after the cancel brought a completion" }
        return breach(recorder)
    }

    func subscriberIsReleased(_ input: Int) -> String? {
        for end in Ending.allCases {
            weak var held: KeepingSubscriber<Output>?
            let bench = Bench(self, input)
            do {
                let subscriber = KeepingSubscriber<Output>(
                    cancelsAtOnce: end == .cancelAtOnce, cancelsInside: end == .cancelInside)
                held = subscriber
                bench.published.subscribe(subscriber)
                bench.upstream.send(0..<2)
                if end == .completion { bench.upstream.end(.finished) }
                // A subscription that goes on nevertheless is cancelled.
                if !subscriber.hasCompleted { subscriber.cancel() }
            }
            // The upstream may hold something: that is not the operator's doing.
            bench.upstream.forget()
            if held != nil { return "the subscriber is held after \(end.rawValue)" }
        }
        return nil
    }

    func subscriptionIsReleased() -> String? {
        let upstreams = (0..<inputs).map { _ in TestPublisher<Int>(.hot) }
        let published = make(upstreams.map { $0.eraseToAnyPublisher() })
        let staying = Recorder()
        published.subscribe(staying)
        let leaving = (0..<64).map { _ in
            let recorder = Recorder(initialDemand: .none)
            published.subscribe(recorder)
            return recorder
        }
        // The test's own upstreams keep theirs, to tell of them.
        let held = leaving.compactMap { $0.takenSubscription() }.filter { !($0 is TestSubscription<Int>) }.map(
            Held.init)
        for recorder in leaving { recorder.cancel() }
        defer { staying.cancel() }
        let count = held.count { $0.subscription != nil }
        return count > held.count / 2 ? "\(count) of \(held.count) subscriptions are held after their cancel" : nil
    }

    func signalsAreSerial() -> String? {
        let upstreams = (0..<inputs).map { _ in TestPublisher<Int>(.hot) }
        let depth = Atomic(0)
        let recorder = Recorder(onValue: { _, _ in
            // As another thread would, while this one is at it.
            guard depth.add(1, ordering: .relaxed).newValue < 20 else { return }
            for upstream in upstreams { upstream.send(depth.load(ordering: .relaxed)) }
        })
        make(upstreams.map { $0.eraseToAnyPublisher() }).subscribe(recorder)
        for round in 0..<3 { for upstream in upstreams { upstream.send(round) } }
        defer { recorder.cancel() }
        return breach(recorder)
    }
}

/// A subscription that may be gone.
private struct Held {
    weak var subscription: (any Subscription)?

    init(_ subscription: any Subscription) {
        self.subscription = subscription
    }
}

/// How a subscription ends.
private enum Ending: String, CaseIterable {
    case cancelAtOnce = "a cancel inside its subscription signal"
    case cancelInside = "a cancel inside a value"
    case cancel = "its cancel"
    case completion = "its completion"
}
