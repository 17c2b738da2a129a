extension Publisher {
    /// Drops the first values.
    ///
    ///     upstream        1---2---3---4|
    ///     dropFirst(2)    --------3---4|
    ///
    /// Demand: asks the upstream for one more for each value left out. Failure, cancellation and thread are the
    /// upstream's.
    ///
    /// - Parameter count: The number of values to drop.
    @inlinable @inline(__always)
    public func dropFirst(_ count: Int = 1) -> Publishers.Drop<Self> {
        Publishers.Drop(upstream: self, logic: Stages.Drop(count: count))
    }
}

extension Publishers {
    /// Drops the first values.
    public typealias Drop<Upstream: Publisher> = Staged<Upstream, Stages.Drop<Upstream.Output, Upstream.Failure>>
}

extension Stages {
    /// The logic of `dropFirst`.
    @frozen
    public struct Drop<Input: Sendable, UpstreamFailure: Error>: ValueStage, Equatable {
        @usableFromInline let count: Int

        @inlinable @inline(__always)
        init(count: Int) {
            precondition(count >= 0, "Drop zero values or more.")
            self.count = count
        }

        @inlinable @inline(__always)
        public func makeState() -> Int { count }

        @inlinable @inline(__always)
        public func receive(_ input: Input, _ state: inout Int) -> Stages.Step<Input, UpstreamFailure> {
            if state == 0 { return .next(input) }
            state -= 1
            return .skip
        }
    }
}

extension Publishers.Staged where Logic == Stages.Drop<Upstream.Output, Upstream.Failure> {
    /// Creates a publisher that drops the first values.
    ///
    /// - Parameters:
    ///   - upstream: The upstream publisher.
    ///   - count: The number of values to drop.
    @inlinable @inline(__always)
    public init(upstream: Upstream, count: Int) {
        self.init(upstream: upstream, logic: Stages.Drop(count: count))
    }
}
