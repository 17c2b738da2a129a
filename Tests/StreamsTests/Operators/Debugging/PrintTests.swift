import Streams
import StreamsTesting
import Testing

@Suite("print to a stream")
struct PrintTests {
    @Test("print writes whole lines in order, and to a stream that prints while it writes")
    func printing() {
        struct Reentrant: TextOutputStream, Sendable {
            let text: Recorded<String>
            let onWrite: Recorded<(@Sendable () -> Void)?>
            mutating func write(_ string: String) {
                text.update { $0 += string }
                onWrite.value?()
            }
        }
        let (text, onWrite) = (Recorded(""), Recorded<(@Sendable () -> Void)?>(nil))
        let subject = PassthroughSubject<Int, Never>()
        let sink = subject.print("a", to: Reentrant(text: text, onWrite: onWrite)).sink { _ in }
        text.set("")
        onWrite.set {
            onWrite.set(nil)
            subject.send(2)
        }
        subject.send(1)
        #expect(text.value == "a: receive value: (1)\na: receive value: (2)\n")
        text.set("")
        race({ for _ in 0..<500 { subject.send(3) } }, { for _ in 0..<500 { subject.send(3) } })
        #expect(text.value == String(repeating: "a: receive value: (3)\n", count: 1_000))
        sink.cancel()
    }

    @Test("print writes what Combine does, the demand that is returned for a value included")
    func demandReturned() {
        let lines = Recorded<[String]>([])
        let recorder = RecordingSubscriber<Int, Never>(initialDemand: .max(1), demandForValue: { _ in .max(1) })
        [1, 2].publisher.debug("p") { line in lines.update { $0.append(line) } }.subscribe(recorder)
        #expect(
            lines.value.dropFirst() == [
                "p: request max: (1)", "p: receive value: (1)", "p: request max: (1) (synchronous)",
                "p: receive value: (2)",
                "p: request max: (1) (synchronous)", "p: receive finished",
            ])
        lines.set([])
        _ = Just(1).debug("") { line in lines.update { $0.append(line) } }.sink { _ in }
        #expect(lines.value.dropFirst() == ["request unlimited", "receive value: (1)", "receive finished"])
    }

    @Test("print describes a subscription by its publisher, and one of a user's own by itself")
    func printedSubscriptions() {
        final class Idle: Subscription, CustomStringConvertible {
            let description = "idle"
            func request(_ demand: Subscribers.Demand) {}
            func cancel() {}
        }
        struct Idling: Publisher {
            typealias Output = Int
            typealias Failure = Never
            func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
                subscriber.receive(subscription: Idle())
            }
        }
        func words<P: Publisher>(_ publisher: P) -> String? {
            let lines = Recorded<[String]>([])
            _ = publisher.debug("") { line in lines.update { $0.append(line) } }
                .sink(receiveCompletion: { _ in }, receiveValue: { _ in })
            return lines.value.first
        }
        #expect(words((1...2).publisher) == "receive subscription: (1...2)")
        #expect(words([1].publisher.map { $0 + 1 }) == "receive subscription: ([1])")
        #expect(words(PassthroughSubject<Int, Never>()) == "receive subscription: (PassthroughSubject)")
        #expect(
            words(CurrentValueSubject<Int, Never>(1).setFailureType(to: TestError.self))
                == "receive subscription: (CurrentValueSubject)")
        #expect(words([1].publisher.removeDuplicates()) == "receive subscription: (RemoveDuplicates)")
        #expect(words(PassthroughSubject<Int, Never>().count()) == "receive subscription: (Count)")
        #expect(
            words(PassthroughSubject<Int, Never>().allSatisfy { $0 > 1 }) == "receive subscription: (AllSatisfy)")
        #expect(
            words(PassthroughSubject<Int, Never>().contains { $0 > 1 }) == "receive subscription: (ContainsWhere)")
        #expect(words(Idling().map { $0 + 1 }) == "receive subscription: (idle)")
        let subject = PassthroughSubject<Int, Never>()
        #expect(words(subject.zip(subject)) == "receive subscription: (Zip)")
        #expect(words(subject.combineLatest(subject, subject)) == "receive subscription: (CombineLatest)")
        #expect(words(subject.merge(with: subject)) == "receive subscription: (Merge)")
        #expect(words(Fail<Int, TestError>(error: .expected)) == "receive subscription: (Empty)")
        #expect(words(Int?.some(1).publisher) == "receive subscription: (Optional)")
        #expect(words(Result<Int, Never>.success(1).publisher) == "receive subscription: (Once)")
        #expect(words(Published(initialValue: 1).projectedValue) == "receive subscription: (PublishedSubject)")
    }

    @Test("Without a stream of its own print writes to standard output")
    func standardOutput() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardOutputContent]) {
            _ = Just(1).print("to all").sink { _ in }
        }
        #expect(String(decoding: result.standardOutputContent, as: UTF8.self).contains("to all: receive value: (1)\n"))
    }
}
