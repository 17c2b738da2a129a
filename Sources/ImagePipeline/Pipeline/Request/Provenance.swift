import Dispatch

/// The stage that a value, or its bytes, came from, for how long the value may be taken for as it is there, and whether it has lost something
/// on its way.
///
/// Two are equal when their stages are.
public struct Provenance: Sendable {
    /// A stage of a pipeline.
    public enum Stage: String, Sendable, Hashable {
        /// A cache in memory, a cache on disk, the network, a file, or the bytes of the request itself.
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
    public var freshness: Duration? {
        get { times.freshness }
        set { countAnew { $0.freshness = newValue } }
    }
    /// The time, from the delivery on, after which no cache serves the value any more (``CachePolicy/expires(at:)``); nil for none.
    public var lifetime: Duration? {
        get { times.lifetime }
        set { countAnew { $0.lifetime = newValue } }
    }
    /// A Boolean value that indicates whether a cache has kept the value in a form that loses something: an image as a JPEG
    /// (``StoredForm/jpeg(quality:)``). What the original file had lost before does not count.
    public var isLossy: Bool
    /// The moment at which its server was asked for it, or, later, whether it still is so; nil where nobody has noted it.
    var asked: AskingTime?
    private var times: (freshness: Duration?, lifetime: Duration?)
    /// The moment that these times count from, in nanoseconds of a steady clock; 0 where there are none. A number: an instant of the standard
    /// library's clock has a layout that is known at run time only, and every event would have, too.
    private var moment: UInt64

    /// Creates the provenance of a value.
    ///
    /// - Parameters:
    ///   - stage: The stage that it came from.
    ///   - freshness: The time for which it may be served without asking its server.
    ///   - lifetime: The time after which it is never served.
    ///   - isLossy: A Boolean value that indicates whether a cache has kept it in a form that loses something.
    public init(
        _ stage: Stage, freshFor freshness: Duration? = nil, lifetime: Duration? = nil, isLossy: Bool = false
    ) {
        self.stage = stage
        self.isLossy = isLossy
        times = (freshness, lifetime)
        moment = freshness == nil && lifetime == nil ? 0 : DispatchTime.now().uptimeNanoseconds
    }

    /// The same, with the times that are left of those it came with.
    func aged() -> Provenance {
        guard moment > 0 else { return self }
        var aged = self
        aged.countAnew { _ in }
        return aged
    }

    /// Has what is left of the times count from now, and so what is set.
    private mutating func countAnew(_ change: (inout (freshness: Duration?, lifetime: Duration?)) -> Void) {
        let now = DispatchTime.now().uptimeNanoseconds
        let age = Duration.nanoseconds(moment > 0 && now > moment ? Int64(clamping: now - moment) : 0)
        times = (times.freshness.map { max(.zero, $0 - age) }, times.lifetime.map { $0 - age })
        change(&times)
        moment = now
    }

    /// Whether it comes from where it is kept for good, and not from a cache.
    var isNews: Bool { stage == .network || stage == .file || stage == .data }

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
