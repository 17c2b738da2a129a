// Programs as people write them for Combine: options, strides and schedules of every scheduler. See Operators.swift.
import Dispatch
import Foundation
import Streams
import StreamsFoundation

enum Trouble: Error { case late }
let queue = DispatchQueue(label: "q")
func wait<P: Publisher>(_ p: P) {
    let done = DispatchSemaphore(value: 0)
    let c = p.sink(
        receiveCompletion: {
            print($0)
            done.signal()
        }, receiveValue: { print($0, terminator: " ") })
    done.wait()
    c.cancel()
}
/// > 1 finished
/// > 1 finished
/// > 1 finished
/// > 1 finished
/// > finished
/// > failure(Times.Trouble.late)
/// > failure(Times.Trouble.late)
/// > finished
/// > [1, 2, 3, 4, 5] finished
/// > [1, 2] [3, 4] [5] finished
/// > [1, 2] [3, 4] [5] finished
/// > true finished
/// > true finished
/// > 0 finished
/// > 1 finished
/// > 1 finished
func schedulerOptions() {
    let group = DispatchGroup()
    wait(Just(1).receive(on: queue, options: .init(qos: .userInitiated, flags: [.barrier], group: group)))
    wait(
        Just(1).subscribe(on: queue, options: nil).receive(
            on: queue, options: DispatchQueue.SchedulerOptions(qos: .utility)))
    wait(Just(1).delay(for: 0.01, tolerance: 0.001, scheduler: queue, options: nil))
    wait(Just(1).delay(for: .milliseconds(5), scheduler: queue, options: .init(qos: .background)))
    wait([1, 2].publisher.debounce(for: .milliseconds(5), scheduler: queue, options: nil))
    wait(
        PassthroughSubject<Int, Trouble>().timeout(
            .milliseconds(10), scheduler: queue, options: nil, customError: { .late }))
    wait(PassthroughSubject<Int, Trouble>().timeout(0.01, scheduler: queue, customError: { Trouble.late }))
    wait(PassthroughSubject<Int, Never>().timeout(.seconds(0.01), scheduler: queue))
    wait((1...5).publisher.collect(.byTime(queue, .seconds(1))))
    wait((1...5).publisher.collect(.byTimeOrCount(queue, .milliseconds(500), 2)))
    wait((1...5).publisher.collect(.byTimeOrCount(queue, 0.5, 2), options: .init(qos: .utility)))
    wait(Just(1).measureInterval(using: queue).map { $0.magnitude >= 0 && $0 >= .zero && $0 < .seconds(100) })
    wait(Just(1).measureInterval(using: queue, options: nil).map { Double($0.magnitude) / 1_000_000_000 < 100 })
    wait(Just(1).measureInterval(using: ImmediateScheduler.shared).map { $0.magnitude })
    wait(Just(1).receive(on: ImmediateScheduler.shared).delay(for: .seconds(10), scheduler: ImmediateScheduler.shared))
    wait(Just(1).delay(for: .init(1), scheduler: ImmediateScheduler.shared))
}
/// > now later later2 true true 250000000 nanoseconds(250000000) Stride(magnitude: 2000000000000000003)
/// > true Stride(magnitude: 0)
/// > immediate
/// > 1.0
/// > 1 finished
/// > [1, 2, 3] finished
/// > true finished
/// > failure(Times.Trouble.late)
func schedules() {
    let done = DispatchSemaphore(value: 0)
    queue.schedule {
        print("now", terminator: " ")
        done.signal()
    }
    done.wait()
    queue.schedule(after: queue.now.advanced(by: .milliseconds(1))) {
        print("later", terminator: " ")
        done.signal()
    }
    done.wait()
    queue.schedule(after: .init(.now() + 0.001), tolerance: .milliseconds(1)) {
        print("later2", terminator: " ")
        done.signal()
    }
    done.wait()
    let c = queue.schedule(after: queue.now, interval: .milliseconds(1)) { done.signal() }
    for _ in 1...3 { done.wait() }
    c.cancel()
    let d: Cancellable = queue.schedule(after: queue.now, interval: 0.001, tolerance: 0.001, options: nil) {
        done.signal()
    }
    done.wait()
    d.cancel()
    let stride: DispatchQueue.SchedulerTimeType.Stride = .milliseconds(250)
    let t1 = queue.now, t2 = t1.advanced(by: stride)
    print(
        t1.distance(to: t2) == .milliseconds(250), t1 < t2, stride.magnitude, stride.timeInterval,
        DispatchQueue.SchedulerTimeType.Stride.nanoseconds(3) + 1 * 2)
    print(t2.dispatchTime > DispatchTime.now(), queue.minimumTolerance)
    ImmediateScheduler.shared.schedule { print("immediate") }
    OperationQueue.main.underlyingQueue?.schedule {}
    let op = OperationQueue()
    op.schedule { done.signal() }
    done.wait()
    op.schedule(after: .init(Date()), { done.signal() })
    done.wait()
    let o = op.schedule(after: op.now, interval: .milliseconds(1)) { done.signal() }
    done.wait()
    o.cancel()
    let os: OperationQueue.SchedulerTimeType.Stride = .seconds(1)
    print(os.timeInterval)
    wait(Just(1).receive(on: op, options: nil).throttle(for: .milliseconds(1), scheduler: op, latest: true))
    wait((1...3).publisher.collect(.byTime(op, .milliseconds(1))))
    wait(Just(2).measureInterval(using: op).map { $0 < .seconds(10) })
    wait(PassthroughSubject<Int, Trouble>().timeout(.milliseconds(1), scheduler: op, customError: { .late }))
}
/// > 1.0
/// > true
/// > Stride(magnitude: 0.0)
/// > true
func runLoop() {
    let loop = RunLoop.current
    let rs: RunLoop.SchedulerTimeType.Stride = .seconds(1)
    print(rs.timeInterval)
    let date: RunLoop.SchedulerTimeType = .init(Date())
    print(date.date <= Date())
    let c = loop.schedule(after: .init(Date()), interval: .seconds(1), tolerance: .milliseconds(1)) {}
    c.cancel()
    loop.schedule {}
    loop.schedule(after: loop.now.advanced(by: .seconds(1))) {}
    print(loop.minimumTolerance)
    let a = [1].publisher.collect(.byTime(loop, .seconds(1))).sink { print($0) }
    let b = Just(1).measureInterval(using: loop).sink { print($0.timeInterval < 10) }
    let d = PassthroughSubject<Int, Trouble>().timeout(.seconds(1), scheduler: loop, customError: { .late }).sink(
        receiveCompletion: { _ in }, receiveValue: { _ in })
    let e = Just(1).receive(on: loop, options: nil).delay(
        for: .seconds(1), tolerance: .seconds(1), scheduler: loop, options: nil
    ).sink { _ in }
    a.cancel()
    b.cancel()
    d.cancel()
    e.cancel()
}
struct Debouncer<S: Scheduler> {
    let interval: S.SchedulerTimeType.Stride
    let scheduler: S
    init(_ interval: S.SchedulerTimeType.Stride = .milliseconds(3), on scheduler: S) {
        self.interval = interval
        self.scheduler = scheduler
    }
    func apply<P: Publisher>(_ p: P) -> AnyPublisher<P.Output, P.Failure> {
        p.debounce(for: interval, scheduler: scheduler).eraseToAnyPublisher()
    }
}
final class Search<S: Scheduler>: Sendable {
    let scheduler: S
    init(scheduler: S) { self.scheduler = scheduler }
    convenience init() where S == DispatchQueue { self.init(scheduler: .main) }
    func run(_ p: AnyPublisher<String, Never>) -> AnyPublisher<String, Never> {
        p.throttle(for: .milliseconds(10), scheduler: scheduler, latest: true).delay(for: .zero, scheduler: scheduler)
            .eraseToAnyPublisher()
    }
}
/// > 1 finished
/// > x finished
func genericSchedulers() {
    wait(Debouncer(on: queue).apply(Just(1).append(Empty(completeImmediately: false))).first())
    wait(Search(scheduler: queue).run(Just("x").eraseToAnyPublisher()))
}
