import Dispatch
import Streams
import StreamsTesting
import Synchronization
import Testing

@testable import ImagePipeline

@Suite("Pieces that are read by position, and spans of time")
struct ChunkSequenceTests {
    private struct Medium: Error {}

    @Test("Behind its end there is nothing more, though there were bytes by now", arguments: [true, false])
    func ended(fails: Bool) throws {
        let reads = Counter()
        var pieces = ChunkSequence(size: 100) { range in
            reads.add()
            guard reads.value == 2 else { return Array(repeating: 1, count: min(range.count, 40)) }
            if fails { throw Medium() }
            return []
        }.makeIterator()
        let first = try pieces.next()?.get()
        #expect(first == [UInt8](repeating: 1, count: 40) && pieces.range == 40..<100)
        let end = pieces.next()
        if fails {
            #expect(throws: Medium.self) { try end?.get() }
        } else {
            #expect((try? end?.get()) == nil)
        }
        let rest = pieces.next()
        #expect((try? rest?.get()) == nil && pieces.range == nil)
        #expect(reads.value == 2)
    }

    @Test(
        "A time limit is a scheduler's span of the same length, to the nanosecond, and none that is negative",
        arguments: [
            (Duration.zero, 0), (.nanoseconds(1), 1), (.microseconds(2_999), 2_999_000),
            (.milliseconds(999), 999_000_000), (.nanoseconds(1_000_000_001), 1_000_000_001),
            (.seconds(90), 90_000_000_000), (.seconds(-3), 0), (.milliseconds(-3), 0),
            (.seconds(Int64.max), 4_294_967_296_000_000_000),
        ])
    func spans(duration: Duration, nanoseconds: Int) {
        #expect(DispatchQueue.SchedulerTimeType.Stride.span(duration) == .nanoseconds(nanoseconds))
    }

    @Test("A load whose limit is less than a second fails just then")
    func shortLimit() {
        let time = VirtualTimeScheduler()
        let source = AnySource<ImageRequest, ImageEvent> { _ in
            Empty(completeImmediately: false).eraseToAnyPublisher()
        }
        let recorder = RecordingSubscriber<ImageEvent, LoadError>()
        source.timingOut(after: .milliseconds(300), on: time).events(for: ImageRequest("a")).subscribe(recorder)
        time.advance(by: .milliseconds(299))
        #expect(recorder.completion == nil)
        time.advance(by: .milliseconds(1))
        guard case .timedOut(.milliseconds(300))? = recorder.failure else {
            Issue.record("\(String(describing: recorder.completion))")
            return
        }
    }
}
