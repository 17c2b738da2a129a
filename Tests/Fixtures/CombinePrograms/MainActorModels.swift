// Programs as people write them for Combine in Swift 5 mode: a model on the main actor, in whose closures nothing says so.
import Dispatch
import Foundation
import Streams
import StreamsFoundation

enum Trouble: Error { case bad }
@MainActor final class Model: ObservableObject {
    @Published var text = ""
    @Published var items: [String] = []
    var log: [String] = []
    private var bag = Set<AnyCancellable>()
    private var timer: Cancellable?
    func note(_ s: String) { log.append(s) }
    func fetch(_ s: String) -> AnyPublisher<String, Never> {
        note("fetch \(s)")
        return Just(s + "!").eraseToAnyPublisher()
    }
    func future() -> Future<String, Never> {
        Future { promise in
            self.note("future")
            promise(.success(self.text))
        }
    }
    func deferred() -> AnyPublisher<String, Never> { Deferred { self.fetch("deferred") }.eraseToAnyPublisher() }
    func start() {
        $text.dropFirst().map { self.fetch($0) }.switchToLatest().sink { [weak self] in self?.items.append($0) }.store(
            in: &bag)
        $text.dropFirst().flatMap { [unowned self] in self.fetch($0) }.receive(on: ImmediateScheduler.shared).sink {
            self.note($0)
        }.store(in: &bag)
        $text.filter { _ in self.items.isEmpty }.handleEvents(receiveOutput: { self.note("out \($0)") }).sink { _ in }
            .store(in: &bag)
        let c = AnyCancellable { self.note("cancelled") }
        c.cancel()
        timer = DispatchQueue.main.schedule(after: DispatchQueue.main.now, interval: .seconds(10)) { [weak self] in
            self?.note("tick")
        }
        timer?.cancel()
        DispatchQueue.main.schedule { self.note("later") }
        DispatchQueue.main.schedule(after: .init(.now())) { self.note("later") }
        let sink = Subscribers.Sink<String, Never>(
            receiveCompletion: { _ in self.note("end") }, receiveValue: { self.note("sink \($0)") })
        Just("x").subscribe(sink)
        let any = AnySubscriber<String, Never>(
            receiveSubscription: { $0.request(.unlimited) },
            receiveValue: {
                self.note("any \($0)")
                return .none
            }, receiveCompletion: { _ in self.note("done") })
        Just("y").subscribe(any)
        deferred().sink { self.note($0) }.store(in: &bag)
        future().sink { self.note($0) }.store(in: &bag)
        Just("a").assign(to: \.text, on: self).store(in: &bag)
        Just("b").assign(to: &$text)
        Fail<String, Trouble>(error: .bad).catch { _ in self.fetch("caught") }.sink { self.note($0) }.store(in: &bag)
        Fail<String, Trouble>(error: .bad).tryCatch { _ -> AnyPublisher<String, Never> in self.fetch("tryCaught") }
            .sink(receiveCompletion: { _ in }, receiveValue: { self.note($0) }).store(in: &bag)
        Just(1).tryMap { try self.check($0) }.mapError { e in
            self.note("error")
            return e
        }.replaceError(with: 0).sink { self.note("\($0)") }.store(in: &bag)
        Publishers.Map(upstream: Just(1)) { "\($0)\(self.text)" }.sink { self.note($0) }.store(in: &bag)
        Just(1).mapError { _ in Trouble.bad }.sink { _ in
        } receiveValue: {
            self.note("\($0)")
        }.store(in: &bag)
        Just(2).removeDuplicates { _, _ in self.items.isEmpty }.sink { self.note("\($0)") }.store(in: &bag)
        Just(2).multicast { PassthroughSubject() }.autoconnect().sink { self.note("\($0)") }.store(in: &bag)
        Record<Int, Never> { r in
            r.receive(1)
            self.note("recorded")
        }.sink { self.note("\($0)") }.store(in: &bag)
        AnyPublisher<Int, Never>.create { e in
            self.note("created")
            e.send(1)
            return Disposable { self.note("disposed") }
        }.sink { self.note("\($0)") }.store(in: &bag)
        OperationQueue.main.schedule { self.note("op") }
        [1, 2].publisher.reduce(0) { $0 + $1 + self.items.count }.sink { self.note("\($0)") }.store(in: &bag)
        [1, 2].publisher.max { _, _ in self.items.isEmpty }.sink { self.note("\($0)") }.store(in: &bag)
        NotificationCenter.default.publisher(for: Notification.Name("n")).sink { _ in self.note("note") }.store(
            in: &bag)
        NotificationCenter.default.publisher(for: Notification.Name("n")).receive(on: RunLoop.main).sink { n in
            self.handle(n)
        }.store(in: &bag)
        PassthroughSubject<Int, Trouble>().timeout(
            .seconds(1), scheduler: DispatchQueue.main,
            customError: {
                self.note("t")
                return .bad
            }
        ).sink(receiveCompletion: { _ in }, receiveValue: { _ in }).store(in: &bag)
        NotificationCenter.default.post(name: Notification.Name("n"), object: nil)
    }
    func handle(_ n: PostedNotification) {}
    func check(_ i: Int) throws -> Int {
        if i == 1 { throw Trouble.bad }
        return i
    }
}
/// > out
/// > cancelled
/// > sink x
/// > end
/// > any y
/// > done
/// > fetch deferred
/// > deferred!
/// > future
/// > fetch a
/// > fetch a
/// > a!
/// > fetch b
/// > fetch b
/// > b!
/// > fetch caught
/// > caught!
/// > fetch tryCaught
/// > tryCaught!
/// > error
/// > 0
/// > 1b
/// > 1
/// > 2
/// > 2
/// > recorded
/// > 1
/// > created
/// > 1
/// > 7
/// > 1
/// > note
/// > fetch q
/// > fetch q
/// > q!
/// > ["a!", "b!", "q!"]
@MainActor func mainActorModel() {
    let model = Model()
    model.start()
    model.text = "q"
    for entry in model.log { print(entry) }
    print(model.items)
}
