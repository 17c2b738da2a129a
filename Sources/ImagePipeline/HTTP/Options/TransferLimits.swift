/// The limits of one transfer. Each that is reached is an error that says which.
public struct TransferLimits: Sendable, Hashable {
    /// A rate below which a transfer counts as stalled.
    public struct Stall: Sendable, Hashable {
        /// The bytes, of head and body, that must come within the time.
        public var bytes: Int
        /// The time, measured again and again from the moment at which the request is sent.
        public var time: Duration

        /// Creates a minimum rate of transfer.
        ///
        /// - Parameters:
        ///   - bytes: The number of bytes that must come within the time.
        ///   - time: The time within which they must come.
        public init(bytes: Int, in time: Duration) {
            self.bytes = bytes
            self.time = time
        }
    }

    /// The time until a connection stands: looking the name up, connecting and agreeing on encryption. 10 seconds unless told otherwise.
    public var connect: Duration
    /// The slowest rate; 1,000 bytes in 20 seconds unless told otherwise. Time without demand does not count.
    public var stall: Stall
    /// The time for the whole, redirects included; 300 seconds unless told otherwise. Waiting for one's turn does not count.
    public var total: Duration
    /// The largest body in bytes, after decoding; 256 MiB unless told otherwise.
    public var body: Int
    /// The most bytes that header fields may take; 256 KiB unless told otherwise.
    public var head: Int

    /// Creates limits; see the properties.
    ///
    /// - Parameters:
    ///   - connect: The longest time until a connection stands.
    ///   - stall: The slowest rate.
    ///   - total: The longest time for the whole transfer.
    ///   - body: The largest body in bytes.
    ///   - head: The largest size of the header fields in bytes.
    public init(
        connect: Duration = .seconds(10), stall: Stall = Stall(bytes: 1_000, in: .seconds(20)),
        total: Duration = .seconds(300), body: Int = 256 << 20, head: Int = 256 << 10
    ) {
        self.connect = connect
        self.stall = stall
        self.total = total
        self.body = body
        self.head = head
    }
}
