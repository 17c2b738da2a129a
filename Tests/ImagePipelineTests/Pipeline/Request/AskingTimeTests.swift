import Testing

@testable import ImagePipeline

@Suite("The moments at which servers were asked")
struct AskingTimeTests {
    @Test("A moment that a cache has noted is known to the millisecond, one of this process by its turn")
    func order() {
        let now = Duration.seconds(2)
        let noted = AskingTime(noted: .milliseconds(1_000))
        let before = AskingTime(now: .microseconds(999_500))
        let within = AskingTime(now: .microseconds(1_000_500))
        let after = AskingTime(now: .milliseconds(1_001))
        #expect(noted.isLater(than: before, at: now) && !before.isLater(than: noted, at: now))
        #expect(!noted.isLater(than: within, at: now) && !within.isLater(than: noted, at: now))
        #expect(!noted.isLater(than: after, at: now) && after.isLater(than: noted, at: now))
        #expect(!noted.isLater(than: noted, at: now))
        // The clock may have been set back.
        let last = AskingTime(now: .zero)
        #expect(last.isLater(than: after, at: now) && !after.isLater(than: last, at: now))
        #expect(!AskingTime(noted: .seconds(3)).isLater(than: before, at: now))
    }
}
