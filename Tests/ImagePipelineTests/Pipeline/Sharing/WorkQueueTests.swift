import Streams
import StreamsTesting
import Synchronization
import Testing

@testable import ImagePipeline

@Suite("Work by its urgency")
final class WorkQueueTests: Sendable {
    private let time = VirtualTimeScheduler()
    private let done = Mutex<[String]>([])

    /// Has a turn note its name, after as much time as it takes.
    private func note(_ name: String, _ turn: WorkTurn<HeldScheduler>) {
        turn.schedule { self.done.withLock { $0.append(name) } }
    }

    @Test("A load's time passes as long as one of its pieces runs")
    func overlappingPieces() {
        var line = WorkQueue<VirtualTimeScheduler>.Line(level: LoadPriority.normal.level)
        line.begin(at: .zero)
        line.begin(at: .zero)
        line.end(at: .milliseconds(100))
        #expect(line.total(at: .milliseconds(300)) == .milliseconds(300))
        line.end(at: .milliseconds(300))
        #expect(line.total(at: .milliseconds(500)) == .milliseconds(300))
    }

    @Test(
        "Higher priorities go first, those of one priority in their order, and a priority that changes counts at once")
    func levels() {
        let held = HeldScheduler(time)
        let queue = WorkQueue(on: held)
        let visibility = LivePriority(.low)
        let turns = [queue.turn(.low), queue.turn(), queue.turn(.live(visibility)), queue.turn(), queue.turn(.high)]
        for (index, turn) in turns.enumerated() { note("\(index)", turn) }
        visibility.level = .high
        held.run()
        #expect(done.withLock { $0 } == ["2", "4", "1", "3", "0"])
    }

    @Test(
        "Work that nobody waits for is done behind all loads; beyond what the queue may hold, before those of its priority"
    )
    func aside() {
        let held = HeldScheduler(time)
        let queue = WorkQueue(on: held, memory: 100)
        for (name, bytes) in [("first", 60), ("second", 40), ("third", 1)] {
            queue.aside(holding: bytes, for: .normal) { self.done.withLock { $0.append(name) } }
        }
        let turns = [queue.turn(), queue.turn(.low), queue.turn(.high)]
        for (index, turn) in turns.enumerated() { note("\(index)", turn) }
        queue.aside(holding: 1, for: .normal) { self.done.withLock { $0.append("fourth") } }
        held.run()
        #expect(done.withLock { $0 } == ["2", "first", "second", "0", "1", "third", "fourth"])
        queue.aside(holding: 100, for: .normal) { self.done.withLock { $0.append("last") } }
        note("0", turns[0])
        held.run()
        #expect(done.withLock { $0 }.suffix(2) == ["0", "last"], "what was held before is let go of")
    }

    @Test("A load that has taken much time waits behind those that have taken little, and no longer than it has taken")
    func small() {
        let held = HeldScheduler(time)
        let queue = WorkQueue(on: held)
        let (large, small) = (queue.turn(), queue.turn())
        large.schedule { self.time.advance(by: .milliseconds(200)) }
        held.run()
        note("large", large)
        note("small", small)
        held.run()
        #expect(done.withLock { $0 } == ["small", "large"])
        note("large", large)
        time.advance(by: .milliseconds(201))
        note("small", small)
        held.run()
        #expect(done.withLock { $0 }.suffix(2) == ["large", "small"])
    }

    @Test("Work of one load keeps its order, and a load that is let go of leaves nothing behind")
    func lines() {
        let held = HeldScheduler(time)
        let queue = WorkQueue(on: held)
        weak var gone: WorkTurn<HeldScheduler>?
        do {
            let turn = queue.turn()
            gone = turn
            for name in ["a", "b", "c"] { note(name, turn) }
        }
        held.run()
        #expect(done.withLock { $0 } == ["a", "b", "c"])
        #expect(gone == nil)
    }
}

/// A scheduler on virtual time that keeps what is to run until it is told to.
final class HeldScheduler: Scheduler {
    typealias SchedulerTimeType = VirtualTimeScheduler.SchedulerTimeType
    typealias SchedulerOptions = VirtualTimeScheduler.SchedulerOptions

    private let time: VirtualTimeScheduler
    private let held = Mutex<[@Sendable () -> Void]>([])

    init(_ time: VirtualTimeScheduler) {
        self.time = time
    }

    /// - Returns: The number of pieces of work that have run.
    @discardableResult
    func run(_ limit: Int = .max) -> Int {
        var count = 0
        while count < limit, let next = held.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
            next()
            count += 1
        }
        return count
    }

    var now: SchedulerTimeType { time.now }
    var minimumTolerance: SchedulerTimeType.Stride { time.minimumTolerance }

    func schedule(options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void) {
        held.withLock { $0.append(action) }
    }

    func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
        _ action: @escaping @Sendable () -> Void
    ) {
        time.schedule(after: date, tolerance: tolerance, options: options, action)
    }

    func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void
    ) -> any Cancellable {
        time.schedule(after: date, interval: interval, tolerance: tolerance, options: options, action)
    }
}
