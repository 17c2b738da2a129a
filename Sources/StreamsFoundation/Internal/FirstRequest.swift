import Synchronization

/// Starts something with the first of several requests.
final class FirstRequest: Sendable {
    private let isOver = Atomic(false)
    private let start: @Sendable () -> Void

    init(_ start: @escaping @Sendable () -> Void) {
        self.start = start
    }

    func request() {
        if !isOver.exchange(true, ordering: .acquiringAndReleasing) { start() }
    }
}
