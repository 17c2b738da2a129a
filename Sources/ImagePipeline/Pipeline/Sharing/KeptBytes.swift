import Synchronization

/// The bytes that all bodies of a source keep, within a limit.
final class KeptBytes: Sendable {
    private let limit: Int
    private let kept = Atomic(0)

    init(limit: Int) {
        self.limit = limit
    }

    /// The bytes that are kept now.
    var bytes: Int { kept.load(ordering: .relaxed) }

    /// Counts bytes in any case.
    ///
    /// - Returns: whether they are within the limit.
    func take(_ count: Int) -> Bool {
        kept.wrappingAdd(count, ordering: .relaxed).newValue <= limit
    }

    func free(_ count: Int) {
        kept.wrappingSubtract(count, ordering: .relaxed)
    }
}
