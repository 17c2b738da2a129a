extension Publisher {
    /// Calls closures isolated to an actor for each value and for the end, and requests everything.
    ///
    ///     prices.sink(on: ledger, receiveCompletion: { _, _ in }) { ledger, price in ledger.add(price) }
    ///
    /// Values come in order, a burst with one hop. The actor is not retained: nothing is delivered once it is released, nor
    /// after a cancel on the actor.
    ///
    /// - Parameters:
    ///   - actor: The actor that the closures are isolated to.
    ///   - receiveCompletion: A closure that is called with the actor and the completion.
    ///   - receiveValue: A closure that is called with the actor and each value.
    public func sink<Isolation: Actor>(
        on actor: Isolation,
        receiveCompletion: @escaping @Sendable (isolated Isolation, Subscribers.Completion<Failure>) -> Void,
        receiveValue: @escaping @Sendable (isolated Isolation, Output) -> Void
    ) -> AnyCancellable {
        ReceivedOnActor(upstream: self, actor: actor).sink(
            receiveCompletion: { [weak actor] completion in
                actor?.assumeIsolated { receiveCompletion($0, completion) }
            },
            receiveValue: { [weak actor] value in actor?.assumeIsolated { receiveValue($0, value) } })
    }
}

extension Publisher where Failure == Never {
    /// Calls a closure isolated to an actor for each value, and requests everything.
    ///
    ///     prices.sink(on: ledger) { ledger, price in ledger.add(price) }
    ///
    /// Delivers as `sink(on:receiveCompletion:receiveValue:)` does.
    ///
    /// - Parameters:
    ///   - actor: The actor that the closure is isolated to.
    ///   - receiveValue: A closure that is called with the actor and each value.
    public func sink<Isolation: Actor>(
        on actor: Isolation, receiveValue: @escaping @Sendable (isolated Isolation, Output) -> Void
    ) -> AnyCancellable {
        sink(on: actor, receiveCompletion: { _, _ in }, receiveValue: receiveValue)
    }
}

/// `receive(on:)` of an actor that is not kept alive.
private struct ReceivedOnActor<Upstream: Publisher, Isolation: Actor>: Publisher {
    typealias Output = Upstream.Output
    typealias Failure = Upstream.Failure

    let upstream: Upstream
    weak let actor: Isolation?

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        let core = ReceiveOnCore(AnySubscriber(subscriber)) { [weak actor] work in
            // Without it the queue is emptied, into nothing.
            guard let actor else { return work() }
            Task { await actor.run(work) }
        }
        upstream.receive(subscriber: Publishers.ReceiveOn<Upstream, ImmediateScheduler>.Inner(core: core))
    }
}

extension Actor {
    fileprivate func run(_ work: @Sendable () -> Void) {
        work()
    }
}
