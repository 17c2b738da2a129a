extension Publisher {
    /// Stops the program when the upstream fails: for publishers that cannot fail, though their type says that they
    /// can.
    ///
    ///     upstream             1---2---3|
    ///     assertNoFailure()    1---2---3|
    ///
    /// Demand and thread are the upstream's. Failure: never.
    ///
    /// - Parameters:
    ///   - prefix: The text in front of the message.
    ///   - file: The file, for the report.
    ///   - line: The line, for the report.
    @inlinable @inline(__always)
    public func assertNoFailure(
        _ prefix: String = "", file: StaticString = #file, line: UInt = #line
    ) -> Publishers.AssertNoFailure<Self> {
        Publishers.AssertNoFailure(upstream: self, prefix: prefix, file: file, line: line)
    }
}

extension Publishers {
    /// Stops the program when the upstream fails.
    @frozen
    public struct AssertNoFailure<Upstream: Publisher>: DeliveringAsUpstream {
        public typealias Failure = Never

        /// The upstream publisher.
        public let upstream: Upstream
        /// The text in front of the message.
        public let prefix: String
        /// The file, for the report.
        public let file: StaticString
        /// The line, for the report.
        public let line: UInt

        /// Creates a publisher that stops the program when the upstream fails.
        ///
        /// - Parameters:
        ///   - upstream: The upstream publisher.
        ///   - prefix: The text in front of the message.
        ///   - file: The file, for the report.
        ///   - line: The line, for the report.
        @inlinable @inline(__always)
        public init(upstream: Upstream, prefix: String, file: StaticString, line: UInt) {
            self.upstream = upstream
            self.prefix = prefix
            self.file = file
            self.line = line
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Upstream.Output, S.Failure == Never {
            upstream.mapError { [prefix, file, line] failure -> Never in
                preconditionFailure(
                    "\(prefix)\(prefix.isEmpty ? "" : ": ")A publisher failed that was asserted not to: \(failure)",
                    file: file, line: line)
            }.receive(subscriber: subscriber)
        }
    }
}
