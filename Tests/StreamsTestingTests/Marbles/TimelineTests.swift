import Streams
import StreamsTesting
import Testing

@Suite("Timelines and their diagrams")
struct TimelineTests {
    @Test(
        "What is read is written again as it was",
        arguments: [
            "-1-2-3|", "1✕", "--(ab)-c-", "|", "-", "-1-(ab|)", "a-;", "-'12'-'it\\'s'|", "1 298ms 2|",
            "2s 1-'-'✕'late'",
        ])
    func roundTrip(_ diagram: String) throws {
        let timeline = try Timeline<String>(diagram)
        // A timeline that goes on is written one moment further.
        #expect("\(timeline)" == diagram)
    }

    @Test("What is written reads back as it was, whatever the values and however long the pauses")
    func writtenReadsBack() throws {
        let texts = ["a", "12", "-1", "", " ", "it's", "\\", "|", "3ms", "(", "✕", "1.5", "two words"]
        let timelines = Gen { choices in
            var time = VirtualTime.zero
            var timeline = Timeline<String>()
            for _ in 0..<choices.int(in: 0...8) {
                let gap = choices.element(of: [0, 1, 2, 5, 9, 300, 1_000, 86_400_000])
                time = time.advanced(by: .milliseconds(gap))
                timeline.append(.value(choices.element(of: texts)), at: time)
            }
            let ends: [Timeline<String>.Signal?] = [nil, .finished, .failure("✕"), .failure("too late"), .cancelled]
            if let end = choices.element(of: ends) {
                timeline.append(end, at: time.advanced(by: .milliseconds(choices.int(in: 0...40))))
            }
            return timeline
        }
        try forAll("reads back", timelines) { timeline in
            let read = try Timeline<String>("\(timeline)")
            guard read == timeline else { throw Disproof("\(timeline) was read as \(read.events)") }
        }
    }

    @Test("A literal is a timeline of numbers as well as of texts")
    func literals() {
        #expect((Timeline<Int>("1-'23'|")).values == [1, 23])
        let doubles: Timeline<Double> = "1-'2.5'|"
        #expect(doubles.values == [1, 2.5])
        #expect(("ab|" as Timeline<String>).values == ["a", "b"])
    }

    @Test("Time that is written with its unit passes")
    func pauses() {
        let timeline: Timeline<Int> = "1 300ms 2 1s 3|"
        #expect(timeline.events.map { $0.time.nanoseconds / 1_000_000 } == [0, 301, 1_302, 1_303])
    }

    @Test("The caret stands under the mistake")
    func caret() throws {
        let error = try #require(throws: MarbleSyntaxError.self) {
            let text = "1-2-x-3|"
            _ = try Timeline<Int>(text)
        }
        #expect(error.description == "1-2-x-3|\n    ^ \"x\" is no value of type Int.")
    }

    @Test("A recorder that has seen something else says so with both diagrams")
    func expectation() throws {
        let scheduler = VirtualTimeScheduler()
        let recorder = RecordingSubscriber<Int, TestFailure>(clock: scheduler)
        TestPublisher<Int>(.cold, "1-2 20ms 3|", on: scheduler).subscribe(recorder)
        scheduler.advance(by: .seconds(1))
        try recorder.expect("1-2 20ms 3|")
        let mismatch = try #require(throws: Disproof.self) { try recorder.expect("1-2 20ms '4'|") }
        #expect(
            mismatch.description == """
                expected    1-2 20ms 4|
                actual      1-2 20ms 3|
                                     ^
                """)
    }

    @Test("Moments are units after each other, whatever stands between brackets is one")
    func moments() throws {
        let timeline = try Timeline<String>("-a(bc)'long'|", unit: .milliseconds(10))
        #expect(timeline.values == ["a", "b", "c", "long"])
        #expect(timeline.events.map { $0.time.nanoseconds / 1_000_000 } == [10, 20, 20, 30, 40])
        #expect(timeline.end == .finished)
    }

    @Test(
        "A diagram that can't be read says where",
        arguments: [("1|2", 2), ("(1", 2), ("1)", 1), ("(1-2)", 2), ("-'a", 1), ("((1))", 1), ("|-|", 2)])
    func errors(_ diagram: String, _ position: Int) {
        #expect {
            try Timeline<String>(diagram)
        } throws: {
            ($0 as? MarbleSyntaxError)?.position == position
        }
    }

    @Test("Values of any type are made of the texts, and what is none is said so")
    func typed() throws {
        let numbers = try Timeline.parse("1-2✕") { Int($0) }
        #expect(numbers.values == [1, 2])
        #expect(numbers.end == .failure("✕"))
        #expect(throws: MarbleSyntaxError.self) { try Timeline.parse("1-x") { Int($0) } }
    }

    @Test("Two that differ are shown aligned, with a mark where they part")
    func difference() {
        let expected: Timeline<String> = "-1-2|"
        let actual: Timeline<String> = "-1--2|"
        #expect(actual.difference(from: actual) == nil)
        #expect(
            actual.difference(from: expected) == """
                expected    -1-2|
                actual      -1--2|
                               ^
                """)
    }

    @Test("What is wider than a moment pushes all lanes alike")
    func alignment() {
        let chart = MarbleChart([
            .init("a", "1-2-3|" as Timeline<String>), .init("rows", "--'[1, 2]'--|" as Timeline<String>),
        ])
        #expect(
            chart.description == """
                a       1-2------3|
                rows    --[1, 2]--|
                """)
    }

    @Test(
        "A long pause stands in the largest unit of which it is a whole number",
        arguments: [
            (1, "1 299ns 2|"), (1, "1 300us 2|"), (1, "1 300ms 2|"), (1, "1 300s 2|"), (7, "1 2107ns 2|"),
            (1_000, "1 1001us 2|"), (1_000, "1 2ms 2|"), (1_000_000, "1 1001ms 2|"), (1_000_000, "1 60s 2|"),
        ])
    func units(_ nanoseconds: Int, _ diagram: String) throws {
        let unit = VirtualTime.Stride.nanoseconds(nanoseconds)
        let timeline = try Timeline<String>(diagram, unit: unit)
        for style in [MarbleChart.Style.notation, .illustration] {
            #expect(MarbleChart([.init("", timeline)], unit: unit, style: style).lines == [diagram])
        }
    }
}
