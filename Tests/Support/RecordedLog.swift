import Synchronization

/// The lines that something has logged.
package final class RecordedLog: Sendable {
    private let stored = Mutex<[String]>([])

    package init() {}

    package var lines: [String] { stored.withLock { $0 } }

    package func append(_ line: String) {
        stored.withLock { $0.append(line) }
    }
}
