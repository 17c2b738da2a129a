import Synchronization

/// The slot in which a published property keeps the publisher of its object, once that has been asked for.
final class OwnerSlot: Sendable {
    private let kept = Mutex<ObservableObjectPublisher?>(nil)
    /// Nobody has asked for most; those cost a load.
    private let isSet = Atomic(false)

    var publisher: ObservableObjectPublisher? {
        isSet.load(ordering: .acquiring) ? kept.withLock { $0 } : nil
    }

    /// Keeps a publisher, unless there is one.
    ///
    /// - Returns: The one that it has now.
    func adopt(_ publisher: ObservableObjectPublisher) -> ObservableObjectPublisher {
        let now = kept.withLock { kept in
            if let kept { return kept }
            kept = publisher
            return publisher
        }
        isSet.store(true, ordering: .releasing)
        return now
    }
}
