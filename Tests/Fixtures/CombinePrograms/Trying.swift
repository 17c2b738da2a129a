// Programs as people write them for Combine: the operators whose closures throw, and the rarer forms of the others. See
// Operators.swift.
import Streams

enum Trouble: Error, Equatable { case bad, worse }

struct Point: Sendable, Equatable {
    var x: Int
    var y: Int
    var z = 0
}

/// > 1 2 failure(Trying.Trouble.bad)
func tryRemoveDuplicates() {
    _ = [1, 1, 2, 4].publisher.tryRemoveDuplicates { last, next -> Bool in
        if next == 4 { throw Trouble.bad }
        return last == next
    }.sink(receiveCompletion: { print($0) }, receiveValue: { print($0, terminator: " ") })
}
/// > true finished
/// > failure(Trying.Trouble.worse)
func tryContains() {
    let numbers = [3, -1, 9].publisher
    _ = numbers.tryContains { $0 < 0 }
        .sink(receiveCompletion: { print($0) }, receiveValue: { print($0, terminator: " ") })
    _ = numbers.tryContains { number in
        guard number >= 0 else { throw Trouble.worse }
        return number == 9
    }.sink(receiveCompletion: { print($0) }, receiveValue: { print($0, terminator: " ") })
}
/// > false finished
func tryAllSatisfy() {
    _ = [2, 4, 5].publisher.tryAllSatisfy { number throws -> Bool in
        guard number < 10 else { throw Trouble.bad }
        return number.isMultiple(of: 2)
    }.sink(receiveCompletion: { print($0) }, receiveValue: { print($0, terminator: " ") })
}
/// > fig finished
/// > failure(Trying.Trouble.bad)
func tryMinAndMax() {
    let words = ["plum", "fig", "banana"].publisher
    _ = words.tryMin { a, b in
        guard !a.isEmpty else { throw Trouble.bad }
        return a.count < b.count
    }.sink(receiveCompletion: { print($0) }, receiveValue: { print($0, terminator: " ") })
    _ = words.tryMax { a, b -> Bool in throw Trouble.bad }
        .sink(receiveCompletion: { print($0) }, receiveValue: { print($0, terminator: " ") })
}
/// > 4 finished
func tryFirst() {
    _ = [1, 4, -1].publisher.tryFirst { number in
        guard number > 0 else { throw Trouble.bad }
        return number > 2
    }.sink(receiveCompletion: { print($0) }, receiveValue: { print($0, terminator: " ") })
}
/// > failure(Trying.Trouble.bad)
func tryLast() {
    _ = [1, 4, -1].publisher.tryLast { number in
        guard number > 0 else { throw Trouble.bad }
        return number > 2
    }.sink(receiveCompletion: { print($0) }, receiveValue: { print($0, terminator: " ") })
}
/// > 5 1 finished
func tryDropWhile() {
    _ = [2, 5, 1].publisher.tryDrop { number in
        guard number != 0 else { throw Trouble.bad }
        return number < 3
    }.sink(receiveCompletion: { print($0) }, receiveValue: { print($0, terminator: " ") })
}
/// > 2 failure(Trying.Trouble.bad)
func tryPrefixWhile() {
    _ = [2, 0, 1].publisher.tryPrefix { number in
        guard number != 0 else { throw Trouble.bad }
        return number < 3
    }.sink(receiveCompletion: { print($0) }, receiveValue: { print($0, terminator: " ") })
}
/// > At (1, 2)
/// > 3 4 5
func mapKeyPaths() {
    _ = Just(Point(x: 1, y: 2)).map(\.x, \.y).sink { x, y in print("At (\(x), \(y))") }
    _ = Just(Point(x: 3, y: 4, z: 5)).map(\.x, \.y, \.z).sink { print($0, $1, $2) }
}
/// > 0 1 failure(Trying.Trouble.worse)
func setFailureType() {
    let numbers = [0, 1].publisher
    let failing = PassthroughSubject<Int, Trouble>()
    let cancellable = numbers.setFailureType(to: Trouble.self).append(failing)
        .sink(receiveCompletion: { print($0) }, receiveValue: { print($0, terminator: " ") })
    failing.send(completion: .failure(.worse))
    cancellable.cancel()
}
/// > fig banana
func minAndMaxBy() {
    let words = ["plum", "fig", "banana"].publisher
    _ = words.min { $0.count < $1.count }.sink { print($0, terminator: " ") }
    _ = words.max(by: { $0.count < $1.count }).sink { print($0) }
}
/// > 1, a, true
/// > 2, a, true
func combineLatest3() {
    let numbers = PassthroughSubject<Int, Never>()
    let words = CurrentValueSubject<String, Never>("a")
    let cancellable = numbers.combineLatest(words, Just(true)) { "\($0), \($1), \($2)" }.sink { print($0) }
    numbers.send(1)
    numbers.send(2)
    cancellable.cancel()
}
/// > enabled: false
/// > enabled: true
func validation() {
    let name = CurrentValueSubject<String, Never>("")
    let password = CurrentValueSubject<String, Never>("secret")
    let cancellable = Publishers.CombineLatest(name, password)
        .map { !$0.isEmpty && $1.count > 3 }
        .removeDuplicates()
        .sink { print("enabled: \($0)") }
    name.send("ann")
    password.send("secret!")
    cancellable.cancel()
}
/// > a1x b2y
func zipTransform() {
    let letters = ["a", "b", "c"].publisher
    _ = letters.zip([1, 2].publisher, ["x", "y"].publisher) { "\($0)\($1)\($2)" }
        .sink { print($0, terminator: " ") }
}
/// > 1 10 2 finished
func mergeMany() {
    let first = PassthroughSubject<Int, Never>()
    let second = PassthroughSubject<Int, Never>()
    let cancellable = Publishers.MergeMany(first, second)
        .sink(receiveCompletion: { print($0) }, receiveValue: { print($0, terminator: " ") })
    first.send(1)
    second.send(10)
    second.send(completion: .finished)
    first.send(2)
    first.send(completion: .finished)
    cancellable.cancel()
}
/// > start 1 start 2 end 1 start 3 end 2 end 3
func flatMapMaxPublishers() {
    let doors = [1, 2, 3].map { _ in PassthroughSubject<Void, Never>() }
    let cancellable = [1, 2, 3].publisher.flatMap(maxPublishers: .max(2)) { index in
        doors[index - 1].map { "end \(index)" }.first().handleEvents(receiveSubscription: { _ in
            print("start \(index)", terminator: " ")
        })
    }.sink { print($0, terminator: " ") }
    for door in doors { door.send() }
    cancellable.cancel()
}
/// > 1 2 fallback 3
func catchInsideFlatMap() {
    func load(_ id: Int) -> AnyPublisher<String, Trouble> {
        id == 0
            ? Fail(error: .bad).eraseToAnyPublisher()
            : Just("\(id)").setFailureType(to: Trouble.self).eraseToAnyPublisher()
    }
    _ = [1, 2, 0, 3].publisher.flatMap { load($0).catch { _ in Just("fallback") } }
        .sink { print($0, terminator: " ") }
}
/// > 0 some(3) nil
func replaceNilWithOptional() {
    _ = [nil, 3].publisher.replaceNil(with: 0).first().sink { print($0, terminator: " ") }
    _ = Just<Int?>(3).sink { print($0.map { "some(\($0))" } ?? "nil", terminator: " ") }
    _ = Just<Int?>(nil).sink { print($0.map { "some(\($0))" } ?? "nil") }
}
/// > 5
/// > nothing
func optionalPublisher() {
    let some: Int? = 5
    _ = some.publisher.sink { print($0) }
    let none: Int? = nil
    _ = none.publisher.map(String.init).replaceEmpty(with: "nothing").sink { print($0) }
}
/// > 1 finished
/// > failure(Trying.Trouble.bad)
func resultPublisher() {
    for result: Result<Int, Trouble> in [.success(1), .failure(.bad)] {
        _ = result.publisher.sink(
            receiveCompletion: { print($0) }, receiveValue: { print($0, terminator: " ") })
    }
}
/// > finished
/// > nothing yet
func empty() {
    _ = Empty<Int, Never>().sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
    let never = Empty<Int, Never>(completeImmediately: false)
        .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
    print("nothing yet")
    never.cancel()
}
