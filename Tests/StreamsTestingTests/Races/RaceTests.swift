import CThread
import StreamsTesting
import Synchronization
import Testing

@Suite("Races")
struct RaceTests {
    @Test("Contenders that wait for one another all come, though there are more than cores")
    func allCome() {
        let count = 16
        let arrived = Atomic(0)
        let met = Atomic(0)
        race(
            (0..<count).map { _ in
                {
                    arrived.add(1, ordering: .acquiringAndReleasing)
                    var patience = 1_000_000
                    while arrived.load(ordering: .acquiring) < count, patience > 0 {
                        sched_yield()
                        patience -= 1
                    }
                    if patience > 0 { met.add(1, ordering: .relaxed) }
                }
            })
        #expect(met.load(ordering: .relaxed) == count)
    }

    @Test("All contenders have returned when the race has, whether there are none, one or many")
    func allReturned() {
        for count in [0, 1, 2, 50] {
            let returned = Atomic(0)
            race((0..<count).map { _ in { returned.add(1, ordering: .relaxed) } })
            #expect(returned.load(ordering: .relaxed) == count)
        }
    }

    @Test("A duel runs each pair once, in order")
    func duelInOrder() {
        let left = Mutex<[Int]>([])
        let right = Mutex<[Int]>([])
        duel(
            (0..<500).map { round in
                (left: { left.withLock { $0.append(round) } }, right: { right.withLock { $0.append(round) } })
            })
        #expect(left.withLock { $0 } == Array(0..<500))
        #expect(right.withLock { $0 } == Array(0..<500))
    }
}
