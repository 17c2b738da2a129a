// Programs as people write them for Combine in Swift 5 mode, with models, mutable subscribers and captured variables: only the
// import differs. The guide "Porting from Combine" says what each becomes in Swift 6 mode.
import Dispatch
import Foundation
import Streams
import StreamsFoundation

enum FetchError: Error { case offline, notFound }

class CounterModel: ObservableObject {
    @Published var count = 0
    @Published private(set) var title = ""
    private var cancellables = Set<AnyCancellable>()

    init() {
        $count.map { "\($0) items" }.assign(to: &$title)
        $count.dropFirst().sink { [weak self] value in self?.log(value) }.store(in: &cancellables)
    }

    func log(_ value: Int) { print("count \(value)", terminator: " ") }
}

/// > will change will change count 1 1 items
func observableObject() {
    let model = CounterModel()
    let cancellable = model.objectWillChange.sink { _ in print("will change", terminator: " ") }
    model.count += 1
    print(model.title)
    cancellable.cancel()
}

class Account: ObservableObject {
    var name = "Ann" {
        willSet { objectWillChange.send() }
    }
}

/// > will change 2 4
func manualObject() {
    let account = Account()
    let cancellable = account.objectWillChange.sink { print("will change", terminator: " ") }
    account.name = "Ben"
    cancellable.cancel()
    _ = (1...).lazy.map { $0 * 2 }.publisher.prefix(2).sink { print($0, terminator: " ") }
}

final class Person {
    var name = "none"
}

/// > Ann
func assignOn() {
    let person = Person()
    _ = Just("Ann").assign(to: \.name, on: person)
    print(person.name)
}

/// > 6
func capturedVariable() {
    var total = 0
    _ = [1, 2, 3].publisher.sink { total += $0 }
    print(total)
}

final class IntSubscriber: Subscriber {
    typealias Input = Int
    typealias Failure = Never
    var received: [Int] = []
    func receive(subscription: Subscription) { subscription.request(.max(2)) }
    func receive(_ input: Int) -> Subscribers.Demand {
        received.append(input)
        return input == 1 ? .max(1) : .none
    }
    func receive(completion: Subscribers.Completion<Never>) {}
}

/// > [1, 2, 3]
func mutableSubscriber() {
    let subscriber = IntSubscriber()
    (1...5).publisher.subscribe(subscriber)
    print(subscriber.received)
}

struct CountdownPublisher: Publisher {
    typealias Output = Int
    typealias Failure = Never
    let start: Int
    func receive<S>(subscriber: S) where S: Subscriber, S.Input == Int, S.Failure == Never {
        subscriber.receive(subscription: CountdownSubscription(subscriber: subscriber, start: start))
    }
}

final class CountdownSubscription<S: Subscriber>: Subscription where S.Input == Int, S.Failure == Never {
    private var subscriber: S?
    private var current: Int

    init(subscriber: S, start: Int) {
        self.subscriber = subscriber
        current = start
    }

    func request(_ demand: Subscribers.Demand) {
        var demand = demand
        while demand > 0, current > 0, let subscriber = subscriber {
            demand -= 1
            demand += subscriber.receive(current)
            current -= 1
        }
        if current == 0 {
            subscriber?.receive(completion: .finished)
            subscriber = nil
        }
    }

    func cancel() { subscriber = nil }
}

/// > 3 2 1 finished
func customSubscription() {
    _ = CountdownPublisher(start: 3)
        .sink(receiveCompletion: { print($0) }, receiveValue: { print($0, terminator: " ") })
}

final class SearchModel: ObservableObject {
    @Published var query = ""
    @Published var results: [String] = []
    private var bag: Set<AnyCancellable> = []

    init(on scheduler: DispatchQueue, finished: DispatchSemaphore) {
        $query
            .debounce(for: 0.02, scheduler: scheduler)
            .removeDuplicates()
            .filter { !$0.isEmpty }
            .flatMap { query in self.search(query).replaceError(with: []) }
            .sink { [unowned self] in
                self.results = $0
                finished.signal()
            }
            .store(in: &bag)
    }

    func search(_ text: String) -> AnyPublisher<[String], FetchError> {
        Just([text + "!"]).setFailureType(to: FetchError.self).eraseToAnyPublisher()
    }
}

/// > ["swift!"]
func searchBox() {
    let finished = DispatchSemaphore(value: 0)
    let model = SearchModel(on: DispatchQueue(label: "search"), finished: finished)
    model.query = "sw"
    model.query = "swift"
    finished.wait()
    print(model.results)
}

/// > sub 1 2
func captureInHandleEvents() {
    var log: [String] = []
    _ = [1, 2].publisher.handleEvents(
        receiveSubscription: { _ in log.append("sub") }, receiveOutput: { log.append("\($0)") }
    )
    .sink(receiveValue: { _ in })
    print(log.joined(separator: " "))
}

func load(_ id: Int) -> Future<String, FetchError> {
    Future { promise in
        DispatchQueue.global().async { promise(.success("item \(id)")) }
    }
}

/// > item 7
func futureCallback() {
    let finished = DispatchSemaphore(value: 0)
    let cancellable = load(7).retry(2).catch { _ in Just("none") }.sink {
        print($0)
        finished.signal()
    }
    finished.wait()
    cancellable.cancel()
}

/// > 2 4
func notificationCenter() {
    let center = NotificationCenter()
    let name = Notification.Name("doubled")
    let cancellable = center.publisher(for: name).compactMap { $0.userInfo?["n"] as? Int }
        .sink { print($0 * 2, terminator: " ") }
    center.post(name: name, object: nil, userInfo: ["n": 1])
    center.post(name: name, object: nil, userInfo: ["n": 2])
    cancellable.cancel()
}

/// > Ann is 3
func decoding() {
    struct Pet: Decodable {
        let name: String
        let age: Int
    }
    _ = Just(Data(#"{"name":"Ann","age":3}"#.utf8)).decode(type: Pet.self, decoder: JSONDecoder())
        .sink(receiveCompletion: { _ in }, receiveValue: { print("\($0.name) is \($0.age)") })
}

@MainActor final class ViewModel {
    var text = ""
    var bag = Set<AnyCancellable>()
    func bind(_ words: AnyPublisher<String, Never>) {
        words.sink { [weak self] in self?.text = $0 }.store(in: &bag)
    }
}

/// > shown
@MainActor func mainActorModel() {
    let model = ViewModel()
    model.bind(Just("shown").eraseToAnyPublisher())
    print(model.text)
}

final class Player {
    private(set) var volume = 0
    private var bag = Set<AnyCancellable>()

    init(volumes: AnyPublisher<Int, Never>) {
        volumes.sink { [weak self] in self?.volume = $0 }.store(in: &bag)
    }
}

/// > 7
func weakSelf() {
    let volumes = PassthroughSubject<Int, Never>()
    let player = Player(volumes: volumes.eraseToAnyPublisher())
    volumes.send(7)
    print(player.volume)
}

/// > 1a 1b 2a 2b
func capturedBag() {
    let albums = [1, 2].publisher
    var bag = Set<AnyCancellable>()
    albums.sink { album in
        ["\(album)a", "\(album)b"].publisher.sink { print($0, terminator: " ") }.store(in: &bag)
    }.store(in: &bag)
}
