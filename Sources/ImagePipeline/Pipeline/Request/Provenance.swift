/// The stage that a value, or its bytes, came from, and for how long the value may be taken for as it is there.
///
/// Two are equal when their stages are: ``freshness`` is on its way to a cache.
public struct Provenance: Sendable {
    /// A stage of a pipeline.
    public enum Stage: String, Sendable, Hashable {
        case memory, disk, network, file, data
        /// No final image: a preview that was good enough for its requester (``ImageDelivery/fast(quality:)``).
        case preview
    }

    /// The stage.
    public let stage: Stage
    /// The name of the stage.
    public var rawValue: String { stage.rawValue }
    /// The time, from the delivery on, for which the value may be served without asking its server; nil where that has said nothing
    /// of the kind.
    public var freshness: Duration?

    /// Creates the provenance of a value.
    ///
    /// - Parameters:
    ///   - stage: The stage that it came from.
    ///   - freshness: The time for which it may be served without asking its server.
    public init(_ stage: Stage, freshFor freshness: Duration? = nil) {
        self.stage = stage
        self.freshness = freshness
    }

    /// A cache of values in memory.
    public static let memory = Provenance(.memory)
    /// A cache of bodies on disk.
    public static let disk = Provenance(.disk)
    /// The network.
    public static let network = Provenance(.network)
    /// A file.
    public static let file = Provenance(.file)
    /// The bytes of the request itself.
    public static let data = Provenance(.data)
    /// A preview that was good enough for its requester.
    public static let preview = Provenance(.preview)
}

extension Provenance: Hashable {
    public static func == (left: Provenance, right: Provenance) -> Bool { left.stage == right.stage }

    public func hash(into hasher: inout Hasher) { hasher.combine(stage) }
}

extension Provenance: CustomStringConvertible {
    public var description: String { rawValue }
}
