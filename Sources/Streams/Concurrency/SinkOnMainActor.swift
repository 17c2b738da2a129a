import Dispatch

extension Publisher {
    /// Calls closures isolated to the main actor for each value and for the end, and requests everything: the form for
    /// views and cells.
    ///
    /// What comes on the main thread while nothing is waiting is delivered at once; everything else goes through the
    /// main queue, in order, and after some thousand values the rest lets others have their turn. Once a cancel has
    /// returned on the main actor nothing is delivered any more.
    ///
    /// - Parameters:
    ///   - actor: The main actor.
    ///   - receiveCompletion: A closure that is called with the completion.
    ///   - receiveValue: A closure that is called with each value.
    @preconcurrency
    public func sink(
        on actor: MainActor,
        receiveCompletion: @escaping @MainActor @Sendable (Subscribers.Completion<Failure>) -> Void,
        receiveValue: @escaping @MainActor @Sendable (Output) -> Void
    ) -> AnyCancellable {
        ReceivedOnMainActor(upstream: self).sink(
            receiveCompletion: { completion in MainActor.assumeIsolated { receiveCompletion(completion) } },
            receiveValue: { value in MainActor.assumeIsolated { receiveValue(value) } })
    }
}

extension Publisher where Failure == Never {
    /// Calls a closure isolated to the main actor for each value, and requests everything.
    ///
    /// Delivers as `sink(on:receiveCompletion:receiveValue:)` does.
    ///
    /// - Parameters:
    ///   - actor: The main actor.
    ///   - receiveValue: A closure that is called with each value.
    @preconcurrency
    public func sink(
        on actor: MainActor, receiveValue: @escaping @MainActor @Sendable (Output) -> Void
    ) -> AnyCancellable {
        sink(on: actor, receiveCompletion: { _ in }, receiveValue: receiveValue)
    }
}

/// `receive(on:)` of the main queue, but for what comes on it, which is delivered at once.
private struct ReceivedOnMainActor<Upstream: Publisher>: Publisher {
    typealias Output = Upstream.Output
    typealias Failure = Upstream.Failure

    let upstream: Upstream

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        let core = ReceiveOnCore(
            AnySubscriber(subscriber),
            schedule: { work in
                if MainQueue.isCurrent { work() } else { DispatchQueue.main.async(execute: work) }
            },
            resume: { work in DispatchQueue.main.async(execute: work) })
        upstream.receive(subscriber: Publishers.ReceiveOn<Upstream, DispatchQueue>.Inner(core: core))
    }
}
