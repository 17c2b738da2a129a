import Testing

@testable import Streams

/// Every order of the atomic operations of two threads, for each primitive that operators are made of.
@Suite("Every order of two threads")
struct ExplorationTests {
    private func check(_ explored: Explored, _ name: String) {
        print("\(name): \(explored)")
        #expect(explored.failure == nil)
        #expect(explored.isComplete)
    }

    @Test("A gate has one owner at a time, and no work is left behind")
    func gate() {
        check(explore { serialised([1, 2], [3]) }, "gate, work of two")
    }

    @Test("Demand that is taken was requested, and none is lost")
    func demand() {
        let explored = explore {
            let gate = DemandGate()
            let box = Shared((gate: Shared(0), taken: 0, isOwned: false))
            let held = Held(gate)
            return Scenario(
                lanes: [
                    { if held.gate.request(.max(2)) { while held.gate.leave() == .again {} } },
                    {
                        for _ in 0..<2 where held.gate.tryTake(from: held.gate.tryEnterUnlimited().original) {
                            box.value.taken += 1
                            while held.gate.leave() == .again {}
                        }
                    },
                ],
                verdict: {
                    let sum = box.value.taken + held.gate.demand
                    return sum == 2 ? nil : "of a demand of 2, \(sum) are there or taken"
                })
        }
        check(explored, "gate, demand")
    }

    @Test("Of a gate that is closed, one lets go")
    func close() {
        let explored = explore {
            let held = Held(DemandGate())
            let releases = Shared(0)
            return Scenario(
                lanes: [
                    {
                        for _ in 0..<2 where held.gate.enterOrMark() {
                            var outcome = held.gate.leave()
                            while outcome == .again { outcome = held.gate.leave() }
                            if outcome == .closed { releases.value += 1 }
                        }
                    },
                    { if held.gate.close() { releases.value += 1 } },
                ],
                verdict: { releases.value == 1 ? nil : "\(releases.value) let go" })
        }
        check(explored, "gate, closed")
    }

    @Test("A slot passes on every request, and cancels once")
    func slot() {
        for cancels in [false, true] {
            let explored = explore {
                let slot = UpstreamSlot()
                let upstream = Shared(Upstream())
                return Scenario(
                    lanes: [
                        { _ = slot.receive(upstream.value) },
                        {
                            slot.request(.max(1))
                            slot.request(.max(2))
                            if cancels { slot.cancel() }
                        },
                    ],
                    verdict: {
                        let (seen, cancelled) = (upstream.value.requested, upstream.value.cancels)
                        if cancels, cancelled != 1 { return "cancelled \(cancelled) times" }
                        if !cancels, seen != 3 { return "\(seen) of 3 were requested" }
                        if seen > 3 { return "\(seen) of 3 were requested" }
                        // What is over keeps nothing alive.
                        weak let left = upstream.value
                        upstream.value = Upstream()
                        return cancels && left != nil ? "the subscription is kept" : nil
                    })
            }
            check(explored, cancels ? "slot, cancelled" : "slot, requests")
        }
    }

    @Test("Two who use a slot while it ends leave nothing in it")
    func users() {
        let explored = explore {
            let slot = UpstreamSlot()
            let upstream = Shared(Upstream())
            _ = slot.receive(upstream.value)
            return Scenario(
                lanes: [
                    { slot.request(.max(1)) },
                    {
                        slot.request(.max(1))
                        _ = slot.finish()
                    },
                ],
                verdict: {
                    weak let left = upstream.value
                    upstream.value = Upstream()
                    return left == nil ? nil : "the subscription is kept"
                })
        }
        check(explored, "slot, two users")
    }

    @Test("A channel hands over every value in its order, and its end behind them")
    func channel() {
        // Nine values: one more than the first stretch of it holds.
        let explored = explore(preemptions: 4) {
            let channel = SignalChannel<Int, Never>()
            let seen = Shared([Int]())
            return Scenario(
                lanes: [
                    {
                        for value in 0..<9 { channel.append(value) }
                        channel.finish(.finished)
                    },
                    {
                        for _ in 0..<4 {
                            let isOver = channel.isExhausted
                            while let value = channel.popFirst() {
                                if isOver { seen.value.append(-1) }
                                seen.value.append(value)
                            }
                        }
                    },
                ],
                verdict: {
                    while let value = channel.popFirst() { seen.value.append(value) }
                    return seen.value == Array(0..<9) ? nil : "\(seen.value)"
                })
        }
        check(explored, "channel")
    }

    @Test("An emitter delivers in order what is sent while it is asked")
    func emitter() {
        let explored = explore(preemptions: 3) {
            let recorder = Recorder()
            let emitter = Shared(Emitter<Int, Never>?.none)
            AnyPublisher<Int, Never>.create(.buffer(10)) { made in
                emitter.value = made
                return Disposable {}
            }.subscribe(recorder)
            return Scenario(
                lanes: [
                    {
                        emitter.value?.onNext(1)
                        emitter.value?.onNext(2)
                        emitter.value?.onComplete()
                    },
                    {
                        recorder.subscription.value?.request(.max(1))
                        recorder.subscription.value?.request(.max(1))
                    },
                ],
                verdict: { recorder.verdict(values: [[1, 2]], isComplete: true) })
        }
        check(explored, "emitter")
    }

    @Test("What an emitter keeps is not overtaken while its subscriber asks for more inside each delivery")
    func returnedDemand() {
        let explored = explore(preemptions: 3) {
            let recorder = Recorder(returning: .max(1))
            let emitter = Shared(Emitter<Int, Never>?.none)
            AnyPublisher<Int, Never>.create(.buffer(10)) { made in
                emitter.value = made
                return Disposable {}
            }.subscribe(recorder)
            emitter.value?.onNext(1)
            emitter.value?.onNext(2)
            return Scenario(
                lanes: [
                    {
                        emitter.value?.onNext(3)
                        emitter.value?.onComplete()
                        // Late, and for nobody.
                        emitter.value?.onNext(4)
                    },
                    { recorder.subscription.value?.request(.max(1)) },
                ],
                verdict: { recorder.verdict(values: [[1, 2, 3]], isComplete: true) })
        }
        check(explored, "emitter, returned demand")
    }

    @Test("A subject delivers in order, one value at a time, to whoever subscribed before")
    func subject() {
        let explored = explore(preemptions: 2) {
            let subject = PassthroughSubject<Int, Never>()
            let (first, second) = (Recorder(), Recorder())
            subject.subscribe(first)
            first.subscription.value?.request(.unlimited)
            return Scenario(
                lanes: [
                    { subject.send(1) },
                    {
                        subject.subscribe(second)
                        second.subscription.value?.request(.unlimited)
                        subject.send(2)
                    },
                ],
                verdict: {
                    subject.send(3)
                    subject.send(completion: .finished)
                    return first.verdict(values: [[1, 2, 3], [2, 1, 3]], isComplete: true)
                        ?? second.verdict(values: [[1, 2, 3], [2, 1, 3], [2, 3]], isComplete: true)
                })
        }
        check(explored, "subject")
    }

    /// Two lanes that leave work in a queue and let whoever owns the gate do it.
    private func serialised(_ first: [Int], _ second: [Int]) -> Scenario {
        let held = Held(DemandGate(isUnlimited: true))
        let queue = Shared([Int]())
        let done = Shared([Int]())
        let owners = Shared(0)
        let isShared = Shared(false)
        let body: @Sendable ([Int]) -> @Sendable () -> Void = { work in
            {
                for item in work {
                    queue.value.append(item)
                    guard held.gate.enterOrMark() else { continue }
                    repeat {
                        owners.value += 1
                        Execution.point()
                        if owners.value > 1 { isShared.value = true }
                        done.value += queue.value
                        queue.value = []
                        owners.value -= 1
                    } while held.gate.leave() == .again
                }
            }
        }
        return Scenario(lanes: [body(first), body(second)]) {
            if isShared.value { return "it had two owners" }
            return done.value.sorted() == (first + second).sorted() ? nil : "only \(done.value) was done"
        }
    }
}
