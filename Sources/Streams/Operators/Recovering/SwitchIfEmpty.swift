extension Publisher {
    /// Continues with another publisher when this one finishes without a value.
    ///
    ///     upstream                -----|
    ///     switchIfEmpty(other)    -----a-b|
    ///
    /// Demand: the other gets what is left. Failure: of whichever is under way. Thread: that of whichever delivers.
    ///
    /// - Parameter other: The publisher to continue with.
    @_disfavoredOverload
    @inlinable @inline(__always)
    public func switchIfEmpty<P: Publisher>(_ other: P) -> Publishers.SwitchIfEmpty<Self, P>
    where P.Output == Output, P.Failure == Failure {
        Publishers.SwitchIfEmpty(upstream: self, other: other)
    }
}

extension Publishers {
    /// Continues with another publisher when the upstream finishes without a value.
    @frozen
    public struct SwitchIfEmpty<Upstream: Publisher, Other: Publisher>: Publisher
    where Upstream.Output == Other.Output, Upstream.Failure == Other.Failure {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        /// The upstream publisher.
        public let upstream: Upstream
        /// The publisher to continue with.
        public let other: Other

        /// Creates a publisher that continues with another one when the upstream finishes without a value.
        ///
        /// - Parameters:
        ///   - upstream: The upstream publisher.
        ///   - other: The publisher to continue with.
        @inlinable @inline(__always)
        public init(upstream: Upstream, other: Other) {
            self.upstream = upstream
            self.other = other
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let isEmpty = Serial(true)
            Concatenate(
                prefix: upstream.handleEvents(receiveOutput: { _ in isEmpty.value = false }),
                suffix: Deferred { [other] in OtherOrNothing(isEmpty.value ? other : nil) }
            ).receive(subscriber: subscriber)
        }
    }

    /// A publisher, or one that finishes at once.
    @frozen @usableFromInline
    struct OtherOrNothing<Content: Publisher>: Publisher {
        @usableFromInline typealias Output = Content.Output
        @usableFromInline typealias Failure = Content.Failure

        @usableFromInline let content: Content?

        @inlinable
        init(_ content: Content?) {
            self.content = content
        }

        @inlinable
        func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            if let content {
                content.receive(subscriber: subscriber)
            } else {
                Empty().receive(subscriber: subscriber)
            }
        }
    }
}
