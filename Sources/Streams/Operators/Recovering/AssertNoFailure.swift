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
        mapError { failure -> Never in
            preconditionFailure(
                "\(prefix)\(prefix.isEmpty ? "" : ": ")A publisher failed that was asserted not to: \(failure)",
                file: file, line: line)
        }
    }
}

extension Publishers {
    /// Stops the program when the upstream fails.
    public typealias AssertNoFailure<Upstream: Publisher> = MapError<Upstream, Never>
}
