// Programs as people write them for Combine in Swift 5 mode: schedulers, subscribers, subjects and streams of text of one's own. See
// Custom.swift.
import Dispatch
import Foundation
import Streams
import StreamsFoundation

// A test scheduler as people write it
final class TestScheduler: Scheduler {
    typealias SchedulerTimeType = DispatchQueue.SchedulerTimeType
    typealias SchedulerOptions = Never
    var now: SchedulerTimeType
    let minimumTolerance: SchedulerTimeType.Stride = .zero
    private var work: [(date: SchedulerTimeType, action: () -> Void)] = []
    init(now: SchedulerTimeType = .init(.init(uptimeNanoseconds: 1))) { self.now = now }
    func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) { work.append((now, action)) }
    func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) {
        work.append((date, action))
    }
    func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?, _ action: @escaping () -> Void
    ) -> Cancellable {
        work.append((date, action))
        return AnyCancellable {}
    }
    func advance(by stride: SchedulerTimeType.Stride) {
        let end = now.advanced(by: stride)
        while let next = work.filter({ $0.date <= end }).min(by: { $0.date < $1.date }),
            let index = work.firstIndex(where: { $0.date == next.date })
        {
            work.remove(at: index)
            now = max(now, next.date)
            next.action()
        }
        now = end
    }
}
/// > [2]
/// > [2, 5]
/// > [2, 5, 5]
func testScheduler() {
    let s = TestScheduler()
    let subject = PassthroughSubject<Int, Never>()
    var out: [Int] = []
    let c = subject.debounce(for: .seconds(1), scheduler: s).sink { out.append($0) }
    subject.send(1)
    s.advance(by: .milliseconds(500))
    subject.send(2)
    s.advance(by: .seconds(2))
    print(out)
    let d = subject.delay(for: 2, scheduler: s).sink { out.append($0) }
    subject.send(5)
    s.advance(by: 1)
    print(out)
    s.advance(by: 1)
    print(out)
    c.cancel()
    d.cancel()
}
// custom time
struct Ticks: Strideable, Comparable {
    var t: Int
    func distance(to o: Ticks) -> TickStride { .init(o.t - t) }
    func advanced(by n: TickStride) -> Ticks { Ticks(t: t + n.n) }
}
struct TickStride: SchedulerTimeIntervalConvertible, SignedNumeric, Comparable {
    var n: Int
    init(_ n: Int) { self.n = n }
    init(integerLiteral v: Int) { n = v }
    init?<T: BinaryInteger>(exactly s: T) { n = Int(s) }
    var magnitude: Int { abs(n) }
    static func < (a: Self, b: Self) -> Bool { a.n < b.n }
    static func + (a: Self, b: Self) -> Self { .init(a.n + b.n) }
    static func - (a: Self, b: Self) -> Self { .init(a.n - b.n) }
    static func * (a: Self, b: Self) -> Self { .init(a.n * b.n) }
    static func += (a: inout Self, b: Self) { a = a + b }
    static func -= (a: inout Self, b: Self) { a = a - b }
    static func *= (a: inout Self, b: Self) { a = a * b }
    static func seconds(_ s: Int) -> Self { .init(s * 1000) }
    static func seconds(_ s: Double) -> Self { .init(Int(s * 1000)) }
    static func milliseconds(_ s: Int) -> Self { .init(s) }
    static func microseconds(_ s: Int) -> Self { .init(s / 1000) }
    static func nanoseconds(_ s: Int) -> Self { .init(s / 1_000_000) }
}
struct TickScheduler: Scheduler {
    typealias SchedulerOptions = Void
    class Box { var now = Ticks(t: 0) }
    let box = Box()
    var now: Ticks { box.now }
    var minimumTolerance: TickStride { 0 }
    func schedule(options: Void?, _ action: @escaping () -> Void) { action() }
    func schedule(after date: Ticks, tolerance: TickStride, options: Void?, _ action: @escaping () -> Void) {
        box.now = date
        action()
    }
    func schedule(
        after date: Ticks, interval: TickStride, tolerance: TickStride, options: Void?, _ action: @escaping () -> Void
    ) -> Cancellable {
        box.now = date
        action()
        return Subscriptions.empty
    }
}
/// > ticked 1
/// > 0 0
func tickScheduler() {
    _ = Just(1).delay(for: .seconds(2), scheduler: TickScheduler()).sink { print("ticked", $0) }
    _ = [1, 2].publisher.measureInterval(using: TickScheduler()).sink { print($0.n, terminator: " ") }
    print()
}
// erased scheduler as Point-Free does
struct AnySchedulerOf<T: Strideable, O>: Scheduler where T.Stride: SchedulerTimeIntervalConvertible {
    private let _now: () -> T
    private let _tol: () -> T.Stride
    private let _s: (O?, @escaping () -> Void) -> Void
    private let _a: (T, T.Stride, O?, @escaping () -> Void) -> Void
    private let _r: (T, T.Stride, T.Stride, O?, @escaping () -> Void) -> Cancellable
    init<S: Scheduler>(_ s: S) where S.SchedulerTimeType == T, S.SchedulerOptions == O {
        _now = { s.now }
        _tol = { s.minimumTolerance }
        _s = { s.schedule(options: $0, $1) }
        _a = { s.schedule(after: $0, tolerance: $1, options: $2, $3) }
        _r = { s.schedule(after: $0, interval: $1, tolerance: $2, options: $3, $4) }
    }
    var now: T { _now() }
    var minimumTolerance: T.Stride { _tol() }
    func schedule(options: O?, _ action: @escaping () -> Void) { _s(options, action) }
    func schedule(after date: T, tolerance: T.Stride, options: O?, _ action: @escaping () -> Void) {
        _a(date, tolerance, options, action)
    }
    func schedule(after date: T, interval: T.Stride, tolerance: T.Stride, options: O?, _ action: @escaping () -> Void)
        -> Cancellable
    { _r(date, interval, tolerance, options, action) }
}
/// > erased 3
func erasedScheduler() {
    let done = DispatchSemaphore(value: 0)
    let any = AnySchedulerOf(DispatchQueue.global())
    let c = Just(3).receive(on: any).sink {
        print("erased", $0)
        done.signal()
    }
    done.wait()
    c.cancel()
}
final class StringStream: TextOutputStream {
    var text = ""
    func write(_ s: String) { text += s }
}
/// > n: request unlimited; n: receive value: (1); n: request max: (1) (synchronous); n: receive value: (2); n: receive finished
/// > <x: request unlimited> <x: receive value: (1)> <x: receive finished>
func printTo() {
    let s = StringStream()
    _ = [1, 2].publisher.print("n", to: s).filter { $0 > 1 }.sink { _ in }
    print(s.text.split(separator: "\n").dropFirst().joined(separator: "; "))
    struct Logger: TextOutputStream {
        func write(_ s: String) {
            let t = s.trimmingCharacters(in: .newlines)
            if !t.isEmpty, !t.contains("subscription") { print("<\(t)>", terminator: " ") }
        }
    }
    _ = Just(1).print("x", to: Logger()).sink { _ in }
    print()
}
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
