import Dispatch
import Streams
import StreamsTesting
import Synchronization
import Testing

@Suite("assign")
struct AssignTests {
    private final class Cell: Sendable {
        private let stored = Mutex(0)
        var number: Int {
            get { stored.withLock { $0 } }
            set { stored.withLock { $0 = newValue } }
        }
    }

    @MainActor
    private final class Label {
        var number = 0 {
            didSet { changed?() }
        }
        var changed: (() -> Void)?
    }

    @Test("assign writes each value, and lets go of the object at the end")
    func writes() {
        var cell: Cell? = Cell()
        weak let weakCell = cell
        let cancellable = cell.map { (1...3).publisher.assign(to: \.number, on: $0) }
        #expect(cell?.number == 3)
        cell = nil
        #expect(weakCell == nil)
        withExtendedLifetime(cancellable) {}
    }

    @Test("The subscribers behind sink and assign let go of what they hold at the end and on a cancel, once")
    func letsGo() {
        for isCancelled in [true, false] {
            let subject = PassthroughSubject<Int, Never>()
            var cell: Cell? = Cell()
            weak let weakCell = cell
            let ends = Counter()
            let assign = cell.map { Subscribers.Assign(object: $0, keyPath: \Cell.number) }
            let sink = Subscribers.Sink<Int, Never>(
                receiveCompletion: { _ in ends.increment() }, receiveValue: { [cell] in cell?.number += $0 })
            if let assign { subject.subscribe(assign) }
            subject.subscribe(sink)
            subject.send(1)
            #expect(cell?.number == 2)
            cell = nil
            #expect(weakCell != nil)
            if isCancelled {
                assign?.cancel()
                sink.cancel()
                #expect(!subject.hasSubscribers)
            } else {
                subject.send(completion: .finished)
            }
            #expect(weakCell == nil)
            #expect(ends.count == (isCancelled ? 0 : 1))
            withExtendedLifetime((assign, sink)) {}
        }
    }

    @MainActor
    @Test("assign on the main actor writes there, from whatever thread the values come")
    func writesOnMainActor() async {
        let label = Label()
        var cancellable: AnyCancellable?
        await withCheckedContinuation { continuation in
            label.changed = { if label.number == 3 { continuation.resume() } }
            cancellable = (1...3).publisher.receive(on: DispatchQueue.global())
                .assign(to: \.number, on: label, isolatedTo: .shared)
        }
        #expect(label.number == 3)
        label.changed = nil
        cancellable?.cancel()
    }
}
