/// A request that tells a shared load what those who share it want.
///
/// `coalesced(by:)` gives the load one request for all of them, with the highest of their priorities and their interest in
/// degraded values, both live.
public protocol ShareableRequest: Sendable {
    /// A Boolean value that determines whether degraded values are delivered.
    var previews: Bool { get set }
    /// The place among loads that wait.
    var priority: LoadPriority { get set }
    /// The live interest in degraded values of those who share the load; nil for one who does not share it.
    var previewInterest: PreviewInterest? { get set }
}
