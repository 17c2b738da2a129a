import Streams
import Synchronization
import Testing

@Suite("handleEvents")
struct HandleEventsTests {
    func log(_ source: ScriptedSource<Int>, _ events: EventLog) -> ContractRecorder<Int, ScriptedError> {
        let recorder = ContractRecorder<Int, ScriptedError>(initial: .max(1), onValue: { .max($0 == 1 ? 1 : 0) })
        source.handleEvents(
            receiveSubscription: { _ in events.add("subscription") },
            receiveOutput: { events.add("output \($0)") },
            receiveCompletion: { events.add("completion \($0)") },
            receiveCancel: { events.add("cancel") },
            receiveRequest: { events.add("request \($0)") }
        ).subscribe(recorder)
        return recorder
    }

    @Test("Each closure is called once for its signal, before the signal goes on")
    func order() {
        let source = ScriptedSource<Int>()
        let events = EventLog()
        let recorder = log(source, events)
        source.send(1)
        source.send(2)
        recorder.cancel()
        recorder.cancel()
        recorder.request(.max(1))
        #expect(
            events.all == [
                "subscription", "request max(1)", "output 1", "request max(1)", "output 2", "cancel",
            ])
        #expect(source.isCancelled && recorder.values == [1, 2] && recorder.breaches == [])
    }

    @Test("After the end neither a cancel nor a request is told of (rules 3.6 and 3.7)")
    func afterEnd() {
        let source = ScriptedSource<Int>()
        let events = EventLog()
        let recorder = log(source, events)
        source.send(completion: .finished)
        recorder.cancel()
        recorder.request(.max(1))
        #expect(events.all == ["subscription", "request max(1)", "completion finished"])
    }
}

final class EventLog: Sendable {
    private let events = Mutex<[String]>([])

    var all: [String] { events.withLock { $0 } }

    func add(_ event: String) {
        events.withLock { $0.append(event) }
    }
}
