/// A stage of a pipeline that is observed.
public enum LoadStage: Int, Sendable, Hashable, CaseIterable {
    /// The whole of a request, the memory cache included.
    case request
    /// Decoding and processing, of images that are neither in memory nor under way already.
    case decoding
    /// Reading bytes, from the disk cache, the network or a file.
    case bytes
    /// Transferring bytes from the network, all attempts included, and with them the beginning that is on disk of a body that is continued.
    case transfer

    /// The name of the stage, in one word.
    public var name: String {
        switch self {
        case .request: "request"
        case .decoding: "decoding"
        case .bytes: "bytes"
        case .transfer: "transfer"
        }
    }
}

/// The facts about one load in one stage.
public struct StageRecord: Sendable {
    /// The end of a load.
    public enum Ending: Sendable {
        /// The load completed.
        case finished
        /// The load failed with this error.
        case failed(LoadError)
        /// The load was cancelled by its subscriber; a decoder cancels the load of a body that it needs no more bytes of.
        case cancelled
    }

    /// The stage.
    public var stage: LoadStage
    /// The moment at which the load entered the stage, by the observer's clock.
    public var began: Duration
    /// The moment of the first bytes, or of the first image; nil before.
    public var first: Duration?
    /// The moment at which the load left the stage; nil before.
    public var ended: Duration?
    /// The number of bytes received.
    public var received = 0
    /// The number of bytes that were announced; nil where none was.
    public var expected: Int?
    /// The number of degraded images.
    public var previews = 0
    /// The place that the value came from; nil where that is not known.
    public var provenance: Provenance?
    /// The damage of a final image that is shown in spite of it; nil for one that is whole.
    public var damage: ImageDamage?
    /// The end; nil while the load goes on.
    public var ending: Ending?

    /// Creates the record of a load that enters a stage.
    ///
    /// - Parameters:
    ///   - stage: The stage.
    ///   - began: The moment at which the load enters it.
    public init(_ stage: LoadStage, began: Duration) {
        self.stage = stage
        self.began = began
    }

    /// The time that the load has spent in the stage; nil while it goes on.
    public var duration: Duration? { ended.map { $0 - began } }
}

/// Whoever wants to know of loads in stages.
protocol StageObserver: Sendable {
    /// The time since some moment.
    var now: Duration { get }
    func begin(_ record: StageRecord)
    func end(_ record: StageRecord)
}
