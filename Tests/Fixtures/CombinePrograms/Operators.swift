// Programs as people write them for Combine, one for each operator: only the import differs. The comment in front of each is
// what it prints. scripts/combine-programs compiles and runs them in Swift 5 and Swift 6 mode.
import Streams

enum Trouble: Error, Equatable { case bad, worse }

/// > 1 4 9
func map() {
    _ = [1, 2, 3].publisher.map { $0 * $0 }.sink { print($0, terminator: " ") }
}
/// > 3 5
func mapKeyPath() {
    _ = ["one", "three"].publisher.map(\.count).sink { print($0, terminator: " ") }
}
/// > 1 2 failure(Operators.Trouble.bad)
func tryMap() {
    _ = [1, 2, 3].publisher.tryMap { n -> Int in
        if n == 3 { throw Trouble.bad }
        return n
    }.sink(receiveCompletion: { print($0) }, receiveValue: { print($0, terminator: " ") })
}
/// > failure(Operators.Trouble.worse)
func mapError() {
    _ = Fail<Int, Trouble>(error: .bad).mapError { _ in Trouble.worse }
        .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
}
/// > 1 3 6 10
func scan() {
    _ = (1...4).publisher.scan(0) { $0 + $1 }.sink { print($0, terminator: " ") }
}
/// > 1 3 failure(Operators.Trouble.bad)
func tryScan() {
    _ = (1...4).publisher.tryScan(0) { sum, n -> Int in
        guard n < 3 else { throw Trouble.bad }
        return sum + n
    }.sink(receiveCompletion: { print($0) }, receiveValue: { print($0, terminator: " ") })
}
/// > 0 1 0
func replaceNil() {
    _ = [nil, 1, nil].publisher.replaceNil(with: 0).sink { print($0, terminator: " ") }
}
/// > 2 4 6
func filter() {
    _ = (1...6).publisher.filter { $0 % 2 == 0 }.sink { print($0, terminator: " ") }
}
/// > 2 failure(Operators.Trouble.bad)
func tryFilter() {
    _ = (1...6).publisher.tryFilter { n in
        if n == 3 { throw Trouble.bad }
        return n % 2 == 0
    }.sink(receiveCompletion: { print($0) }, receiveValue: { print($0, terminator: " ") })
}
/// > 1 3
func compactMap() {
    _ = ["1", "x", "3"].publisher.compactMap { Int($0) }.sink { print($0, terminator: " ") }
}
/// > 1 failure(Operators.Trouble.worse)
func tryCompactMap() {
    _ = ["1", "x"].publisher.tryCompactMap { text -> Int? in
        guard let number = Int(text) else { throw Trouble.worse }
        return number
    }.sink(receiveCompletion: { print($0) }, receiveValue: { print($0, terminator: " ") })
}
/// > 1 2 3 1
func removeDuplicates() {
    _ = [1, 1, 2, 3, 3, 1].publisher.removeDuplicates().sink { print($0, terminator: " ") }
}
/// > a B
func removeDuplicatesBy() {
    _ = ["a", "A", "B", "b"].publisher.removeDuplicates { $0.lowercased() == $1.lowercased() }
        .sink { print($0, terminator: " ") }
}
/// > nothing
func replaceEmpty() {
    _ = Empty<String, Never>().replaceEmpty(with: "nothing").sink { print($0) }
}
/// > 7 finished
func replaceError() {
    _ = Fail<Int, Trouble>(error: .bad).replaceError(with: 7)
        .sink(receiveCompletion: { print($0) }, receiveValue: { print($0, terminator: " ") })
}
/// > [1, 2] [3, 4] [5]
func collectCount() {
    _ = (1...5).publisher.collect(2).sink { print($0, terminator: " ") }
}
/// > [1, 2, 3]
func collect() {
    _ = (1...3).publisher.collect().sink { print($0) }
}
/// > finished
func ignoreOutput() {
    _ = (1...3).publisher.ignoreOutput().sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
}
/// > abc
func reduce() {
    _ = ["a", "b", "c"].publisher.reduce("", +).sink { print($0) }
}
/// > failure(Operators.Trouble.bad)
func tryReduce() {
    _ = [1, 0].publisher.tryReduce(10) { a, b -> Int in
        guard b != 0 else { throw Trouble.bad }
        return a / b
    }.sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
}
/// > 3
func count() {
    _ = ["a", "b", "c"].publisher.count().sink { print($0) }
}
/// > 9 -1
func maxAndMin() {
    _ = [3, 9, -1].publisher.max().sink { print($0, terminator: " ") }
    _ = [3, 9, -1].publisher.min().sink { print($0) }
}
/// > watermelon
func maxBy() {
    _ = ["fig", "watermelon", "plum"].publisher.max { $0.count < $1.count }.sink { print($0) }
}
/// > true false
func contains() {
    _ = (1...3).publisher.contains(2).sink { print($0, terminator: " ") }
    _ = (1...3).publisher.contains { $0 > 3 }.sink { print($0) }
}
/// > true
func allSatisfy() {
    _ = [2, 4].publisher.allSatisfy { $0.isMultiple(of: 2) }.sink { print($0) }
}
/// > 3 4
func dropFirst() {
    _ = (1...4).publisher.dropFirst(2).sink { print($0, terminator: " ") }
}
/// > 3 1
func dropWhile() {
    _ = [1, 2, 3, 1].publisher.drop { $0 < 3 }.sink { print($0, terminator: " ") }
}
/// > 1 2
func prefix() {
    _ = (1...4).publisher.prefix(2).sink { print($0, terminator: " ") }
}
/// > 1 2
func prefixWhile() {
    _ = [1, 2, 3, 1].publisher.prefix { $0 < 3 }.sink { print($0, terminator: " ") }
}
/// > 1 4
func firstAndLast() {
    _ = (1...4).publisher.first().sink { print($0, terminator: " ") }
    _ = (1...4).publisher.last().sink { print($0) }
}
/// > 3 2
func firstAndLastWhere() {
    _ = (1...4).publisher.first { $0 > 2 }.sink { print($0, terminator: " ") }
    _ = (1...4).publisher.last { $0 < 3 }.sink { print($0) }
}
/// > c b c
func output() {
    let letters = ["a", "b", "c", "d"].publisher
    _ = letters.output(at: 2).sink { print($0, terminator: " ") }
    _ = letters.output(in: 1...2).sink { print($0, terminator: " ") }
}
/// > 0 1 2 3 4 5
func appendAndPrepend() {
    _ = [2, 3].publisher.append(4, 5).prepend([0, 1]).sink { print($0, terminator: " ") }
}
/// > 1 2 8 9
func appendPublisher() {
    _ = [1, 2].publisher.append([8, 9].publisher).sink { print($0, terminator: " ") }
}
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
/// > failure(Operators.Trouble.worse)
func tryCatch() {
    _ = Fail<Int, Trouble>(error: .bad).tryCatch { _ -> Just<Int> in throw Trouble.worse }
        .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
}
/// > 1 1 1 failure(Operators.Trouble.bad)
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
/// > success(1) failure(Operators.Trouble.bad)
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
