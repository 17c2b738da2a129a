import Streams
import StreamsTesting
import Testing

@Suite("Disposables cancel what they hold, and nothing else")
struct DisposableTests {
    /// Notes every call, whereas a `Disposable` heeds the first alone, and its release, unlike an `AnyCancellable`'s, is none.
    private final class Noted: Cancellable {
        private let number: Int
        private let log: Recorded<[Int]>

        init(_ number: Int, _ log: Recorded<[Int]>) {
            self.number = number
            self.log = log
        }

        func cancel() { log.update { [number] in $0.append(number) } }
    }

    private let log = Recorded<[Int]>([])

    private func noted(_ number: Int) -> Noted { Noted(number, log) }

    @Test("A composite cancels what it holds, once, in the order in which it was added")
    func composite() {
        let composite = CompositeDisposable(noted(0), noted(1))
        for number in 2..<10 { composite.add(noted(number)) }
        #expect(composite.count == 10)
        #expect(log.value == [])
        composite.cancel()
        #expect(log.value == Array(0..<10))
        #expect(composite.count == 0 && composite.isCancelled)
        composite.cancel()
        #expect(log.value == Array(0..<10))
    }

    @Test("What is removed from a composite is handed out, not cancelled, and can be removed once")
    func remove() throws {
        let composite = CompositeDisposable()
        let members = (0..<4).map(noted)
        let keys = try members.map { try #require(composite.add($0)) }
        #expect(Set(keys).count == 4)
        for index in [2, 0] {
            #expect(composite.remove(keys[index]) as? Noted === members[index])
            #expect(composite.remove(keys[index]) == nil)
        }
        #expect(composite.count == 2)
        #expect(log.value == [])
        composite.cancel()
        #expect(log.value == [1, 3])
        #expect(composite.remove(keys[1]) == nil)
        #expect(log.value == [1, 3])
    }

    @Test("What is added to a cancelled composite is cancelled on arrival and has no key")
    func late() {
        let composite = CompositeDisposable()
        composite.cancel()
        #expect(composite.add(noted(1)) == nil)
        #expect(log.value == [1])
        #expect(composite.count == 0)
        composite.cancel()
        #expect(log.value == [1])
    }

    @Test("A serial disposable cancels the one before, whatever takes its place, and what comes after the cancel")
    func serial() {
        let serial = SerialDisposable()
        serial.set(noted(1))
        #expect(log.value == [])
        serial.set(noted(2))
        #expect(log.value == [1])
        serial.set(nil)
        #expect(log.value == [1, 2])
        serial.set(nil)
        serial.set(noted(3))
        #expect(log.value == [1, 2])
        serial.cancel()
        #expect(log.value == [1, 2, 3])
        serial.cancel()
        serial.set(noted(4))
        serial.set(nil)
        #expect(log.value == [1, 2, 3, 4])
        #expect(serial.isCancelled)
    }

    @Test("A single assignment keeps the first, refuses the second, and cancels what comes after the cancel")
    func single() {
        let single = SingleAssignmentDisposable()
        #expect(single.set(noted(1)))
        #expect(log.value == [])
        #expect(!single.set(noted(2)))
        #expect(log.value == [2] && !single.isCancelled)
        single.cancel()
        single.cancel()
        #expect(log.value == [2, 1])
        #expect(!single.set(noted(3)))
        #expect(log.value == [2, 1, 3])

        let early = SingleAssignmentDisposable()
        early.cancel()
        #expect(!early.set(noted(4)))
        #expect(log.value == [2, 1, 3, 4] && early.isCancelled)
    }

    @Test("A reference count ends with the last of the handles or with itself, whichever comes later")
    func referenceCount() {
        let own = RefCountDisposable(noted(1))
        let handle = own.retain()
        handle.cancel()
        #expect(log.value == [])
        own.cancel()
        #expect(log.value == [1])

        let other = RefCountDisposable(noted(2))
        let (first, second) = (other.retain(), other.retain())
        other.cancel()
        first.cancel()
        #expect(log.value == [1])
        let third = other.retain()
        second.cancel()
        #expect(log.value == [1])
        third.cancel()
        #expect(log.value == [1, 2])
        other.cancel()
        #expect(log.value == [1, 2])
    }

    @Test("A disposable runs its closure on the first call and knows it; one that is let go of does not")
    func disposes() {
        let disposable = { [log] number in Disposable { log.update { $0.append(number) } } }
        let one = disposable(1)
        #expect(!one.isDisposed)
        one.dispose()
        one.cancel()
        #expect(one.isDisposed)
        #expect(log.value == [1])
        #expect(Disposable().isDisposed)
        do { _ = disposable(2) }
        #expect(log.value == [1])
        do { _ = AnyCancellable(noted(3)) }
        #expect(log.value == [1, 3])
        do {
            let cancellable = AnyCancellable(noted(4))
            cancellable.cancel()
            cancellable.cancel()
        }
        #expect(log.value == [1, 3, 4])
    }

    @Test("Whatever can be cancelled is stored in sets and arrays, and cancelled as it leaves these")
    func storedAsItIs() {
        var set: Set<AnyCancellable> = []
        var array: [AnyCancellable] = []
        noted(1).store(in: &set)
        noted(2).store(in: &array)
        #expect(set.count == 1 && array.count == 1 && log.value == [])
        set = []
        #expect(log.value == [1])
        array = []
        #expect(log.value == [1, 2])
    }

    @Test("Cancellables are themselves, are stored in sets and arrays, and cancelled as they leave these")
    func stored() {
        let (one, two) = (AnyCancellable(noted(1)), AnyCancellable(noted(2)))
        #expect(one == one && one != two)
        #expect(Set([one, two, one]).count == 2)
        var set: Set<AnyCancellable> = []
        var array: [AnyCancellable] = []
        for number in 3...4 {
            AnyCancellable(noted(number)).store(in: &set)
            AnyCancellable(noted(-number)).store(in: &array)
        }
        #expect(log.value == [])
        array.removeFirst()
        #expect(log.value == [-3])
        array = []
        #expect(log.value == [-3, -4])
        set = []
        #expect(log.value.suffix(2).sorted() == [3, 4])
    }

    @Test("A lifetime keeps what is bound to it, and cancels it at its end, in the order in which it was added")
    func lifetime() {
        let subject = PassthroughSubject<Int, Never>()
        let received = Recorded<[Int]>([])
        var lifetime: Lifetime? = Lifetime()
        if let lifetime {
            subject.sink { value in received.update { $0.append(value) } }.store(in: lifetime)
            for number in 1...5 { noted(number).store(in: lifetime) }
        }
        subject.send(1)
        #expect(received.value == [1] && log.value == [])
        #expect(lifetime?.hasEnded == false)
        lifetime = nil
        subject.send(2)
        #expect(received.value == [1])
        #expect(log.value == Array(1...5))
    }

    @Test("A lifetime's end is delivered once, with the completion, to whoever has waited and who comes late")
    func ended() {
        let lifetime = Lifetime()
        let ends = (0..<2).map { _ in Recorded<[String]>([]) }
        func watch(_ end: Recorded<[String]>) -> AnyCancellable {
            lifetime.ended.sink(
                receiveCompletion: { _ in end.update { $0.append("finished") } },
                receiveValue: { end.update { $0.append("ended") } })
        }
        let early = watch(ends[0])
        #expect(ends[0].value == [] && !lifetime.hasEnded)
        lifetime.end()
        lifetime.end()
        let late = watch(ends[1])
        for end in ends { #expect(end.value == ["ended", "finished"]) }
        withExtendedLifetime((early, late)) {}
    }
}
