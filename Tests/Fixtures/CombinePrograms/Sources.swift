// Programs as people write them for Combine: sequences, cancellables, what is shared, and events. See Operators.swift.
import Dispatch
import Foundation
import Streams

enum Trouble: Error, Equatable { case bad }
func show<P: Publisher>(_ p: P) {
    _ = p.sink(receiveCompletion: { print($0) }, receiveValue: { print($0, terminator: " ") })
}
/// > a b c finished
/// > 1 2 3 finished
/// > 0 1 2 finished
/// > a1 finished
/// > a1 finished
/// > 1 finished
/// > 0 2 4 finished
/// > 3 2 1 finished
/// > 1a 2b finished
/// > 1 3 finished
/// > 1 1 finished
/// > a b finished
/// > 2 3 finished
/// > 1 2 3 finished
/// > 1 finished
/// > finished
/// > 1 finished
/// > 1 2 finished
/// > 2 3 finished
/// > 1 2 3 finished
/// > 3 finished
/// > 1 finished
/// > 2 finished
/// > 3 finished
/// > 3 finished
/// > 1 finished
/// > 4 finished
/// > 2 finished
/// > 1 2 finished
/// > 3 finished
/// > 1 finished
/// > false finished
/// > 3 finished
/// > 1 2 3 finished
/// > failure(Sources.Trouble.bad)
/// > finished
/// > 1 2 failure(Sources.Trouble.bad)
/// > 1 finished
/// > 9 finished
func sequences() {
    show("abc".publisher)
    show((1...3).publisher)
    show((0...).publisher.prefix(3))
    show(["a": 1].publisher.map { $0.key + "\($0.value)" })
    show(["a": 1].publisher.map { key, value in key + "\(value)" })
    show(Set([1]).publisher)
    show(stride(from: 0, to: 6, by: 2).publisher)
    show([1, 2, 3].reversed().publisher)
    show(zip([1, 2], ["a", "b"]).publisher.map { "\($0)\($1)" })
    show([1, 2].enumerated().publisher.map { $0.offset + $0.element })
    show(repeatElement(1, count: 2).publisher)
    show("a b".split(separator: " ").publisher.map(String.init))
    show([1, 2, 3][1...].publisher)
    show([[1], [2, 3]].joined().publisher)
    show(CollectionOfOne(1).publisher)
    show(EmptyCollection<Int>().publisher)
    show(Publishers.Sequence<[Int], Trouble>(sequence: [1]))
    show([1, 2].publisher.setFailureType(to: Trouble.self))
    show([1, 2, 3].publisher.append([4].publisher).prepend(0).dropFirst(2).prefix(2))
    show([3, 1, 2].publisher.collect().map { $0.sorted() }.flatMap(\.publisher))
    show([1, 2, 3].publisher.count())
    show([1, 2, 3].publisher.first())
    show([1, 2].publisher.last())
    show([1, 2].publisher.reduce(0, +))
    show([1, 2].publisher.tryReduce(0) { $0 + $1 })
    show([1, 1].publisher.removeDuplicates())
    show([Int]().publisher.replaceEmpty(with: 4))
    show([1, 2, 3].publisher.output(at: 1))
    show([1, 2, 3].publisher.output(in: 0...1))
    show([1, 2, 3].publisher.max())
    show([1, 2, 3].publisher.min())
    show([1, 2].publisher.contains(3))
    let optional: Int? = 3
    show(optional.publisher)
    show(Just(1).append(2, 3))
    show(Result<Int, Trouble>.failure(.bad).publisher)
    show(Empty<Int, Trouble>(completeImmediately: true, outputType: Int.self, failureType: Trouble.self))
    show(Record<Int, Trouble>(output: [1, 2], completion: .failure(.bad)))
    var recording = Record<Int, Trouble>.Recording()
    recording.receive(1)
    recording.receive(completion: .finished)
    show(Record(recording: recording))
    show(
        Record<Int, Never> {
            $0.receive(9)
            $0.receive(completion: .finished)
        })
}
/// > b1 l1 m1 x1 o1 y1 b2 z4 true
/// > false true 2 true
/// > sink 6
func cancellables() {
    let s = PassthroughSubject<Int, Never>()
    var bag = Set<AnyCancellable>()
    var list: [AnyCancellable] = []
    var map: [String: AnyCancellable] = [:]
    var one: AnyCancellable?
    var any: Cancellable?
    func add(_ bag: inout Set<AnyCancellable>) { s.sink { print("b\($0)", terminator: " ") }.store(in: &bag) }
    add(&bag)
    s.sink { print("l\($0)", terminator: " ") }.store(in: &list)
    list.append(s.sink { print("m\($0)", terminator: " ") })
    map["x"] = s.sink { print("x\($0)", terminator: " ") }
    one = s.sink { print("o\($0)", terminator: " ") }
    any = s.sink { print("y\($0)", terminator: " ") }
    s.send(1)
    map["x"]?.cancel()
    map["x"] = nil
    one?.cancel()
    one = nil
    list.removeAll()
    any?.cancel()
    any = nil
    s.send(2)
    bag.forEach { $0.cancel() }
    bag.removeAll()
    bag = []
    s.send(3)
    bag = [s.sink { print("z\($0)", terminator: " ") }]
    let both = AnyCancellable { [c = bag.first] in c?.cancel() }
    s.send(4)
    both.cancel()
    s.send(5)
    let task = Task { for await _ in AsyncStream<Int> { _ in } {} }
    AnyCancellable(task.cancel).cancel()
    AnyCancellable { task.cancel() }.cancel()
    print(task.isCancelled)
    let a = AnyCancellable {}, b = AnyCancellable {}
    print(a == b, a == a, Set([a, b, a]).count, a.hashValue == a.hashValue)
    _ = AnyCancellable(s.sink { _ in })
    let sink = Subscribers.Sink<Int, Never>(
        receiveCompletion: { print("end", $0) }, receiveValue: { print("sink", $0, terminator: " ") })
    s.subscribe(sink)
    s.send(6)
    sink.cancel()
    s.send(7)
    s.receive(subscriber: sink)
    s.send(completion: .finished)
    print()
}
/// > r0 r1 c2 d2 h3 finished 3
/// > hot: receive subscription: (PassthroughSubject)
/// > hot: request unlimited
/// > hot: receive value: (5)
/// > 1:5
/// > 2:5
/// > hot: receive value: (6)
/// > 2:6
/// > hot: receive cancel
/// > f4 f4 g5 g6
func sharing() {
    let count = CurrentValueSubject<Int, Never>(0)
    let work = Deferred { () -> Just<Int> in
        count.value += 1
        return Just(count.value)
    }
    let replayed = work.multicast(subject: CurrentValueSubject<Int, Never>(0)).autoconnect()
    var bag = Set<AnyCancellable>()
    replayed.sink { print("r\($0)", terminator: " ") }.store(in: &bag)
    replayed.sink { print("s\($0)", terminator: " ") }.store(in: &bag)
    let connectable = work.makeConnectable()
    connectable.sink { print("c\($0)", terminator: " ") }.store(in: &bag)
    connectable.sink { print("d\($0)", terminator: " ") }.store(in: &bag)
    connectable.connect().store(in: &bag)
    let shared = work.share()
    shared.sink { print("h\($0)", terminator: " ") }.store(in: &bag)
    shared.sink(receiveCompletion: { print($0, terminator: " ") }, receiveValue: { print("i\($0)", terminator: " ") })
        .store(in: &bag)
    let subject = PassthroughSubject<Int, Never>()
    let hot = subject.print("hot").share()
    print(count.value)
    let one = hot.sink { print("1:\($0)") }
    let two = hot.sink { print("2:\($0)") }
    subject.send(5)
    one.cancel()
    subject.send(6)
    two.cancel()
    subject.send(7)
    let future = Future<Int, Never> { promise in
        count.value += 1
        promise(.success(count.value))
        promise(.success(99))
    }
    future.sink { print("f\($0)", terminator: " ") }.store(in: &bag)
    future.sink { print("f\($0)", terminator: " ") }.store(in: &bag)
    let deferred = Deferred {
        Future<Int, Never> { promise in
            count.value += 1
            promise(.success(count.value))
        }
    }
    deferred.sink { print("g\($0)", terminator: " ") }.store(in: &bag)
    deferred.sink { print("g\($0)", terminator: " ") }.store(in: &bag)
    print()
}
/// > sub req unlimited out1 got1 out2 got2 cancel sink finished
/// > cancelled
/// > e failure(Sources.Trouble.bad) f failure(Sources.Trouble.bad)
func events() {
    let s = PassthroughSubject<Int, Trouble>()
    let c = s.handleEvents(
        receiveSubscription: { _ in print("sub", terminator: " ") },
        receiveOutput: { print("out\($0)", terminator: " ") },
        receiveCompletion: { print("end", $0, terminator: " ") }, receiveCancel: { print("cancel", terminator: " ") },
        receiveRequest: { print("req", $0, terminator: " ") }
    )
    .prefix(2).sink(receiveCompletion: { print("sink", $0) }, receiveValue: { print("got\($0)", terminator: " ") })
    s.send(1)
    s.send(2)
    s.send(3)
    c.cancel()
    let d = s.handleEvents(receiveCancel: { print("cancelled") }).sink(
        receiveCompletion: { _ in }, receiveValue: { _ in })
    d.cancel()
    let e = s.handleEvents(receiveCompletion: { print("e", $0, terminator: " ") }, receiveCancel: { print("no") }).sink(
        receiveCompletion: { print("f", $0) }, receiveValue: { _ in })
    s.send(completion: .failure(.bad))
    e.cancel()
}
/// > failure(Sources.Trouble.bad)
/// > 3 finished
/// > 3 finished
/// > 4 finished
/// > 1 2 0 finished
/// > 1 2 3 finished
/// > 1 2 finished
/// > (1, 3) (2, 4) finished
/// > finished
func attempts() {
    let n = CurrentValueSubject<Int, Never>(0)
    let flaky = Deferred { () -> AnyPublisher<Int, Trouble> in
        n.value += 1
        return n.value < 3
            ? Fail(error: .bad).eraseToAnyPublisher()
            : Just(n.value).setFailureType(to: Trouble.self).eraseToAnyPublisher()
    }
    show(flaky.retry(1))
    show(flaky.retry(3))
    n.value = 0
    show(flaky.catch { _ in flaky }.catch { _ in flaky })
    show(flaky.tryCatch { e -> AnyPublisher<Int, Trouble> in throw e })
    show(
        [1, 2, 3].publisher.tryMap {
            if $0 == 3 { throw Trouble.bad }
            return $0
        }.replaceError(with: 0))
    show([1, 2, 3].publisher.setFailureType(to: Trouble.self).assertNoFailure())
    let outer = PassthroughSubject<AnyPublisher<Int, Never>, Never>()
    let inner = PassthroughSubject<Int, Never>()
    let c = outer.switchToLatest().sink(receiveCompletion: { print($0) }, receiveValue: { print($0, terminator: " ") })
    outer.send(inner.eraseToAnyPublisher())
    inner.send(1)
    outer.send(Just(2).eraseToAnyPublisher())
    inner.send(3)
    outer.send(completion: .finished)
    c.cancel()
    let (a, b) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let z = a.zip(b).sink(receiveCompletion: { print($0) }, receiveValue: { print($0, terminator: " ") })
    a.send(1)
    a.send(2)
    b.send(3)
    a.send(completion: .finished)
    b.send(4)
    z.cancel()
    let l = a.combineLatest(b).sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
    b.send(completion: .finished)
    l.cancel()
}
