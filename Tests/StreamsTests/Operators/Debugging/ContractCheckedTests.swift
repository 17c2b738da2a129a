import Streams
import StreamsTesting
import Testing

/// Sends more than was requested, and goes on after its end.
private struct Careless: Publisher {
    typealias Output = Int
    typealias Failure = Never

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
        subscriber.receive(subscription: Subscriptions.empty)
        for value in 1...3 { _ = subscriber.receive(value) }
        subscriber.receive(completion: .finished)
        _ = subscriber.receive(4)
    }
}

@Suite("contractChecked")
struct ContractCheckedTests {
    @Test("Reports each breach of the contract where it happens, with its place")
    func reports() {
        let lines = Recorded([String]())
        let subscriber = RecordingSubscriber<Int, Never>(initialDemand: .max(2))
        Careless().contractChecked("careless") { line in lines.update { $0.append(line) } }.subscribe(subscriber)
        #expect(lines.value.count == 3)
        #expect(lines.value.allSatisfy { $0.hasPrefix("careless (StreamsTests/ContractCheckedTests.swift:") })
        #expect(
            lines.value.map { $0.split(separator: " ").last.map(String.init) ?? "" }
                == ["valueBeyondDemand", "signalAfterCompletion", "valueBeyondDemand"])
    }
}
