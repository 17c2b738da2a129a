import Streams
import Synchronization

extension Conformance {
    func subscriptionComesFirst(_ input: Int) -> String? {
        let bench = Bench(self, input)
        let recorder = bench.subscribed(Recorder())
        bench.upstream.send(0..<3)
        bench.upstream.end(.finished)
        guard recorder.hasSubscription else { return "no subscription came" }
        return breach(recorder)
    }

    func demandIsHonoured(_ input: Int) -> String? {
        let bench = Bench(self, input)
        let recorder = bench.subscribed(Recorder(initialDemand: .max(3)))
        bench.upstream.send(0..<20)
        bench.upstream.end(.finished)
        if recorder.values.count > 3 { return "3 values were requested, \(recorder.values.count) came" }
        return breach(recorder)
    }

    func nothingWithoutDemand(_ input: Int) -> String? {
        let bench = Bench(self, input)
        let recorder = bench.subscribed(Recorder(initialDemand: .none))
        recorder.request(.none)
        bench.upstream.send(0..<20)
        recorder.request(.none)
        bench.upstream.end(.finished)
        if !recorder.values.isEmpty { return "nothing was requested, \(recorder.values.count) values came" }
        return breach(recorder)
    }

    func demandAddsUp(_ input: Int) -> String? {
        // The same sum at once and in two parts, the second of which comes inside a value.
        let (once, parts) = (Bench(self, input), Bench(self, input))
        let atOnce = once.subscribed(Recorder(initialDemand: .max(5)))
        let inParts = parts.subscribed(Recorder(initialDemand: .none))
        inParts.request(.max(2))
        inParts.request(.max(3))
        once.upstream.send(0..<20)
        parts.upstream.send(0..<20)
        if atOnce.values.count != inParts.values.count {
            return "5 requested at once brought \(atOnce.values.count) values, 2 and 3 brought \(inParts.values.count)"
        }
        return breach(atOnce) ?? breach(inParts)
    }

    func demandSaturates(_ input: Int) -> String? {
        let expected = Bench(self, input)
        let other = expected.subscribed(Recorder())
        expected.upstream.send(0..<10)
        expected.upstream.end(.finished)
        for demands: [Subscribers.Demand] in [[.max(.max - 1), .max(.max - 1)], [.unlimited, .max(3)]] {
            let bench = Bench(self, input)
            let recorder = bench.subscribed(Recorder(initialDemand: .none))
            for demand in demands { recorder.request(demand) }
            bench.upstream.send(0..<10)
            bench.upstream.end(.finished)
            if recorder.values.count != other.values.count {
                return "\(demands) brought \(recorder.values.count) values, unlimited demand \(other.values.count)"
            }
            if let breach = breach(recorder) { return breach }
        }
        return nil
    }

    func requestInsideSignals(_ input: Int) -> String? {
        let bench = Bench(self, input)
        let recorder = bench.subscribed(
            Recorder(initialDemand: .max(1), onValue: { recorder, _ in recorder.request(.max(1)) }))
        bench.upstream.send(0..<10)
        bench.upstream.end(.finished)
        let unlimited = Bench(self, input)
        let other = unlimited.subscribed(Recorder())
        unlimited.upstream.send(0..<10)
        unlimited.upstream.end(.finished)
        if recorder.values.count < other.values.count, recorder.completion == nil {
            return "it stopped after \(recorder.values.count) values"
        }
        return breach(recorder)
    }

    func boundedRecursion(_ input: Int) -> String? {
        // Signed: the atomic minimum of unsigned numbers takes the largest one for the smallest (Swift 6.3).
        let lowest = Atomic(Int.max)
        let highest = Atomic(Int.min)
        let upstreams = (0..<inputs).map { _ in
            (0..<300).publisher.setFailureType(to: TestFailure.self).eraseToAnyPublisher()
        }
        let recorder = Recorder(
            initialDemand: .none,
            onValue: { recorder, _ in
                // A variable: a constant's place need not be the stack.
                var here = UInt8(0)
                withUnsafeMutablePointer(to: &here) { pointer in
                    let address = Int(bitPattern: pointer)
                    lowest.min(address, ordering: .relaxed)
                    highest.max(address, ordering: .relaxed)
                }
                recorder.request(.max(1))
            })
        make(upstreams).subscribe(recorder)
        // What waits by now is asked for one by one.
        recorder.request(.max(1))
        recorder.cancel()
        let (low, high) = (lowest.load(ordering: .relaxed), highest.load(ordering: .relaxed))
        // Other threads have stacks of their own.
        guard low < high, recorder.threadCount == 1, high - low > 48 << 10 else { return breach(recorder) }
        return "\(recorder.values.count) requests one by one took \((high - low) >> 10) KB of stack"
    }
}
