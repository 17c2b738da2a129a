import Logging
import Synchronization

/// Whether a store answers, for all loads that use it: the breaker, its clock, and a line in the log for each change.
final class StoreHealth: Sendable {
    private let breaker: Mutex<StoreBreaker>
    private let terms: StoreTerms
    private let clock: StoreClock
    private let logger = Logger(label: "ImagePipeline.Store")

    init(terms: StoreTerms, clock: StoreClock) {
        self.terms = terms
        self.clock = clock
        breaker = Mutex(StoreBreaker(terms: terms))
    }

    /// Whether the caller is to ask the store now.
    var mayAsk: Bool {
        let now = clock.elapsed()
        return breaker.withLock { $0.mayAsk(at: now) }
    }

    /// Whether the store is left alone, also by whoever would try it again.
    var isPaused: Bool { breaker.withLock { $0.isPaused } }

    /// Whether its last answer was a failure.
    var hasJustFailed: Bool { breaker.withLock { $0.failures > 0 } }

    func didAnswer() {
        guard breaker.withLock({ $0.didAnswer() }) else { return }
        logger.notice("a store answers again")
    }

    func didFail(_ fault: StoreFault) {
        let now = clock.elapsed()
        guard breaker.withLock({ $0.didFail(at: now) }) else { return }
        logger.warning("a store does not answer, and is left alone for \(terms.pause): \(fault)")
    }
}
