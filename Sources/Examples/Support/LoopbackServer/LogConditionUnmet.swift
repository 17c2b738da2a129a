/// A ``LogCondition`` did not come to hold before the deadline, or before the server was stopped.
public struct LogConditionUnmet: Error, CustomStringConvertible {
    /// What was waited for.
    public let condition: LogCondition
    /// The log at the end of the wait.
    public let requests: [LoggedRequest]

    public var description: String {
        let lines = requests.map {
            "  #\($0.id) on connection \($0.connection): \($0.request.method) \($0.request.target) -> \($0.status), "
                + "\($0.bodyBytesSent) bytes, \($0.ending.map { "\($0)" } ?? ($0.isStalled ? "stalled" : "under way"))"
        }
        return (["not seen by the server: \(condition); its log:"] + lines).joined(separator: "\n")
    }
}
