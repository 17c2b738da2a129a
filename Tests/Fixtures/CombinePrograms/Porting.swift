// The guide "Porting from Combine": each error that Swift 6 mode gives for a program of Models.swift, and what to write instead.
import Dispatch
import Streams
import Synchronization

/// > 6
func capturedVariable() {
    // A captured `var`: fold the values in the stream, or keep the sum behind a lock.
    _ = [1, 2, 3].publisher.reduce(0, +).sink { print($0) }
}

/// > sub 1 2
func capturedLog() {
    // If it has to be shared, use an object with a lock.
    let entries = Entries()
    _ = [1, 2].publisher.handleEvents(
        receiveSubscription: { _ in entries.add("sub") }, receiveOutput: { entries.add("\($0)") }
    ).sink { _ in }
    print(entries.joined)
}

final class Entries: Sendable {
    private let entries = Mutex<[String]>([])
    func add(_ entry: String) { entries.withLock { $0.append(entry) } }
    var joined: String { entries.withLock { $0.joined(separator: " ") } }
}

// A mutable subscriber: its state behind a lock, as signals may come from any thread.
final class IntSubscriber: Subscriber {
    typealias Input = Int
    typealias Failure = Never
    private let received = Mutex<[Int]>([])
    var values: [Int] { received.withLock { $0 } }
    func receive(subscription: any Subscription) { subscription.request(.max(2)) }
    func receive(_ input: Int) -> Subscribers.Demand {
        received.withLock { $0.append(input) }
        return input == 1 ? .max(1) : .none
    }
    func receive(completion: Subscribers.Completion<Never>) {}
}

/// > [1, 2, 3]
func mutableSubscriber() {
    let subscriber = IntSubscriber()
    (1...5).publisher.subscribe(subscriber)
    print(subscriber.values)
}

// A subscription of one's own: `create`, which counts demand and serialises.
func countdown(from start: Int) -> AnyPublisher<Int, Never> {
    .create { emitter in
        for value in (1...start).reversed() { emitter.send(value) }
        emitter.send(completion: .finished)
        return Disposable {}
    }
}

/// > 3 2 1 finished
func customSubscription() {
    _ = countdown(from: 3).sink(receiveCompletion: { print($0) }, receiveValue: { print($0, terminator: " ") })
}

// A model: on the main actor, with `sink(on:)`, `[weak self]` as ever.
@MainActor final class CounterModel: ObservableObject {
    @Published var count = 0
    private(set) var title = ""
    private var cancellables = Set<AnyCancellable>()

    init() {
        $count.map { "\($0) items" }.sink(on: MainActor.shared) { [weak self] in self?.title = $0 }
            .store(in: &cancellables)
    }
}

/// > 2 items
@MainActor func mainActorModel() {
    let model = CounterModel()
    model.count = 2
    print(model.title)
}

@MainActor final class Label {
    var text = ""
}

/// > Ann
@MainActor func assignOnMainActor() {
    // A key path of an isolated property is not Sendable: say which actor it is isolated to.
    let label = Label()
    let cancellable = Just("Ann").assign(to: \.text, on: label, isolatedTo: MainActor.shared)
    print(label.text)
    cancellable.cancel()
}

// An actor: `sink(on:)` takes any, and hands it to the closure.
actor Ledger {
    private var sum = 0
    func add(_ amount: Int, telling finished: DispatchSemaphore) {
        sum += amount
        if sum == 6 {
            print(sum)
            finished.signal()
        }
    }
}

/// > 6
func sinkOnActor() {
    let finished = DispatchSemaphore(value: 0)
    let ledger = Ledger()
    let cancellable = [1, 2, 3].publisher.sink(on: ledger) { ledger, amount in
        ledger.add(amount, telling: finished)
    }
    finished.wait()
    cancellable.cancel()
}

// An object of an SDK that is not Sendable: made inside `create`. What stops it may run on any thread: where the SDK allows that, say so.
final class Sensor {
    var onReading: ((Int) -> Void)?
    func start() { for reading in 1...2 { onReading?(reading) } }
    func stop() { print("stopped") }
}

/// > 1 2 stopped
func callbackObject() {
    let readings = AnyPublisher<Int, Never>.create { emitter in
        // Holds as nothing but `stop()` is called on it once it has started.
        nonisolated(unsafe) let sensor = Sensor()
        sensor.onReading = { emitter.send($0) }
        sensor.start()
        return Disposable { sensor.stop() }
    }
    readings.sink { print($0, terminator: " ") }.cancel()
}

// A class that is neither Sendable nor on an actor: what changes is behind a lock, then `[weak self]` may be anywhere.
final class Player: Sendable {
    private let volume = Mutex(0)
    private let bag = CompositeDisposable()
    var current: Int { volume.withLock { $0 } }

    init(volumes: some Publisher<Int, Never>) {
        bag.add(volumes.sink { [weak self] value in self?.volume.withLock { $0 = value } })
    }
}

/// > 7
func weakSelf() {
    let volumes = PassthroughSubject<Int, Never>()
    let player = Player(volumes: volumes)
    volumes.send(7)
    print(player.current)
}

// A captured bag: mostly a `flatMap`; a disposable that is shared, where it is none.
func photos(of album: Int) -> AnyPublisher<String, Never> {
    ["\(album)a", "\(album)b"].publisher.eraseToAnyPublisher()
}

/// > 1a 1b 2a 2b
func nestedSubscription() {
    let albums = [1, 2].publisher
    _ = albums.flatMap { photos(of: $0) }.sink { print($0, terminator: " ") }
}

/// > 1a 1b 2a 2b
func capturedBag() {
    let albums = [1, 2].publisher
    let bag = CompositeDisposable()
    bag.add(albums.sink { album in bag.add(photos(of: album).sink { print($0, terminator: " ") }) })
    bag.cancel()
}

// A whole search box: the task before is cancelled when a newer query comes.
func results(of queries: some Publisher<String, Never>, on queue: DispatchQueue) -> AnyPublisher<[String], Never> {
    queries.debounce(for: 0.02, scheduler: queue).removeDuplicates()
        .flatMapLatest { await search($0) }.eraseToAnyPublisher()
}

func search(_ query: String) async -> [String] { [query + "!"] }

/// > ["swift!"]
func searchBox() {
    let finished = DispatchSemaphore(value: 0)
    let query = PassthroughSubject<String, Never>()
    let cancellable = results(of: query, on: DispatchQueue(label: "search")).sink {
        print($0)
        finished.signal()
    }
    query.send("sw")
    query.send("swift")
    finished.wait()
    cancellable.cancel()
}
