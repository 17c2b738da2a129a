extension WorkQueue {
    /// Work that nobody waits for.
    struct Asides: Sendable {
        fileprivate typealias Work = @Sendable () -> Void

        fileprivate var waiting: [(bytes: Int, work: Work)] = []
        /// The bytes that it holds until it is done.
        fileprivate var held = 0
    }

    /// Does work that nobody waits for, behind all that somebody does and in its own order. Once it holds ``memory``, some of it goes before
    /// the loads of the priority of the one that brings more, so that no images pile up.
    ///
    /// - Parameters:
    ///   - bytes: The bytes that the work holds until it is done.
    ///   - priority: The load's.
    func aside(holding bytes: Int, for priority: LoadPriority, _ work: @escaping @Sendable () -> Void) {
        let held = asides.withLock { asides in
            asides.waiting.append((bytes, work))
            asides.held += bytes
            return asides.held
        }
        let standing = held > memory ? Standing.ahead : .behind
        turn(.fixed(priority.level), needsRoom: false, standing: standing).schedule { [self] in doAside() }
    }

    /// As many turns as there is work: each does what has waited longest.
    private func doAside() {
        let first = asides.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
        guard let next = first else { return }
        next.work()
        asides.withLock { $0.held -= next.bytes }
    }
}
