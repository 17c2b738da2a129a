import Dispatch

/// The main actor's executor.
enum MainQueue {
    /// Whether this is the main queue. (Not the main thread: once Dispatch runs the program, the main queue is served by
    /// other threads.)
    static var isCurrent: Bool {
        DispatchQueue.getSpecific(key: mark) != nil
    }

    private static let mark: DispatchSpecificKey<Void> = {
        let key = DispatchSpecificKey<Void>()
        DispatchQueue.main.setSpecific(key: key, value: ())
        return key
    }()
}
