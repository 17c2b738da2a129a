import Streams
import Synchronization

extension Conformance {
    func oneCompletion(_ input: Int) -> String? {
        for first in [Subscribers.Completion<TestFailure>.finished, .failure(TestFailure())] {
            let bench = Bench(self, input)
            let recorder = bench.subscribed(Recorder())
            bench.upstream.send(0..<20)
            bench.upstream.end(first)
            if bench.upstream.cancels > 0, recorder.completion != nil {
                // It has ended by itself, and what was under way comes nevertheless.
                bench.upstream.force(7)
                bench.upstream.force(.finished)
            }
            if let breach = breach(recorder) { return breach }
        }
        return nil
    }

    func completionEndsAll(_ input: Int) -> String? {
        let bench = Bench(self, input)
        let recorder = bench.subscribed(Recorder())
        let subscription = recorder.takenSubscription()
        let isTransparent = isTransparent(bench, recorder)
        bench.upstream.send(0..<2)
        bench.upstream.end(.finished)
        guard recorder.completion != nil, !isTransparent else { return breach(recorder) }
        let (cancels, requests) = (bench.upstream.cancels, bench.upstream.requests)
        subscription?.request(.max(3))
        subscription?.cancel()
        if bench.upstream.requests != requests { return "a request reached the upstream after its completion" }
        if bench.upstream.cancels != cancels { return "a cancel reached the upstream after its completion" }
        return breach(recorder)
    }

    func completionNeedsNoDemand(_ input: Int) -> String? {
        needsNoDemand(.finished, input)
    }

    func failureNeedsNoDemand(_ input: Int) -> String? {
        needsNoDemand(.failure(TestFailure()), input)
    }

    private func needsNoDemand(_ completion: Subscribers.Completion<TestFailure>, _ input: Int) -> String? {
        // What does not complete without demand has to have a value to deliver first, or to go on, with demand as well.
        let bench = Bench(self, input, othersGoOn: true)
        let eager = Bench(self, input, othersGoOn: true)
        let recorder = bench.subscribed(Recorder(initialDemand: .none))
        let other = eager.subscribed(Recorder())
        bench.upstream.end(completion)
        eager.upstream.end(completion)
        guard other.completion != nil, other.values.isEmpty, recorder.completion == nil else { return breach(recorder) }
        return "the completion waits for demand, though no value goes before it"
    }

    func earlyEndCancelsUpstream(_ input: Int) -> String? {
        let bench = Bench(self, input)
        let wasOpen = Atomic(false)
        let upstream = bench.upstream
        let recorder = bench.subscribed(
            Recorder(onCompletion: { if upstream.isOpen { wasOpen.store(true, ordering: .relaxed) } }))
        bench.upstream.send(0..<20)
        if wasOpen.load(ordering: .relaxed) { return "it ended early, and its upstream wasn't cancelled by then" }
        return breach(recorder)
    }
}
