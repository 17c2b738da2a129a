import CThread
import Dispatch
import Synchronization

// Compiled into a copy of Streams by scripts/explore. A module's own names hide imported ones: the copy's `Atomic` and `Mutex` are these,
// and every use of one is a point where another thread may go on.

/// A few threads of which one runs at a time: which one goes on is decided at each use of an atomic or a lock.
///
/// Unchecked: what is not constant is touched by whoever has the turn, and turns are handed over by semaphores.
public final class Execution: @unchecked Sendable {
    /// A moment at which a thread was chosen.
    public struct Point {
        /// Those that could go on.
        let candidates: [Int]
        /// The one that had the turn and could have kept it; nil if it could not.
        let current: Int?
        let chosen: Int
        /// How often a turn had been taken from a thread before.
        let preemptions: Int
    }

    fileprivate enum State { case ready, blocked, ended }

    fileprivate final class Lane {
        let index: Int
        let execution: Execution
        let turn = DispatchSemaphore(value: 0)
        var state = State.ready

        init(_ index: Int, _ execution: Execution) {
            (self.index, self.execution) = (index, execution)
        }
    }

    /// What was chosen, from the beginning on.
    public private(set) var points: [Point] = []
    /// Whether all threads that were left waited for a lock.
    public private(set) var isDeadlocked = false
    private let plan: [Int]
    private var lanes: [Lane] = []
    private let isOver = DispatchSemaphore(value: 0)

    fileprivate static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// - Parameter plan: The threads that get the first turns. After them each keeps its turn for as long as it can.
    public init(_ plan: [Int]) {
        self.plan = plan
    }

    /// Runs the bodies to their end.
    public func run(_ bodies: [@Sendable () -> Void]) {
        lanes = bodies.indices.map { Lane($0, self) }
        for (lane, body) in zip(lanes, bodies) {
            let start = Unmanaged.passRetained(Start(lane, body))
            let status = start_thread(
                "lane", 0, { Unmanaged<Start>.fromOpaque($0).takeRetainedValue().run() }, start.toOpaque())
            precondition(status == 0, "there is no thread")
        }
        let first = choose(current: nil)
        lanes[first ?? 0].turn.signal()
        isOver.wait()
    }

    private final class Start {
        let lane: Lane
        let body: @Sendable () -> Void

        init(_ lane: Lane, _ body: @escaping @Sendable () -> Void) {
            (self.lane, self.body) = (lane, body)
        }

        func run() {
            pthread_setspecific(Execution.key, Unmanaged.passUnretained(lane).toOpaque())
            lane.turn.wait()
            body()
            pthread_setspecific(Execution.key, nil)
            lane.execution.end(lane)
        }
    }

    private func choose(current: Int?) -> Int? {
        let candidates = lanes.filter { $0.state == .ready }.map(\.index)
        guard let first = candidates.first else { return nil }
        let kept = current.flatMap { candidates.contains($0) ? $0 : nil }
        let chosen = points.count < plan.count ? plan[points.count] : kept ?? first
        let last = points.last.map { $0.preemptions + ($0.current != nil && $0.current != $0.chosen ? 1 : 0) }
        points.append(Point(candidates: candidates, current: kept, chosen: chosen, preemptions: last ?? 0))
        return chosen
    }

    private func end(_ lane: Lane) {
        lane.state = .ended
        passOn()
    }

    /// Gives the turn to another; ends the execution where there is none.
    private func passOn() {
        if let next = choose(current: nil) {
            lanes[next].turn.signal()
        } else {
            isDeadlocked = lanes.contains { $0.state == .blocked }
            isOver.signal()
        }
    }

    fileprivate static var lane: Lane? {
        pthread_getspecific(key).map { Unmanaged<Lane>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Lets another thread go on, if that is the plan.
    static func point() {
        guard let lane, let next = lane.execution.choose(current: lane.index), next != lane.index else { return }
        lane.execution.lanes[next].turn.signal()
        lane.turn.wait()
    }

    /// Waits until a lock was given back.
    fileprivate static func block(_ lane: Lane) {
        lane.state = .blocked
        lane.execution.passOn()
        lane.turn.wait()
    }

    fileprivate static func unblock(_ lane: Lane) {
        for other in lane.execution.lanes where other.state == .blocked { other.state = .ready }
    }
}

/// An atomic whose uses are points of an execution. All its operations are sequentially consistent.
public struct Atomic<Value: Equatable & Sendable>: ~Copyable, Sendable {
    let base: Synchronization.Mutex<Value>

    public init(_ value: Value) {
        base = Synchronization.Mutex(value)
    }

    private func update(_ change: @Sendable (Value) -> Value) -> (oldValue: Value, newValue: Value) {
        Execution.point()
        return base.withLock { value in
            let old = value
            value = change(old)
            return (old, value)
        }
    }

    public func load(ordering: AtomicLoadOrdering) -> Value {
        update { $0 }.oldValue
    }

    public func store(_ value: Value, ordering: AtomicStoreOrdering) {
        _ = update { _ in value }
    }

    public func exchange(_ value: Value, ordering: AtomicUpdateOrdering) -> Value {
        update { _ in value }.oldValue
    }

    public func compareExchange(
        expected: Value, desired: Value, successOrdering: AtomicUpdateOrdering, failureOrdering: AtomicLoadOrdering
    ) -> (exchanged: Bool, original: Value) {
        let old = update { $0 == expected ? desired : $0 }.oldValue
        return (old == expected, old)
    }

    public func compareExchange(
        expected: Value, desired: Value, ordering: AtomicUpdateOrdering
    ) -> (exchanged: Bool, original: Value) {
        compareExchange(
            expected: expected, desired: desired, successOrdering: ordering, failureOrdering: .sequentiallyConsistent)
    }
}

extension Atomic where Value: FixedWidthInteger {
    @discardableResult
    public func bitwiseOr(_ bits: Value, ordering: AtomicUpdateOrdering) -> (oldValue: Value, newValue: Value) {
        update { $0 | bits }
    }

    @discardableResult
    public func bitwiseAnd(_ bits: Value, ordering: AtomicUpdateOrdering) -> (oldValue: Value, newValue: Value) {
        update { $0 & bits }
    }

    @discardableResult
    public func wrappingAdd(_ value: Value, ordering: AtomicUpdateOrdering) -> (oldValue: Value, newValue: Value) {
        update { $0 &+ value }
    }

    @discardableResult
    public func wrappingSubtract(_ value: Value, ordering: AtomicUpdateOrdering) -> (oldValue: Value, newValue: Value) {
        update { $0 &- value }
    }

    @discardableResult
    public func add(_ value: Value, ordering: AtomicUpdateOrdering) -> (oldValue: Value, newValue: Value) {
        update { $0 + value }
    }

    @discardableResult
    public func subtract(_ value: Value, ordering: AtomicUpdateOrdering) -> (oldValue: Value, newValue: Value) {
        update { $0 - value }
    }

    @discardableResult
    public func max(_ value: Value, ordering: AtomicUpdateOrdering) -> (oldValue: Value, newValue: Value) {
        update { Swift.max($0, value) }
    }
}

/// A lock whose uses are points of an execution.
public struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    let base: Synchronization.Mutex<Value>
    private let isHeld = Synchronization.Atomic(false)

    public init(_ value: consuming sending Value) {
        base = Synchronization.Mutex(value)
    }

    public borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        guard let lane = Execution.lane else { return try base.withLock(body) }
        Execution.point()
        while isHeld.load(ordering: .relaxed) { Execution.block(lane) }
        isHeld.store(true, ordering: .relaxed)
        defer {
            isHeld.store(false, ordering: .relaxed)
            Execution.unblock(lane)
        }
        return try base.withLock(body)
    }
}
