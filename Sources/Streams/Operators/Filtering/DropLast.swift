extension Publisher {
    /// Drops the last values: delivers each when `count` others have followed it.
    ///
    ///     upstream       1---2---3---4|
    ///     dropLast(2)    --------1---2|
    ///
    /// Demand: asks the upstream for one more for each value left out. Failure, cancellation and thread are the
    /// upstream's. Memory: that many values.
    ///
    /// - Parameter count: The number of values to drop.
    @_disfavoredOverload
    @inlinable @inline(__always)
    public func dropLast(_ count: Int = 1) -> Publishers.DropLast<Self> {
        Publishers.DropLast(upstream: self, logic: Stages.DropLast(count: count))
    }
}

extension Publishers {
    /// Drops the last values.
    public typealias DropLast<Upstream: Publisher> = Staged<
        Upstream, Stages.DropLast<Upstream.Output, Upstream.Failure>
    >
}

extension Stages {
    /// The logic of `dropLast`; its state is the values that may be the last.
    @frozen
    public struct DropLast<Input: Sendable, UpstreamFailure: Error>: ValueStage, Equatable {
        @usableFromInline let count: Int

        @inlinable @inline(__always)
        init(count: Int) {
            precondition(count >= 0, "Drop zero values or more.")
            self.count = count
        }

        @inlinable @inline(__always)
        public func makeState() -> RecentValues<Input> { RecentValues(count) }

        @inlinable @inline(__always)
        public func receive(_ input: Input, _ state: inout RecentValues<Input>) -> Stages.Step<Input, UpstreamFailure> {
            state.push(input).map { .next($0) } ?? .skip
        }
    }
}
