// Programs as people write them for Combine: time and queues. None depends on how fast the machine is. See Operators.swift.
import Dispatch
import Streams

enum Trouble: Error, Equatable { case late }

/// Waits until a stream has ended.
func wait<P: Publisher>(for publisher: P, _ print: @escaping @Sendable (P.Output) -> Void) {
    let ended = DispatchSemaphore(value: 0)
    let cancellable = publisher.sink(receiveCompletion: { _ in ended.signal() }, receiveValue: print)
    ended.wait()
    cancellable.cancel()
}

/// > 1 2 3 on the queue: true
func receiveOn() {
    let queue = DispatchQueue(label: "receive")
    let key = DispatchSpecificKey<Bool>()
    queue.setSpecific(key: key, value: true)
    wait(for: [1, 2, 3].publisher.receive(on: queue)) {
        print($0, terminator: $0 < 3 ? " " : " on the queue: \(DispatchQueue.getSpecific(key: key) == true)\n")
    }
}
/// > worked on the queue: true
func subscribeOn() {
    let queue = DispatchQueue(label: "work", qos: .background)
    let key = DispatchSpecificKey<Bool>()
    queue.setSpecific(key: key, value: true)
    let work = Deferred { Just(DispatchQueue.getSpecific(key: key) == true) }
    wait(for: work.subscribe(on: queue)) { print("worked on the queue: \($0)") }
}
/// > a b
func delay() {
    wait(for: ["a", "b"].publisher.delay(for: .milliseconds(20), scheduler: DispatchQueue.global())) {
        print($0, terminator: " ")
    }
}
/// > took long enough: true
func measureInterval() {
    let queue = DispatchQueue(label: "measure")
    let measured = Just(1).delay(for: 0.05, scheduler: queue).measureInterval(using: queue)
    wait(for: measured) { print("took long enough: \($0 >= .milliseconds(49))") }
}
/// > swift
func debounce() {
    let subject = PassthroughSubject<String, Never>()
    let typed = DispatchSemaphore(value: 0)
    let cancellable = subject.debounce(for: .seconds(0.2), scheduler: DispatchQueue(label: "typing"))
        .sink {
            print($0)
            typed.signal()
        }
    for text in ["s", "sw", "swift"] { subject.send(text) }
    typed.wait()
    cancellable.cancel()
}
/// > 1 4
func throttleLatest() {
    let subject = PassthroughSubject<Int, Never>()
    let arrived = DispatchSemaphore(value: 0)
    let cancellable = subject.throttle(for: .seconds(0.5), scheduler: DispatchQueue(label: "t"), latest: true)
        .sink {
            print($0, terminator: " ")
            arrived.signal()
        }
    subject.send(1)
    arrived.wait()
    for number in 2...4 { subject.send(number) }
    arrived.wait()
    cancellable.cancel()
}
/// > failure(Scheduling.Trouble.late)
func timeout() {
    let silent = PassthroughSubject<Int, Trouble>()
    let ended = DispatchSemaphore(value: 0)
    let cancellable = silent.timeout(.milliseconds(30), scheduler: DispatchQueue.global(), customError: { .late })
        .sink(
            receiveCompletion: {
                print($0)
                ended.signal()
            }, receiveValue: { print($0) })
    ended.wait()
    cancellable.cancel()
}
/// > finished
func timeoutWithoutError() {
    let silent = PassthroughSubject<Int, Never>()
    let ended = DispatchSemaphore(value: 0)
    let cancellable = silent.timeout(0.03, scheduler: DispatchQueue.global()).sink(
        receiveCompletion: {
            print($0)
            ended.signal()
        }, receiveValue: { print($0) })
    ended.wait()
    cancellable.cancel()
}
/// > [1, 2] [3]
func collectByTimeOrCount() {
    let numbers = [1, 2, 3].publisher
    wait(for: numbers.collect(.byTimeOrCount(DispatchQueue.global(), .seconds(60), 2))) {
        print($0, terminator: " ")
    }
}
/// > [1, 2, 3]
func collectByTime() {
    wait(for: [1, 2, 3].publisher.collect(.byTime(DispatchQueue(label: "c"), .milliseconds(500)))) { print($0) }
}
/// > now 1 2
func immediateScheduler() {
    _ = [1, 2].publisher.receive(on: ImmediateScheduler.shared).prepend(0).map { $0 == 0 ? "now" : "\($0)" }
        .sink { print($0, terminator: " ") }
}
/// > first second later tick tick cancelled
func scheduling() {
    let queue = DispatchQueue(label: "schedule")
    let done = DispatchSemaphore(value: 0)
    queue.schedule { print("first", terminator: " ") }
    queue.schedule(options: nil) {
        print("second", terminator: " ")
        done.signal()
    }
    done.wait()
    queue.schedule(after: queue.now.advanced(by: .milliseconds(10))) {
        print("later", terminator: " ")
        done.signal()
    }
    done.wait()
    let ticks = queue.schedule(after: queue.now, interval: 0.01, tolerance: 0.001, options: nil) {
        done.signal()
    }
    for _ in 1...2 {
        done.wait()
        print("tick", terminator: " ")
    }
    ticks.cancel()
    print("cancelled")
}
/// > +1 2 +1 finished
func ownScheduler() {
    struct LoggingScheduler: Scheduler {
        typealias SchedulerTimeType = ImmediateScheduler.SchedulerTimeType
        typealias SchedulerOptions = Never
        var now: SchedulerTimeType { ImmediateScheduler.shared.now }
        var minimumTolerance: SchedulerTimeType.Stride { 0 }
        func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
            print("+1", terminator: " ")
            action()
        }
        func schedule(
            after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
            _ action: @escaping () -> Void
        ) { action() }
        func schedule(
            after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
            tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?, _ action: @escaping () -> Void
        ) -> Cancellable {
            action()
            return AnyCancellable {}
        }
    }
    let subject = PassthroughSubject<Int, Never>()
    let cancellable = subject.receive(on: LoggingScheduler())
        .sink(receiveCompletion: { print($0) }, receiveValue: { print($0, terminator: " ") })
    subject.send(2)
    subject.send(completion: .finished)
    cancellable.cancel()
}
