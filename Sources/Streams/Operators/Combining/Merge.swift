extension Publisher {
    /// Delivers the values of two publishers as they come; finishes when both have.
    ///
    ///     upstream              1---3-----|
    ///     other                 --2---4|
    ///     merge(with: other)    1-2-3-4---|
    ///
    /// Demand: while it is finite, each is asked for one value at a time. Failure: the first ends everything at once.
    /// Thread: that of whichever delivers.
    ///
    /// - Parameter other: The other publisher.
    @_disfavoredOverload
    @inlinable
    public func merge<P: Publisher>(with other: P) -> Publishers.Merge<Self, P>
    where P.Output == Output, P.Failure == Failure {
        Publishers.Merge(self, other)
    }

    /// Delivers the values of two publishers of one type as they come; finishes when both have.
    ///
    /// - Parameter other: The other publisher.
    @inlinable
    public func merge(with other: Self) -> Publishers.MergeMany<Self> {
        Publishers.MergeMany([self, other])
    }
}

extension Publishers {
    /// Delivers the values of two publishers as they come.
    @frozen
    public struct Merge<A: Publisher, B: Publisher>: Publisher where A.Output == B.Output, A.Failure == B.Failure {
        public typealias Output = A.Output
        public typealias Failure = A.Failure

        /// The first upstream publisher.
        public let a: A
        /// The second upstream publisher.
        public let b: B

        /// Creates a publisher that delivers the values of two others as they come.
        ///
        /// - Parameters:
        ///   - a: The first upstream publisher.
        ///   - b: The second upstream publisher.
        @inlinable
        public init(_ a: A, _ b: B) {
            self.a = a
            self.b = b
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            attach(subscriber)
        }

        @inlinable @inline(never)
        func attach<S: Subscriber>(_ subscriber: S) where S.Input == Output, S.Failure == Failure {
            MergeMany(a.eraseToAnyPublisher(), b.eraseToAnyPublisher()).receive(subscriber: subscriber)
        }
    }

    /// Delivers the values of any number of publishers as they come.
    @frozen
    public struct MergeMany<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        /// The upstream publishers.
        public let publishers: [Upstream]

        // Of an array the type checker would try this as well, with all that follows: 20 seconds for a chain of ten operators.
        /// Creates a publisher that delivers the values of any number of others as they come.
        ///
        /// - Parameter upstream: The upstream publishers.
        @_disfavoredOverload
        @inlinable
        public init(_ upstream: Upstream...) {
            publishers = upstream
        }

        /// Creates a publisher that delivers the values of a sequence of others as they come.
        ///
        /// - Parameter upstream: The upstream publishers.
        @inlinable
        public init<S: Swift.Sequence>(_ upstream: S) where S.Element == Upstream {
            publishers = Array(upstream)
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            attach(subscriber)
        }

        @inlinable @inline(never)
        func attach<S: Subscriber>(_ subscriber: S) where S.Input == Output, S.Failure == Failure {
            let core = MergeCore(subscriber, maxPublishers: .unlimited)
            Sequence<[Upstream], Failure>(sequence: publishers).receive(subscriber: MergeOuter(core: core) { $0 })
        }
    }
}

extension Publishers.Merge: Equatable where A: Equatable, B: Equatable {}
extension Publishers.MergeMany: Equatable where Upstream: Equatable {}
