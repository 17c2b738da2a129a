import StreamsTesting
import Testing

@testable import Streams

@Suite("The queue between one that sends and one that takes")
struct SignalQueueTests {
    @Test("Where a stretch has been added and nothing put in it yet there is nothing, and then what comes")
    func emptyStretch() {
        for capacity in 1...4 {
            let chunk = SignalChunk<Int>(capacity: capacity)
            var (inlet, outlet) = (SignalInlet(chunk), SignalOutlet(chunk))
            for number in 0..<capacity { inlet.append(number) }
            // What goes before the first element behind a full stretch: the other thread may look in between.
            inlet.extend()
            let first = (0..<capacity).map { _ in outlet.popFirst() }
            #expect(first == Array(0..<capacity))
            for _ in 0..<2 {
                let hasMore = outlet.hasMore()
                #expect(!hasMore)
            }
            inlet.append(capacity)
            let next = [outlet.popFirst(), outlet.popFirst()]
            #expect(next == [capacity, nil])
        }
    }

    private final class Element: Sendable {
        let number: Int
        private let gone: Counter

        init(_ number: Int, _ gone: Counter) {
            self.number = number
            self.gone = gone
        }

        deinit { gone.increment() }
    }

    @Test("What goes in comes out, once and in order, and is let go of, wherever stretches meet")
    func order() throws {
        // How many elements go in, and how many are taken then.
        let steps = Gen { choices in choices.array(upTo: 12) { ($0.int(in: 0...9), $0.int(in: 0...9)) } }
        try forAll("in order", steps) { steps in
            let gone = Counter()
            var (sent, taken) = (0, 0)
            do {
                let chunk = SignalChunk<Element>(capacity: 2)
                var (inlet, outlet) = (SignalInlet(chunk), SignalOutlet(chunk))
                for (count, wanted) in steps {
                    for _ in 0..<count {
                        inlet.append(Element(sent, gone))
                        sent += 1
                    }
                    for _ in 0..<wanted {
                        let number = outlet.popFirst()?.number
                        guard number == (taken < sent ? taken : nil) else {
                            throw Disproof("\(String(describing: number)) came after \(taken) of \(sent) elements")
                        }
                        if number != nil { taken += 1 }
                    }
                    guard gone.count == taken else { throw Disproof("\(gone.count) of \(taken) are let go of") }
                }
                outlet.removeAll()
            }
            guard gone.count == sent else { throw Disproof("\(gone.count) of \(sent) are let go of at last") }
        }
    }
}
