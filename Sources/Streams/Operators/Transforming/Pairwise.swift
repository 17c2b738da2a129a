extension Publisher {
    /// Delivers each value together with the one before it.
    ///
    ///     upstream      a---b-------c----|
    ///     pairwise()    ----(a,b)---(b,c)|
    ///
    /// Demand: asks the upstream for one more for each value left out. Failure, cancellation and thread are the
    /// upstream's.
    @_disfavoredOverload
    @inlinable @inline(__always)
    public func pairwise() -> Publishers.Pairwise<Self> {
        Publishers.Pairwise(upstream: self, logic: Stages.Pairwise())
    }

    /// Delivers each value together with those before it, `count` in all.
    ///
    ///     upstream    a---b---c-----d--|
    ///     nwise(3)    --------abc---bcd|
    ///
    /// Demand: asks the upstream for one more for each value left out. Failure, cancellation and thread are the
    /// upstream's. Complexity: O(n) a value.
    ///
    /// - Precondition: `count` is 1 or more.
    ///
    /// - Parameter count: The number of values to deliver together.
    @_disfavoredOverload
    @inlinable @inline(__always)
    public func nwise(_ count: Int) -> Publishers.Nwise<Self> {
        Publishers.Nwise(upstream: self, logic: Stages.Nwise(count: count))
    }
}

extension Publishers {
    /// Delivers each value together with the one before it.
    public typealias Pairwise<Upstream: Publisher> = Staged<
        Upstream, Stages.Pairwise<Upstream.Output, Upstream.Failure>
    >
    /// Delivers each value together with those before it.
    public typealias Nwise<Upstream: Publisher> = Staged<Upstream, Stages.Nwise<Upstream.Output, Upstream.Failure>>
}

extension Stages {
    /// The logic of `pairwise`.
    @frozen
    public struct Pairwise<Input: Sendable, UpstreamFailure: Error>: ValueStage, Equatable {
        @inlinable @inline(__always)
        init() {}

        @inlinable @inline(__always)
        public func makeState() -> Input? { nil }

        @inlinable @inline(__always)
        public func receive(_ input: Input, _ state: inout Input?) -> Stages.Step<(Input, Input), UpstreamFailure> {
            defer { state = input }
            return state.map { .next(($0, input)) } ?? .skip
        }
    }
}

extension Stages {
    /// The logic of `nwise`.
    @frozen
    public struct Nwise<Input: Sendable, UpstreamFailure: Error>: ValueStage, Equatable {
        @usableFromInline let count: Int

        @inlinable @inline(__always)
        init(count: Int) {
            precondition(count >= 1, "A group has one value or more.")
            self.count = count
        }

        @inlinable @inline(__always)
        public func makeState() -> [Input] { [] }

        @inlinable @inline(__always)
        public func receive(_ input: Input, _ state: inout [Input]) -> Stages.Step<[Input], UpstreamFailure> {
            if state.count == count { state.removeFirst() }
            state.append(input)
            return state.count == count ? .next(state) : .skip
        }
    }
}
