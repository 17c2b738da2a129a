/// A failure, with the checkpoints that it has passed.
public struct TracedFailure: Error, CustomStringConvertible {
    /// The original failure.
    public let failure: any Error
    /// The checkpoints it has passed, the nearest to its origin first.
    public let trace: [String]

    @inlinable
    init(failure: any Error, trace: [String]) {
        self.failure = failure
        self.trace = trace
    }

    public var description: String {
        "\(failure)\n" + trace.map { "    at \($0)" }.joined(separator: "\n")
    }
}

extension Publisher {
    /// Records in a passing failure the place of this operator: its name, file and line.
    ///
    ///     upstream                1---2---✕
    ///     checkpoint("decode")    1---2---✕
    ///
    /// Demand and thread are the upstream's. Failure: the upstream's as a `TracedFailure`, which keeps the original and
    /// every checkpoint that it passes.
    ///
    /// - Parameters:
    ///   - name: The name of the checkpoint, for the trace.
    ///   - file: The file, for the report.
    ///   - line: The line, for the report.
    @_disfavoredOverload
    @inlinable @inline(__always)
    public func checkpoint(
        _ name: String, file: StaticString = #fileID, line: UInt = #line
    ) -> Publishers.MapError<Self, TracedFailure> {
        mapError { failure in
            let place = "\(name) (\(file):\(line))"
            guard let traced = failure as? TracedFailure else { return TracedFailure(failure: failure, trace: [place]) }
            return TracedFailure(failure: traced.failure, trace: traced.trace + [place])
        }
    }
}
