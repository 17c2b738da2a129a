import Dispatch
import Synchronization

/// The server's record of what was asked of it and what became of each answer. All members may be called from any
/// thread; the values are snapshots.
public final class RequestLog: Sendable {
    private struct Waiter {
        let condition: LogCondition
        let resume: @Sendable (Bool) -> Void
    }

    private struct State {
        var requests: [LoggedRequest] = []
        var connections = 0
        var openConnections = 0
        var waiters: [Int: Waiter] = [:]
        var nextWaiter = 0
        var isClosed = false

        func holds(_ condition: LogCondition) -> Bool {
            condition.holds(for: requests, openConnections: openConnections)
        }
    }

    private let state = Mutex(State())

    init() {}

    /// All requests so far, in the order of their arrival.
    public var requests: [LoggedRequest] { state.withLock { $0.requests } }

    /// The requests for one path, in the order of their arrival.
    public func requests(for path: String) -> [LoggedRequest] { requests.filter { $0.path == path } }

    /// How many connections were accepted so far.
    public var connections: Int { state.withLock { $0.connections } }

    /// How many connections are open now.
    public var openConnections: Int { state.withLock { $0.openConnections } }

    /// Blocks the calling thread until the condition holds.
    ///
    /// - Parameter seconds: a safety net, not a measure: how long to wait before giving up.
    /// - Throws: ``LogConditionUnmet`` at the deadline, or when the server is stopped.
    @available(*, noasync, message: "await the asynchronous wait(for:seconds:)")
    public func wait(for condition: LogCondition, seconds: Double = 300) throws(LogConditionUnmet) {
        let semaphore = DispatchSemaphore(value: 0)
        let outcome = Mutex(false)
        enlist(condition, seconds: seconds) { holds in
            outcome.withLock { $0 = holds }
            semaphore.signal()
        }
        semaphore.wait()
        guard outcome.withLock({ $0 }) else { throw LogConditionUnmet(condition: condition, requests: requests) }
    }

    /// Suspends the task until the condition holds.
    ///
    /// - Parameter seconds: a safety net, not a measure: how long to wait before giving up.
    /// - Throws: ``LogConditionUnmet`` at the deadline, or when the server is stopped.
    public func wait(for condition: LogCondition, seconds: Double = 300) async throws(LogConditionUnmet) {
        let holds = await withCheckedContinuation { continuation in
            enlist(condition, seconds: seconds) { continuation.resume(returning: $0) }
        }
        guard holds else { throw LogConditionUnmet(condition: condition, requests: requests) }
    }

    /// Calls `resume` exactly once: at once if the condition holds or cannot come to hold any more, else when it does,
    /// at the deadline, or when the log is closed.
    private func enlist(_ condition: LogCondition, seconds: Double, resume: @escaping @Sendable (Bool) -> Void) {
        let outcome = state.withLock { state -> (known: Bool?, id: Int) in
            if state.holds(condition) { return (true, 0) }
            if state.isClosed { return (false, 0) }
            let id = state.nextWaiter
            state.nextWaiter += 1
            state.waiters[id] = Waiter(condition: condition, resume: resume)
            return (nil, id)
        }
        if let known = outcome.known { return resume(known) }
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [weak self] in
            self?.state.withLock { $0.waiters.removeValue(forKey: outcome.id) }?.resume(false)
        }
    }

    /// Changes the state and resumes those whose condition now holds, outside the lock.
    @discardableResult
    private func change<Value: Sendable>(_ body: (inout sending State) -> Value) -> Value {
        let (value, ready) = state.withLock { state in
            let value = body(&state)
            let ready = state.waiters.filter { state.holds($0.value.condition) }
            for id in ready.keys { state.waiters.removeValue(forKey: id) }
            return (value, ready)
        }
        for waiter in ready.values { waiter.resume(true) }
        return value
    }

    // What the server's thread reports.

    func opened() -> Int {
        change { state in
            state.connections += 1
            state.openConnections += 1
            return state.connections - 1
        }
    }

    func closed() {
        change { $0.openConnections -= 1 }
    }

    func arrived(_ request: Request, connection: Int, status: Int) -> Int {
        change { state in
            let id = state.requests.count
            state.requests.append(LoggedRequest(id: id, connection: connection, request: request, status: status))
            return id
        }
    }

    func update(_ id: Int, _ body: (inout LoggedRequest) -> Void) {
        change { body(&$0.requests[id]) }
    }

    /// Nothing more comes: whoever still waits is told so.
    func close() {
        let left = state.withLock { state in
            state.isClosed = true
            defer { state.waiters = [:] }
            return state.waiters
        }
        for waiter in left.values { waiter.resume(false) }
    }
}
