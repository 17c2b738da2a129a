import Dispatch

extension Publisher {
    /// Calls closures isolated to the main actor for each value and for the end, and requests everything: the form for
    /// views and cells, which bind a stream to their own properties.
    ///
    /// What comes on the main thread while nothing is waiting is delivered at once; everything else goes through the
    /// main queue, in order. Once a cancel has returned on the main actor nothing is delivered any more.
    public func sink(
        on actor: MainActor,
        receiveCompletion: @escaping @MainActor @Sendable (Subscribers.Completion<Failure>) -> Void = { _ in },
        receiveValue: @escaping @MainActor @Sendable (Output) -> Void
    ) -> AnyCancellable {
        receive(on: MainActorScheduler()).sink(
            receiveCompletion: { completion in MainActor.assumeIsolated { receiveCompletion(completion) } },
            receiveValue: { value in MainActor.assumeIsolated { receiveValue(value) } })
    }
}
