import CThread
import Synchronization

/// Runs two closures at the same instant, pair after pair, on two threads that stay the same.
///
/// Every 50 pairs they wait until they answer each other within a microsecond, and so really run at once, also on a
/// machine that is busy with other things. Where that does not come about in five attempts, as with a single core, they go
/// on nevertheless. In between they wait for each other for a few microseconds. Where the system has no second thread to
/// give, the closures run one after another.
///
/// - Parameter rounds: The pairs of closures to run.
public func duel(_ rounds: [(left: @Sendable () -> Void, right: @Sendable () -> Void)]) {
    let meeting = Meeting()
    let isRun = StartingLine.run([
        {
            for (index, round) in rounds.enumerated() {
                if index.isMultiple(of: 50) { meeting.lead() }
                meeting.arriveLeft(at: index + 1)
                round.left()
            }
        },
        {
            for (index, round) in rounds.enumerated() {
                if index.isMultiple(of: 50) { meeting.follow() }
                meeting.arriveRight(at: index + 1)
                round.right()
            }
        },
    ])
    guard !isRun else { return }
    for round in rounds {
        round.left()
        round.right()
    }
}

private final class Meeting: Sendable {
    /// Counts the leader's calls; negative when that was the last of this meeting.
    private let call = Atomic(0)
    private let answer = Atomic(0)
    /// How many pairs each has come to.
    private let left = Atomic(0)
    private let right = Atomic(0)

    func lead() {
        var number = abs(call.load(ordering: .relaxed))
        for _ in 0..<5 {
            number += 1
            call.store(number, ordering: .releasing)
            if wait({ answer.load(ordering: .acquiring) == number }) < 1_000 { break }
        }
        call.store(-number, ordering: .releasing)
        // The next meeting's calls are for nobody who has yet to see this one's end.
        wait { answer.load(ordering: .acquiring) == -number }
    }

    func follow() {
        while true {
            let answered = answer.load(ordering: .relaxed)
            wait { call.load(ordering: .acquiring) != answered }
            let number = call.load(ordering: .acquiring)
            answer.store(number, ordering: .releasing)
            if number < 0 { return }
        }
    }

    func arriveLeft(at place: Int) { Self.meet(left, right, at: place) }

    func arriveRight(at place: Int) { Self.meet(right, left, at: place) }

    private static func meet(_ own: borrowing Atomic<Int>, _ other: borrowing Atomic<Int>, at place: Int) {
        own.store(place, ordering: .releasing)
        var patience = 5_000
        while patience > 0, other.load(ordering: .acquiring) < place { patience -= 1 }
    }

    /// Spins; gives way now and then, as the other thread may be waiting for this core.
    ///
    /// - Returns: How many times it has looked.
    @discardableResult
    private func wait(_ isOver: () -> Bool) -> Int {
        var looks = 0
        while !isOver() {
            looks += 1
            if looks.isMultiple(of: 1 << 14) { sched_yield() }
        }
        return looks
    }
}
