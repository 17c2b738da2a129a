extension Publishers {
    /// A publisher that delivers what its upstream does.
    ///
    /// Operators conform to this and to ``FailingAsUpstream`` in place of type aliases for `Output` and `Failure`. A type alias is
    /// kept with each type that mentions it, parents included: every operator that is generic over its upstream's output would
    /// double the types of a chain for the compiler, which takes minutes for twelve of them.
    public protocol DeliveringAsUpstream<Upstream>: Publisher where Output == Upstream.Output {
        /// Where the values come from.
        associatedtype Upstream: Publisher
    }

    /// A publisher that fails as its upstream does.
    public protocol FailingAsUpstream<Upstream>: Publisher where Failure == Upstream.Failure {
        /// Where the values come from.
        associatedtype Upstream: Publisher
    }

    /// A publisher that delivers what a stage makes.
    public protocol DeliveringAsStage<Logic>: Publisher where Output == Logic.Output, Failure == Logic.Failure {
        /// What decides about each value.
        associatedtype Logic: Stage
    }

    /// A publisher that delivers what a fold makes.
    public protocol DeliveringAsFold<Logic>: Publisher where Output == Logic.Output, Failure == Logic.Failure {
        /// What gathers the values.
        associatedtype Logic: Fold
    }
}
