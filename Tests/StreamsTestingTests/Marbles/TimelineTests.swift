import Streams
import StreamsTesting
import Testing

@Suite("Timelines and their diagrams")
struct TimelineTests {
    @Test(
        "What is read is written again as it was",
        arguments: ["-1-2-3|", "1✕", "--(ab)-c", "|", "---", "-1-(ab|)", "a-;"])
    func roundTrip(_ diagram: String) throws {
        let timeline = try Timeline(diagram)
        // What goes on is written one moment further, and nothing at all as one moment.
        #expect("\(timeline)" == diagram || "\(timeline)-".hasPrefix(diagram) || diagram.hasPrefix("\(timeline)"))
    }

    @Test("Moments are units after each other, whatever stands between brackets is one")
    func moments() throws {
        let timeline = try Timeline("-a(bc)'long'|", unit: .milliseconds(10))
        #expect(timeline.values == ["a", "b", "c", "long"])
        #expect(timeline.events.map { $0.time.nanoseconds / 1_000_000 } == [10, 20, 20, 30, 40])
        #expect(timeline.end == .finished)
    }

    @Test(
        "A diagram that can't be read says where",
        arguments: [("1|2", 2), ("(1", 2), ("1)", 1), ("(1-2)", 2), ("'a", 2), ("((1))", 1), ("|-|", 2)])
    func errors(_ diagram: String, _ position: Int) {
        #expect {
            try Timeline(diagram)
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
    func difference() throws {
        let expected = try Timeline("-1-2|")
        let actual = try Timeline("-1--2|")
        #expect(actual.difference(from: actual) == nil)
        #expect(
            actual.difference(from: expected) == """
                expected    -1-2|
                actual      -1--2|
                               ^
                """)
    }

    @Test("What is wider than a moment pushes all lanes alike")
    func alignment() throws {
        let chart = MarbleChart([
            .init("a", try Timeline("1-2-3|")), .init("rows", try Timeline("--'[1, 2]'--|")),
        ])
        #expect(
            chart.description == """
                a       1-2------3|
                rows    --[1, 2]--|
                """)
    }
}
