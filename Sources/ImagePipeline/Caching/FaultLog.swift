import Files

/// The failures of a medium that last: each is worth one line in a log until it is gone.
struct FaultLog: Sendable {
    /// The kind of work that failed, and whose next success says that the fault is gone.
    enum Work: String, Sendable {
        case reading, writing, listing
        /// To move a folder that stands where a file of the cache belongs.
        case clearing
    }

    private var counts: [Work: [Int32: Int]] = [:]

    /// Counts a failure.
    ///
    /// - Returns: Whether it is the first of its kind since such work last succeeded.
    mutating func note(_ error: SystemError, in work: Work) -> Bool {
        counts[work, default: [:]][error.code, default: 0] += 1
        return counts[work]?[error.code] == 1
    }

    /// Ends the faults of a kind of work that has succeeded.
    ///
    /// - Returns: The number of failures that there were; 0 if there was no fault.
    mutating func end(_ work: Work) -> Int {
        if counts.isEmpty { return 0 }
        return counts.removeValue(forKey: work)?.values.reduce(0, +) ?? 0
    }
}
