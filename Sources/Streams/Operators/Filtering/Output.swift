extension Publisher {
    /// Delivers the first values, then finishes.
    ///
    ///     upstream     1---2----3---4|
    ///     prefix(2)    1---2|
    ///
    /// Demand, failure and thread are the upstream's, which is cancelled before the stream finishes.
    /// `prefix(0)` finishes at once.
    ///
    /// - Parameter maxLength: The largest number of values to deliver.
    @inlinable @inline(__always)
    public func prefix(_ maxLength: Int) -> Publishers.Output<Self> {
        output(in: 0..<Swift.max(0, maxLength))
    }

    /// Delivers the value at an index, counted from zero, then finishes; finishes empty if there are fewer.
    ///
    ///     upstream         a---b----c|
    ///     output(at: 1)    ----b|
    ///
    /// Demand, failure and thread are the upstream's, which is cancelled before the stream finishes.
    ///
    /// - Parameter index: The index of the value, counted from 0.
    @inlinable @inline(__always)
    public func output(at index: Int) -> Publishers.Output<Self> {
        Publishers.Output(upstream: self, logic: Stages.Output(indices: index...index))
    }

    /// Delivers the values at the indices of a range, counted from zero, then finishes.
    ///
    ///     upstream             a---b---c----d|
    ///     output(in: 1...2)    ----b---c|
    ///
    /// Demand, failure and thread are the upstream's, which is cancelled before the stream finishes. An
    /// empty range finishes at once.
    ///
    /// - Parameter range: The range of the indices.
    @inlinable @inline(__always)
    public func output<R: RangeExpression & Sendable>(in range: R) -> Publishers.Output<Self> where R.Bound == Int {
        Publishers.Output(upstream: self, logic: Stages.Output(indices: range))
    }
}

extension Publishers {
    /// Delivers the values at the indices of a range.
    public typealias Output<Upstream: Publisher> = Staged<Upstream, Stages.Output<Upstream.Output, Upstream.Failure>>
}

extension Stages {
    /// The logic of `output(in:)` and `prefix(_:)`; its state is the index of the next value.
    @frozen
    public struct Output<Input: Sendable, UpstreamFailure: Error>: ValueStage, Equatable {
        @usableFromInline let range: Range<Int>

        @inlinable @inline(__always)
        init(range: Range<Int>) {
            precondition(range.lowerBound >= 0, "Values are counted from zero: a range begins there or later.")
            self.range = range
        }

        /// Up to the last index but one where there is no range behind the last: nobody counts as far.
        @inlinable
        init<R: RangeExpression>(indices: R) where R.Bound == Int {
            if let closed = indices as? ClosedRange<Int>, closed.upperBound == .max {
                self.init(range: min(closed.lowerBound, .max - 1)..<Int.max)
            } else if let through = indices as? PartialRangeThrough<Int>, through.upperBound == .max {
                self.init(range: 0..<Int.max)
            } else {
                self.init(range: indices.relative(to: 0..<Int.max))
            }
        }

        @inlinable @inline(__always)
        public static var endsEarly: Bool { true }

        @inlinable @inline(__always)
        public func makeState() -> Int { 0 }

        @inlinable @inline(__always)
        public func receive(_ input: Input, _ state: inout Int) -> Stages.Step<Input, UpstreamFailure> {
            defer { state += 1 }
            if state < range.lowerBound { return .skip }
            return state + 1 < range.upperBound ? .next(input) : .last(input)
        }

        @inlinable @inline(__always)
        public func isOver(_ state: Int) -> Bool { range.isEmpty }
    }
}

extension Publishers.Staged where Logic == Stages.Output<Upstream.Output, Upstream.Failure> {
    /// Creates a publisher that delivers the values at the indices of a range.
    ///
    /// - Parameters:
    ///   - upstream: The upstream publisher.
    ///   - range: The range of the indices.
    @inlinable @inline(__always)
    public init(upstream: Upstream, range: Range<Int>) {
        self.init(upstream: upstream, logic: Stages.Output(range: range))
    }
}
