// Programs as people write them for Combine: several publishers together, failures, sharing, and publishers themselves. See
// Operators.swift.
import Streams

enum Trouble: Error, Equatable { case bad, worse }

/// > (2, "a") (2, "b")
func combineLatest() {
    let numbers = PassthroughSubject<Int, Never>()
    let words = PassthroughSubject<String, Never>()
    let cancellable = numbers.combineLatest(words).sink { print($0, terminator: " ") }
    numbers.send(1)
    numbers.send(2)
    words.send("a")
    words.send("b")
    cancellable.cancel()
}
/// > 1-a 2-b
func zip() {
    _ = Publishers.Zip([1, 2, 3].publisher, ["a", "b"].publisher).map { "\($0)-\($1)" }
        .sink { print($0, terminator: " ") }
}
/// > 6
func zip3() {
    _ = Publishers.Zip3(Just(1), Just(2), Just(3)).map { $0 + $1 + $2 }.sink { print($0) }
}
/// > 1 2 3 4
func merge() {
    let odd = PassthroughSubject<Int, Never>()
    let even = PassthroughSubject<Int, Never>()
    let cancellable = odd.merge(with: even).sink { print($0, terminator: " ") }
    odd.send(1)
    even.send(2)
    odd.send(3)
    even.send(4)
    cancellable.cancel()
}
/// > 1 1 2 2
func flatMap() {
    _ = [1, 2].publisher.flatMap { [$0, $0].publisher }.sink { print($0, terminator: " ") }
}
/// > a1 b1
func switchToLatest() {
    let outer = PassthroughSubject<PassthroughSubject<String, Never>, Never>()
    let a = PassthroughSubject<String, Never>()
    let b = PassthroughSubject<String, Never>()
    let cancellable = outer.switchToLatest().sink { print($0, terminator: " ") }
    outer.send(a)
    a.send("a1")
    outer.send(b)
    a.send("a2")
    b.send("b1")
    cancellable.cancel()
}
/// > 1 fallback
func catchError() {
    _ = ["1", "x"].publisher.tryMap { text -> String in
        guard Int(text) != nil else { throw Trouble.bad }
        return text
    }.catch { _ in Just("fallback") }.sink { print($0, terminator: " ") }
}
/// > failure(Combining.Trouble.worse)
func tryCatch() {
    _ = Fail<Int, Trouble>(error: .bad).tryCatch { _ -> Just<Int> in throw Trouble.worse }
        .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
}
/// > 1 1 1 failure(Combining.Trouble.bad)
func retry() {
    _ = Just(1).setFailureType(to: Trouble.self).append(Fail(error: .bad)).retry(2)
        .sink(receiveCompletion: { print($0) }, receiveValue: { print($0, terminator: " ") })
}
/// > 5
func assertNoFailure() {
    _ = Just(5).setFailureType(to: Trouble.self).assertNoFailure().sink { print($0) }
}
/// > sub req out:1 done
func handleEvents() {
    _ = Just(1).setFailureType(to: Trouble.self).handleEvents(
        receiveSubscription: { _ in print("sub", terminator: " ") },
        receiveOutput: { print("out:\($0)", terminator: " ") },
        receiveCompletion: { _ in print("done") },
        receiveRequest: { _ in print("req", terminator: " ") }
    ).sink(receiveCompletion: { _ in }, receiveValue: { _ in })
}
/// > a1 b1 a2 b2
func share() {
    let source = PassthroughSubject<Int, Never>()
    let shared = source.share()
    let a = shared.sink { print("a\($0)", terminator: " ") }
    let b = shared.sink { print("b\($0)", terminator: " ") }
    source.send(1)
    source.send(2)
    a.cancel()
    b.cancel()
}
/// > first:1 second:1
func multicast() {
    let connectable = Just(1).multicast { PassthroughSubject<Int, Never>() }
    let a = connectable.sink { print("first:\($0)", terminator: " ") }
    let b = connectable.sink { print("second:\($0)", terminator: " ") }
    let connection = connectable.connect()
    connection.cancel()
    a.cancel()
    b.cancel()
}
/// > 1 2
func prefixUntilOutput() {
    let values = PassthroughSubject<Int, Never>()
    let stop = PassthroughSubject<Void, Never>()
    let cancellable = values.prefix(untilOutputFrom: stop).sink { print($0, terminator: " ") }
    values.send(1)
    values.send(2)
    stop.send()
    values.send(3)
    cancellable.cancel()
}
/// > 3
func dropUntilOutput() {
    let values = PassthroughSubject<Int, Never>()
    let ready = PassthroughSubject<Void, Never>()
    let cancellable = values.drop(untilOutputFrom: ready).sink { print($0, terminator: " ") }
    values.send(1)
    ready.send()
    values.send(3)
    cancellable.cancel()
}
/// > 1 2 3
func buffer() {
    _ = (1...3).publisher.buffer(size: 2, prefetch: .keepFull, whenFull: .dropOldest).sink {
        print($0, terminator: " ")
    }
}
/// > 7 8 finished
func record() {
    _ = Record<Int, Trouble> { recording in
        recording.receive(7)
        recording.receive(8)
        recording.receive(completion: .finished)
    }.sink(receiveCompletion: { print($0) }, receiveValue: { print($0, terminator: " ") })
}
/// > 3 4 finished
func currentValue() {
    let subject = CurrentValueSubject<Int, Never>(3)
    let cancellable = subject.sink(receiveCompletion: { print($0) }, receiveValue: { print($0, terminator: " ") })
    subject.value += 1
    subject.send(completion: .finished)
    cancellable.cancel()
}
/// > deferred 1
func deferred() {
    let lazy = Deferred { () -> Just<Int> in
        print("deferred", terminator: " ")
        return Just(1)
    }
    _ = lazy.sink { print($0) }
}
/// > 42
func future() {
    _ = Future<Int, Never> { promise in promise(.success(42)) }.sink { print($0) }
}
/// > success(1) failure(Combining.Trouble.bad)
func results() {
    let values: AnyPublisher<Result<Int, Trouble>, Never> = Just(1).setFailureType(to: Trouble.self)
        .append(Fail(error: .bad)).map(Result.success).catch { Just(.failure($0)) }.eraseToAnyPublisher()
    _ = values.sink { print($0, terminator: " ") }
}
/// > p: request max: (2)
/// > p: receive value: (1)
/// > p: receive value: (2)
/// > p: receive finished
func printing() {
    struct Two: Subscriber {
        let combineIdentifier = CombineIdentifier()
        func receive(subscription: Subscription) { subscription.request(.max(2)) }
        func receive(_ input: Int) -> Subscribers.Demand { .none }
        func receive(completion: Subscribers.Completion<Never>) {}
    }
    struct Lines: TextOutputStream, Sendable {
        func write(_ string: String) {
            if !string.contains("subscription") { Swift.print(string, terminator: "") }
        }
    }
    (1...2).publisher.print("p", to: Lines()).subscribe(Two())
}
/// > 3 2 1 done
func customPublisher() {
    struct Countdown: Publisher {
        typealias Output = Int
        typealias Failure = Never
        let start: Int
        func receive<S>(subscriber: S) where S: Subscriber, S.Input == Int, S.Failure == Never {
            (0..<start).reversed().publisher.map { $0 + 1 }.subscribe(subscriber)
        }
    }
    _ = Countdown(start: 3).sink(
        receiveCompletion: { _ in print("done") }, receiveValue: { print($0, terminator: " ") })
}
/// > 2 4
func ownOperator() {
    _ = (1...4).publisher.evens().sink { print($0, terminator: " ") }
}
extension Publisher where Output == Int {
    func evens() -> AnyPublisher<Int, Failure> {
        filter { $0 % 2 == 0 }.eraseToAnyPublisher()
    }
}
