extension Publisher {
    /// Continues with another publisher when this one fails; the closure that makes it may throw.
    ///
    ///     upstream                     1-2-✕
    ///     tryCatch { _ in Just(9) }    1-2-9|
    ///     tryCatch, throws             1-2-✕
    ///
    /// Demand: the other gets what is left. Failure: the other's, or what the closure throws. Thread: that of whichever
    /// delivers.
    ///
    /// - Parameter handler: A closure that makes the publisher to continue with.
    @preconcurrency
    @inlinable @inline(__always)
    public func tryCatch<P: Publisher>(
        _ handler: @escaping @Sendable (Failure) throws -> P
    ) -> Publishers.TryCatch<Self, P> where P.Output == Output {
        Publishers.TryCatch(upstream: self, handler: handler)
    }
}

extension Publishers {
    /// Continues with another publisher when the upstream fails; the closure that makes it may throw.
    @frozen
    public struct TryCatch<Upstream: Publisher, NewPublisher: Publisher>: Publisher
    where Upstream.Output == NewPublisher.Output {
        public typealias Output = Upstream.Output
        public typealias Failure = any Error

        /// The upstream publisher.
        public let upstream: Upstream
        /// The closure that makes the publisher to continue with.
        public let handler: @Sendable (Upstream.Failure) throws -> NewPublisher

        /// Creates a publisher that continues with another one when the upstream fails, or fails with what the
        /// closure throws.
        ///
        /// - Parameters:
        ///   - upstream: The upstream publisher.
        ///   - handler: A closure that makes the publisher to continue with.
        @preconcurrency
        @inlinable @inline(__always)
        public init(upstream: Upstream, handler: @escaping @Sendable (Upstream.Failure) throws -> NewPublisher) {
            self.upstream = upstream
            self.handler = handler
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == any Error {
            attach(AnySubscriber(subscriber))
        }

        @inlinable @inline(never)
        func attach(_ subscriber: AnySubscriber<Output, Failure>) {
            upstream.mapError { $0 as any Error }
                .catch { [handler] error -> AnyPublisher<Output, any Error> in
                    guard let failure = error as? Upstream.Failure else {
                        return Fail(error: error).eraseToAnyPublisher()
                    }
                    do {
                        return try handler(failure).mapError { $0 as any Error }.eraseToAnyPublisher()
                    } catch {
                        return Fail(error: error).eraseToAnyPublisher()
                    }
                }
                .receive(subscriber: subscriber)
        }
    }
}
