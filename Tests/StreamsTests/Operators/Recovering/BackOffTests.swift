import Streams
import Testing

@Suite("Back-off")
struct BackOffTests {
    private func milliseconds(_ backOff: BackOff, _ attempts: ClosedRange<Int>) -> [Int] {
        attempts.map { Int(backOff.delay(before: $0) / .milliseconds(1)) }
    }

    @Test("The delays of each kind, up to the longest")
    func delays() {
        #expect(milliseconds(.constant(.milliseconds(7)), 1...4) == [7, 7, 7, 7])
        #expect(milliseconds(.constant(.seconds(100)), 1...2) == [100_000, 100_000])
        #expect(
            milliseconds(.linear(first: .seconds(1), step: .seconds(2)), 1...4) == [1_000, 3_000, 5_000, 7_000])
        #expect(
            milliseconds(.linear(first: .seconds(1), step: .seconds(2), maximum: .seconds(4)), 1...4)
                == [1_000, 3_000, 4_000, 4_000])
        #expect(milliseconds(.exponential(first: .milliseconds(3)), 1...5) == [3, 6, 12, 24, 48])
        #expect(
            milliseconds(.exponential(first: .milliseconds(1), factor: 3, maximum: .milliseconds(10)), 1...5)
                == [1, 3, 9, 10, 10])
        #expect(milliseconds(.exponential(first: .milliseconds(8), factor: 0.5), 1...4) == [8, 4, 2, 1])
        #expect(milliseconds(.exponential(first: .zero), 1...3) == [0, 0, 0])
    }

    @Test("A minute is the longest, where nothing else is said")
    func longest() {
        #expect(milliseconds(.linear(first: .seconds(59), step: .seconds(1)), 1...3) == [59_000, 60_000, 60_000])
        #expect(milliseconds(.exponential(first: .seconds(16)), 1...4) == [16_000, 32_000, 60_000, 60_000])
    }

    @Test("Attempts are counted from one, and what has no end is the longest time that there is")
    func ends() {
        let backOff = BackOff.linear(first: .milliseconds(1), step: .milliseconds(1))
        #expect(milliseconds(backOff, -1...2) == [1, 1, 1, 2])
        let doubled = BackOff.exponential(first: .nanoseconds(1))
        #expect((1...4).map(doubled.delay(before:)) == [1, 2, 4, 8].map { .nanoseconds($0) })
        #expect(BackOff.constant(.nanoseconds(1)).delay(before: 1) == .nanoseconds(1))
        #expect(BackOff.constant(.seconds(10_000_000_000)).delay(before: 1) == .nanoseconds(Int.max))
    }

    @Test("The share that is left to chance is taken off, and is none to all of it")
    func jitter() {
        for (jitter, chance, delay) in [
            (0.5, 0.0, 1_000), (0.5, 0.5, 750), (0.5, 1.0, 500), (1, 0.25, 750), (2, 0.25, 750), (-1, 0.5, 1_000),
        ] {
            let random = { @Sendable in chance }
            let second = Duration.seconds(1)
            for backOff in [
                BackOff.constant(second, jitter: jitter, random: random),
                .linear(first: second, step: .zero, jitter: jitter, random: random),
                .exponential(first: second, jitter: jitter, random: random),
            ] { #expect(milliseconds(backOff, 1...1) == [delay]) }
        }
    }

    @Test("Chance is from none of it to nearly all, where nothing else is said")
    func chance() {
        let second = Duration.seconds(1)
        for backOff in [
            BackOff.constant(second, jitter: 1), .linear(first: second, step: .zero, jitter: 1),
            .exponential(first: second, jitter: 1),
        ] {
            let delays = (0..<200).map { _ in backOff.delay(before: 1) }
            #expect(delays.allSatisfy { $0 >= .zero && $0 <= second })
            // Two hundred times on one side of the middle is what no chance does.
            #expect(delays.contains { $0 < second / 2 } && delays.contains { $0 > second / 2 })
        }
        for backOff in [
            BackOff.constant(second), .linear(first: second, step: .zero), .exponential(first: second),
        ] { #expect(Set((0..<20).map { _ in backOff.delay(before: 1) }) == [second]) }
    }
}
