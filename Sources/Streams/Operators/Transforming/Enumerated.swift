extension Publisher {
    /// Numbers the values from zero.
    ///
    ///     upstream        a-------b-------c----|
    ///     enumerated()    (0,a)---(1,b)---(2,c)|
    ///
    /// Demand, failure, cancellation and thread are the upstream's.
    @_disfavoredOverload
    @inlinable @inline(__always)
    public func enumerated() -> Publishers.Enumerated<Self> {
        Publishers.Enumerated(upstream: self, logic: Stages.Enumerated())
    }
}

extension Publishers {
    /// Numbers the values from zero.
    public typealias Enumerated<Upstream: Publisher> = Staged<
        Upstream, Stages.Enumerated<Upstream.Output, Upstream.Failure>
    >
}

extension Stages {
    /// The logic of `enumerated`.
    @frozen
    public struct Enumerated<Input: Sendable, UpstreamFailure: Error>: ValueStage, Equatable {
        @inlinable @inline(__always)
        init() {}

        @inlinable @inline(__always)
        public func makeState() -> Int { 0 }

        @inlinable @inline(__always)
        public func receive(_ input: Input, _ state: inout Int)
            -> Stages.Step<(offset: Int, element: Input), UpstreamFailure>
        {
            defer { state += 1 }
            return .next((offset: state, element: input))
        }
    }
}
