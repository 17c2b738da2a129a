import Dispatch
import Foundation
import Streams

// The articles' Swift, compiled: DocumentTests compares line by line.

func gettingStarted() {
    let words = PassthroughSubject<String, Never>()
    let cancellable =
        words
        .map(\.count)
        .filter { $0 > 3 }
        .removeDuplicates()
        .sink { print("a word of \($0) letters") }
    words.send("stream")
    cancellable.cancel()
}

struct LoadFailure: Error {}

func load(_ name: String) -> AnyPublisher<String, LoadFailure> { Fail(error: LoadFailure()).eraseToAnyPublisher() }

func failures() -> some Publisher<String, Never> {
    let lines = load("settings")
        .retry(3, backOff: .exponential(first: .milliseconds(100), jitter: 0.5), scheduler: DispatchQueue.global())
        .replaceError(with: "")
    return lines
}

func asynchronous(_ numbers: AnyPublisher<Int, Never>) async throws -> Int {
    for await number in numbers.values { print(number) }
    let first = try await numbers.firstValue
    return first
}

struct OneByOne: Subscriber {
    func receive(subscription: any Subscription) { subscription.request(.max(1)) }
    func receive(_ input: Int) -> Subscribers.Demand { input < 10 ? .max(1) : .none }
    func receive(completion: Subscribers.Completion<Never>) {}
}

func loadPhoto() -> AnyPublisher<Int, Never> { Just(1).eraseToAnyPublisher() }
@Sendable func show(_ photo: Int) {}

func threads(_ cancellables: inout Set<AnyCancellable>) {
    loadPhoto()
        .subscribe(on: ThreadPoolScheduler(width: 2))
        .receive(on: DispatchQueue.main)
        .sink { show($0) }
        .store(in: &cancellables)
}

final class Screen: Sendable {
    let lifetime = Lifetime()

    init(_ ticks: PassthroughSubject<Int, Never>) {
        ticks.prefix(during: lifetime).sink { print($0) }.store(in: lifetime)
    }
}

final class Sensor: Sendable {
    func start(_ callback: @escaping @Sendable (Int) -> Void) -> Int { 0 }
    func stop(_ token: Int) {}
}

func positions(of sensor: Sensor) -> AnyPublisher<Int, Never> {
    AnyPublisher.create(.latest) { emitter in
        let token = sensor.start { emitter.onNext($0) }
        return Disposable { sensor.stop(token) }
    }
}

extension JSONDecoder: TopLevelDecoder {}

func decoding(_ payloads: PassthroughSubject<Data, Never>) -> some Publisher<[String], Never> {
    let names = payloads.decode(type: [String].self, decoder: JSONDecoder()).replaceError(with: [])
    return names
}
