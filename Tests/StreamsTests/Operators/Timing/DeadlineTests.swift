import Testing

@testable import Streams

@Suite("Deadlines that are moved, and their one timer")
struct DeadlineTests {
    private final class Timer: Cancellable {
        func cancel() {}
    }

    @Test("A timer that rings before it is kept is given back to be cancelled, and none is kept then")
    func hasty() throws {
        var deadline = Deadline<Int>()
        guard case .first = deadline.set(5) else {
            Issue.record("another timer is under way")
            return
        }
        let arming = deadline.arm()
        let number = try #require(arming?.number)
        let (finding, none) = deadline.check(number, isDue: true)
        #expect(finding == .due && none == nil)
        let timer = Timer()
        let returned = deadline.keep(timer, number)
        #expect(returned as? Timer === timer && deadline.timer == nil)
    }

    @Test("A timer that is kept is given back by whatever ends it, once")
    func kept() throws {
        for ends in [true, false] {
            var deadline = Deadline<Int>()
            _ = deadline.set(5)
            let arming = deadline.arm()
            let number = try #require(arming?.number)
            let timer = Timer()
            let refused = deadline.keep(timer, number)
            let returned = ends ? deadline.end() : deadline.check(number, isDue: true).1
            let left = deadline.end()
            #expect(refused == nil && returned as? Timer === timer && left == nil)
        }
    }

    @Test("Only the latest deadline, and one that is still to come, has the timer set earlier")
    func hastened() {
        var deadline = Deadline<Int>()
        _ = deadline.set(5)
        let number = deadline.arm()?.number
        let versions = [3, 2].map { time -> Int? in
            guard case .armed(5, let version) = deadline.set(time) else { return nil }
            return version
        }
        let isOutdated = deadline.hasten(ifStill: versions[0] ?? 0)
        #expect(!isOutdated && deadline.armed == 5)
        let isLatest = deadline.hasten(ifStill: versions[1] ?? 0)
        #expect(isLatest && deadline.armed == 2)
        let (finding, _) = deadline.check(number ?? 0, isDue: true)
        let isGone = deadline.hasten(ifStill: deadline.version)
        #expect(finding == .due && !isGone && deadline.armed == nil)
    }
}
