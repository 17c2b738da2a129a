// Programs as people write them for Combine: recursion, protocols of one's own, demand, and how streams end. See Operators.swift.
import Dispatch
import Foundation
import Streams
import StreamsFoundation

enum Trouble: Error, Equatable { case bad }
struct Page: Sendable {
    var items: [Int]
    var next: Int?
}
func load(_ n: Int) -> AnyPublisher<Page, Trouble> {
    Just(Page(items: [n * 10, n * 10 + 1], next: n < 3 ? n + 1 : nil)).setFailureType(to: Trouble.self)
        .eraseToAnyPublisher()
}
func all(from n: Int) -> AnyPublisher<[Int], Trouble> {
    load(n).flatMap { page -> AnyPublisher<[Int], Trouble> in
        let this = Just(page.items).setFailureType(to: Trouble.self).eraseToAnyPublisher()
        guard let next = page.next else { return this }
        return this.append(all(from: next)).eraseToAnyPublisher()
    }.eraseToAnyPublisher()
}
/// > [10, 11, 20, 21, 30, 31] finished
/// > [10, 11, 20, 21, 30, 31] finished
func paging() {
    _ = all(from: 1).reduce([], +).sink(receiveCompletion: { print($0) }, receiveValue: { print($0, terminator: " ") })
    let index = CurrentValueSubject<Int, Trouble>(1)
    _ = index.flatMap { load($0) }.handleEvents(receiveOutput: { page in
        if let next = page.next { index.send(next) } else { index.send(completion: .finished) }
    }).reduce([Int]()) { $0 + $1.items }.sink(
        receiveCompletion: { print($0) }, receiveValue: { print($0, terminator: " ") })
}
final class Repeater: ConnectablePublisher {
    typealias Output = Int
    typealias Failure = Never
    let subject = PassthroughSubject<Int, Never>()
    func receive<S>(subscriber: S) where S: Subscriber, S.Input == Int, S.Failure == Never {
        subject.receive(subscriber: subscriber)
    }
    func connect() -> Cancellable {
        subject.send(1)
        subject.send(2)
        return AnyCancellable { Swift.print("disconnected", terminator: " ") }
    }
}
struct LineEncoder: TopLevelEncoder { func encode<T>(_ value: T) throws -> String where T: Encodable { "<\(value)>" } }
struct IntDecoder: TopLevelDecoder {
    func decode<T>(_ type: T.Type, from text: String) throws -> T where T: Decodable {
        guard let v = Int(text) as? T else { throw Trouble.bad }
        return v
    }
}
/// > 1 2 disconnected r1 r2 disconnected <1> <2> finished
/// > 1 failure(Recursion.Trouble.bad)
func ownProtocols() {
    let r = Repeater()
    let c = r.autoconnect().sink { print($0, terminator: " ") }
    c.cancel()
    let d = r.sink { print("r\($0)", terminator: " ") }
    let k = r.connect()
    k.cancel()
    d.cancel()
    _ = [1, 2].publisher.encode(encoder: LineEncoder()).sink(
        receiveCompletion: { print($0) }, receiveValue: { print($0, terminator: " ") })
    _ = ["1", "x"].publisher.decode(type: Int.self, decoder: IntDecoder()).sink(
        receiveCompletion: { print($0) }, receiveValue: { print($0, terminator: " ") })
}
/// > (2, 2) z (2, 2) (4, 2) (4, 3) z (4, 3) [1, -1, 2, -2]
func diamonds() {
    let source = PassthroughSubject<Int, Never>()
    let shared = source.share()
    var bag = Set<AnyCancellable>()
    shared.map { $0 * 2 }.combineLatest(shared.map { $0 + 1 }).sink { print($0, terminator: " ") }.store(in: &bag)
    shared.map { $0 * 2 }.zip(shared.map { $0 + 1 }).sink { print("z", $0, terminator: " ") }.store(in: &bag)
    shared.merge(with: shared.map { -$0 }).collect(4).sink { print($0) }.store(in: &bag)
    source.send(1)
    source.send(2)
    print()
    source.send(completion: .finished)
}
/// > 1 2 3
/// > 1 2 3 finished
/// > 1 3
/// > 1 2 3
/// > 1 2 3
/// > 0 1 2 3
/// > req max(1) 1 req max(1) 2 req max(1) 3
/// > 2 2 1 finished
/// > 1 2 3 finished
/// > 1 2 3 finished
func demands() {
    final class Slow: Subscriber, Sendable {
        typealias Input = Int
        typealias Failure = Never
        func receive(subscription: Subscription) { subscription.request(.max(1)) }
        func receive(_ input: Int) -> Subscribers.Demand {
            print(input, terminator: " ")
            return input < 3 ? .max(1) : .none
        }
        func receive(completion: Subscribers.Completion<Never>) { print(completion) }
    }
    (1...5).publisher.subscribe(Slow())
    print()
    (1...3).publisher.subscribe(Slow())
    (1...9).publisher.filter { $0 % 2 == 1 }.subscribe(Slow())
    print()
    (1...5).publisher.buffer(size: 2, prefetch: .keepFull, whenFull: .dropNewest).subscribe(Slow())
    print()
    (1...5).publisher.flatMap(maxPublishers: .max(1)) { Just($0) }.subscribe(Slow())
    print()
    [1, 2].publisher.append([3, 4].publisher).prepend(0).subscribe(Slow())
    print()
    (1...5).publisher.handleEvents(receiveRequest: { print("req", $0, terminator: " ") }).subscribe(Slow())
    print()
    (1...5).publisher.collect(2).map { $0.count }.subscribe(Slow())
    let s = CurrentValueSubject<Int, Never>(1)
    s.subscribe(Slow())
    s.send(2)
    s.send(3)
    s.send(4)
    s.send(completion: .finished)
    let p = PassthroughSubject<Int, Never>()
    p.subscribe(Slow())
    for i in 1...5 { p.send(i) }
    p.send(completion: .finished)
}
/// > end failure(Recursion.Trouble.bad)
/// > late failure(Recursion.Trouble.bad)
/// > late finished
/// > 3
/// > f failure(Recursion.Trouble.bad)
/// > f failure(Recursion.Trouble.bad)
/// > 1 2
/// > zip finished
/// > merge finished
/// > []
/// > 0
/// > 5
/// > 6
/// > true
/// > max finished
/// > 1 2 finished
/// > 1 finished
/// > d2 1 2 1 2 failure(Recursion.Trouble.bad)
/// > 3 finished
func ends() {
    let s = PassthroughSubject<Int, Trouble>()
    let c = s.sink(receiveCompletion: { print("end", $0) }, receiveValue: { print($0) })
    s.send(completion: .failure(.bad))
    s.send(1)
    s.send(completion: .finished)
    c.cancel()
    let d = s.sink(receiveCompletion: { print("late", $0) }, receiveValue: { print($0) })
    d.cancel()
    let v = CurrentValueSubject<Int, Trouble>(3)
    v.send(completion: .finished)
    let e = v.sink(receiveCompletion: { print("late", $0) }, receiveValue: { print("no", $0) })
    e.cancel()
    print(v.value)
    let f = Future<Int, Trouble> { $0(.failure(.bad)) }
    for _ in 0..<2 { _ = f.sink(receiveCompletion: { print("f", $0) }, receiveValue: { print($0) }) }
    _ = Just(1).append([2]).sink { print($0, terminator: " ") }
    print()
    let z = [1, 2].publisher.zip(Empty<Int, Never>()).sink(
        receiveCompletion: { print("zip", $0) }, receiveValue: { print($0) })
    z.cancel()
    let m = Publishers.MergeMany([Int]().map { Just($0) }).sink(
        receiveCompletion: { print("merge", $0) }, receiveValue: { print($0) })
    m.cancel()
    _ = Empty<Int, Never>().collect().sink { print($0) }
    _ = Empty<Int, Never>().count().sink { print($0) }
    _ = Empty<Int, Never>().reduce(5, +).sink { print($0) }
    _ = Empty<Int, Never>().first().replaceEmpty(with: 6).sink { print($0) }
    _ = Empty<Int, Never>().allSatisfy { $0 > 1 }.sink { print($0) }
    _ = Empty<Int, Never>().max().sink(receiveCompletion: { print("max", $0) }, receiveValue: { print($0) })
    _ = (1...10).publisher.prefix(while: { $0 < 3 }).sink(
        receiveCompletion: { print($0) }, receiveValue: { print($0, terminator: " ") })
    let trigger = PassthroughSubject<Void, Never>()
    let src = PassthroughSubject<Int, Never>()
    let g = src.prefix(untilOutputFrom: trigger).sink(
        receiveCompletion: { print($0) }, receiveValue: { print($0, terminator: " ") })
    let h = src.drop(untilOutputFrom: trigger).sink { print("d\($0)", terminator: " ") }
    src.send(1)
    trigger.send()
    src.send(2)
    g.cancel()
    h.cancel()
    _ = [1, 2, 3, 4].publisher.tryFilter {
        if $0 == 3 { throw Trouble.bad }
        return true
    }.retry(1).sink(receiveCompletion: { print($0) }, receiveValue: { print($0, terminator: " ") })
    _ = [3, 1, 2].publisher.tryMax {
        if $0 == 2 { throw Trouble.bad }
        return $0 < $1
    }.sink(receiveCompletion: { print($0) }, receiveValue: { print($0, terminator: " ") })
}
