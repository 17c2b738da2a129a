// Programs as people write them for Combine in Swift 5 mode: schedulers and streams of text of one's own. See
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
