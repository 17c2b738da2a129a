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
}
