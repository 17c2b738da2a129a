extension Publishers {
    /// A publisher that delivers values of its upstream's type.
    ///
    /// Operators conform to this and to ``FailingAsUpstream`` in place of type aliases for `Output` and `Failure`. A type alias is
    /// kept with each type that mentions it, parents included: every operator that is generic over its upstream's output would
    /// double the types of a chain for the compiler, which takes minutes for twelve of them.
    public protocol DeliveringAsUpstream<Upstream>: Publisher where Output == Upstream.Output {
        /// The type of the upstream publisher.
        associatedtype Upstream: Publisher
    }

    /// A publisher that fails with errors of its upstream's type.
    public protocol FailingAsUpstream<Upstream>: Publisher where Failure == Upstream.Failure {
        /// The type of the upstream publisher.
        associatedtype Upstream: Publisher
    }

    /// A publisher that delivers the values that a stage makes.
    public protocol DeliveringAsStage<Logic>: Publisher where Output == Logic.Output, Failure == Logic.Failure {
        /// The type of the stage.
        associatedtype Logic: Stage
    }

    /// A publisher that delivers the result that a fold makes.
    public protocol DeliveringAsFold<Logic>: Publisher where Output == Logic.Output, Failure == Logic.Failure {
        /// The type of the fold.
        associatedtype Logic: Fold
    }
}
