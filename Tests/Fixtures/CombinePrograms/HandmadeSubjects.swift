// Programs as people write them for Combine in Swift 5 mode: subscribers, subjects and publishers of one's own. See
// Custom.swift.
import Dispatch
import Foundation
import Streams
import StreamsFoundation

// Subscriber as struct with AnySubscriber, demand arithmetics
final class Paced: Subscriber, Cancellable {
    typealias Input = Int
    typealias Failure = Never
    var subscription: Subscription?
    var got: [Int] = []
    func receive(subscription: Subscription) { self.subscription = subscription }
    func receive(_ input: Int) -> Subscribers.Demand {
        got.append(input)
        return .none
    }
    func receive(completion: Subscribers.Completion<Never>) {
        subscription = nil
        got.append(-1)
    }
    func pull(_ n: Int) { subscription?.request(.max(n)) }
    func cancel() {
        subscription?.cancel()
        subscription = nil
    }
}
/// > [10, 20]
/// > [10, 20, 30]
/// > [10, 20, 30]
/// > [1, -1]
/// > max(5) 5 true true nil max(10)
/// > some
/// > true
func paced() {
    let p = Paced()
    (1...5).publisher.map { $0 * 10 }.subscribe(p)
    p.pull(2)
    print(p.got)
    p.pull(1)
    print(p.got)
    p.cancel()
    p.pull(1)
    print(p.got)
    let q = Paced()
    let c = AnyCancellable(q)
    [1].publisher.receive(subscriber: q)
    q.pull(2)
    print(q.got)
    c.cancel()
    var demand: Subscribers.Demand = .max(3)
    demand -= 1
    demand += .max(2)
    demand = demand + 1
    print(
        demand, demand.max ?? -1, demand > .none, demand == .max(5), Subscribers.Demand.unlimited.max as Any, demand * 2
    )
    switch demand {
    case .none: print("none")
    case .unlimited: print("all")
    default: print("some")
    }
    while demand > 0 { demand -= 1 }
    print(demand == .none)
}
// subclassable publisher, subject base
class BasePublisher: Publisher {
    typealias Output = Int
    typealias Failure = Never
    func receive<S>(subscriber: S) where S: Subscriber, Never == S.Failure, Int == S.Input {
        Just(1).receive(subscriber: subscriber)
    }
}
class Twice: BasePublisher {
    override func receive<S>(subscriber: S) where S: Subscriber, Never == S.Failure, Int == S.Input {
        [1, 1].publisher.receive(subscriber: subscriber)
    }
}
enum Source: Publisher {
    typealias Output = String
    typealias Failure = Error
    case one(String), none
    func receive<S: Subscriber>(subscriber: S) where S.Input == String, S.Failure == Error {
        switch self {
        case .one(let s): Just(s).setFailureType(to: Error.self).subscribe(subscriber)
        case .none: Empty().subscribe(subscriber)
        }
    }
}
final class Relay<T>: Subject {
    typealias Output = T
    typealias Failure = Never
    private let inner = PassthroughSubject<T, Never>()
    func send(_ value: T) { inner.send(value) }
    func send(completion: Subscribers.Completion<Never>) {}
    func send(subscription: Subscription) { inner.send(subscription: subscription) }
    func receive<S>(subscriber: S) where S: Subscriber, S.Failure == Never, S.Input == T {
        inner.receive(subscriber: subscriber)
    }
}
/// > 1 1 2 2 s finished
/// > relay 1 relay 2 relay 3 void
func customs() {
    _ = Twice().sink { print($0, terminator: " ") }
    _ = (Twice() as BasePublisher).map { $0 + 1 }.sink { print($0, terminator: " ") }
    _ = Source.one("s").append(Source.none).sink(
        receiveCompletion: { print($0) }, receiveValue: { print($0, terminator: " ") })
    let r = Relay<Int>()
    let c = r.sink { print("relay", $0, terminator: " ") }
    let d = [1, 2].publisher.subscribe(r)
    r.send(completion: .finished)
    r.send(3)
    let e = Relay<Void>()
    let f = e.sink { print("void") }
    e.send()
    c.cancel()
    d.cancel()
    f.cancel()
}
final class TimerSubscription<S: Subscriber>: Subscription where S.Input == Int, S.Failure == Never {
    var subscriber: S?
    var requested: Subscribers.Demand = .none
    var n = 0
    init(_ s: S) { subscriber = s }
    func request(_ demand: Subscribers.Demand) {
        guard demand > .none else { return }
        requested += demand
        while requested > .none, n < 3 {
            requested -= .max(1)
            n += 1
            requested += subscriber?.receive(n) ?? .none
        }
        if n == 3 { subscriber?.receive(completion: .finished) }
    }
    func cancel() { subscriber = nil }
    deinit { print("gone", terminator: " ") }
}
/// > 1 2 gone [1, 2, 3]
/// > gone any 1 any 2 any 3 finished
/// > gone gone 3
func closurePublisher() {
    struct P: Publisher {
        typealias Output = Int
        typealias Failure = Never
        func receive<S>(subscriber: S) where S: Subscriber, S.Input == Int, S.Failure == Never {
            subscriber.receive(subscription: TimerSubscription(subscriber))
        }
    }
    _ = P().prefix(2).sink { print($0, terminator: " ") }
    _ = P().collect().sink { print($0) }
    let sub = AnySubscriber<Int, Never>(
        receiveSubscription: { $0.request(.max(1)) },
        receiveValue: { v in
            print("any", v, terminator: " ")
            return .max(1)
        }, receiveCompletion: { print($0) })
    P().subscribe(sub)
    let subj = CurrentValueSubject<Int, Never>(0)
    P().receive(subscriber: AnySubscriber(subj))
    print(subj.value)
}
