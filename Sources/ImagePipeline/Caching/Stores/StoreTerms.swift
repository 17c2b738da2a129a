/// The time that loads give a store, and what becomes of one that does not answer.
public struct StoreTerms: Sendable, Hashable {
    /// The longest time that one load waits for the store, all its waiting taken together. Then the load goes on without it.
    public var timeLimit: Duration
    /// The number of failures in a row after which the store is left alone for a while.
    public var failures: Int
    /// The time for which a store is left alone; then one load tries it again.
    public var pause: Duration
    /// The duration of a lease; nil for no leases. One that its holder has not renewed for as long may be taken over, and no load waits
    /// longer than that for one that is renewed.
    public var leaseTime: Duration?

    /// Creates terms; see the properties.
    ///
    /// - Parameters:
    ///   - timeLimit: The longest time that one load waits for the store.
    ///   - failures: The number of failures in a row after which the store is left alone.
    ///   - pause: The time for which it is left alone.
    ///   - leaseTime: The duration of a lease; nil for no leases.
    public init(
        timeLimit: Duration = .milliseconds(500), failures: Int = 3, pause: Duration = .seconds(5),
        leaseTime: Duration? = .seconds(10)
    ) {
        self.timeLimit = timeLimit
        self.failures = max(1, failures)
        self.pause = pause
        self.leaseTime = leaseTime
    }

    /// The terms of a directory: two seconds, as a disk that has to spin up is no fault.
    public static let directory = StoreTerms(timeLimit: .seconds(2))
}
