// Programs as people write them for Combine: connections, subjects, subscribers and demand. See Operators.swift.
import Streams

enum Trouble: Error, Equatable { case bad, worse }

/// > connect a:1 b:1 a:2 b:2
func makeConnectable() {
    let subject = PassthroughSubject<Int, Never>()
    let connectable = subject.makeConnectable()
    let a = connectable.sink { print("a:\($0)", terminator: " ") }
    let b = connectable.sink { print("b:\($0)", terminator: " ") }
    subject.send(0)
    print("connect", terminator: " ")
    let connection = connectable.connect()
    subject.send(1)
    subject.send(2)
    connection.cancel()
    subject.send(3)
    a.cancel()
    b.cancel()
}
/// > work first 1 second 1
func multicastSubject() {
    let shared = PassthroughSubject<Int, Never>()
    let source = Deferred { () -> Just<Int> in
        print("work", terminator: " ")
        return Just(1)
    }
    let multicast = source.multicast(subject: shared)
    var bag = Set<AnyCancellable>()
    multicast.sink { print("first \($0)", terminator: " ") }.store(in: &bag)
    multicast.sink { print("second \($0)", terminator: " ") }.store(in: &bag)
    multicast.connect().store(in: &bag)
}
/// > subscribed 1 2 cancelled
func autoconnect() {
    let subject = PassthroughSubject<Int, Never>()
    let shared = subject.handleEvents(
        receiveSubscription: { _ in print("subscribed", terminator: " ") },
        receiveCancel: { print("cancelled") }
    ).multicast { PassthroughSubject<Int, Never>() }.autoconnect()
    let first = shared.sink { print($0, terminator: " ") }
    let second = shared.sink { _ in }
    subject.send(1)
    first.cancel()
    let third = shared.sink { print($0, terminator: " ") }
    subject.send(2)
    second.cancel()
    third.cancel()
}
/// > hello 1 bye finished finished
func passthroughSubject() {
    let subject = PassthroughSubject<String, Trouble>()
    subject.send("nobody listens")
    let first = subject.sink(
        receiveCompletion: { print($0, terminator: " ") }, receiveValue: { print($0, terminator: " ") })
    subject.send("hello")
    Just("1").setFailureType(to: Trouble.self).sink(
        receiveCompletion: { _ in }, receiveValue: { subject.send($0) }
    ).cancel()
    subject.send("bye")
    subject.send(completion: .finished)
    subject.send("too late")
    let late = subject.sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
    first.cancel()
    late.cancel()
}
/// > 0 1 5 now 5
func currentValueSubject() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let cancellable = subject.sink { print($0, terminator: " ") }
    subject.send(1)
    subject.value = 5
    cancellable.cancel()
    print("now \(subject.value)")
}
/// > 7 8
func subscribeSubject() {
    let subject = PassthroughSubject<Int, Never>()
    var bag = [AnyCancellable]()
    subject.sink { print($0, terminator: " ") }.store(in: &bag)
    [7, 8].publisher.subscribe(subject).store(in: &bag)
}
/// > subscription 1 2 finished
func anySubscriber() {
    let subscriber = AnySubscriber<Int, Never>(
        receiveSubscription: { subscription in
            print("subscription", terminator: " ")
            subscription.request(.max(1))
        },
        receiveValue: { value in
            print(value, terminator: " ")
            return .max(1)
        },
        receiveCompletion: { print($0) })
    [1, 2].publisher.subscribe(subscriber)
}
/// > 3 finished
func subscribersSink() {
    let sink = Subscribers.Sink<Int, Never>(
        receiveCompletion: { print($0) }, receiveValue: { print($0, terminator: " ") })
    Just(3).subscribe(sink)
}
/// > completed cleanly
/// > went wrong: bad
func switchOverCompletion() {
    func tell(_ completion: Subscribers.Completion<Trouble>) {
        switch completion {
        case .finished: print("completed cleanly")
        case .failure(let error): print("went wrong: \(error)")
        }
    }
    _ = Empty<Int, Trouble>().sink(receiveCompletion: tell, receiveValue: { _ in })
    _ = Fail<Int, Trouble>(error: .bad).sink(receiveCompletion: tell, receiveValue: { _ in })
}
/// > 5 true unlimited nil true
func demand() {
    var demand = Subscribers.Demand.max(2)
    demand += 4
    demand -= 1
    print(demand.max ?? 0, demand > 4, terminator: " ")
    demand += .unlimited
    print(demand, demand.max.map { "\($0)" } ?? "nil", Subscribers.Demand.none == .max(0))
}
/// > cancelled true
func cancellables() {
    let token = AnyCancellable { print("cancelled", terminator: " ") }
    let other = AnyCancellable(token)
    token.cancel()
    token.cancel()
    print(Set([token, token]).count == 1)
    other.cancel()
}
/// > one two
func cancelOnDeinit() {
    let subject = PassthroughSubject<String, Never>()
    var cancellable: AnyCancellable? = subject.sink { print($0, terminator: " ") }
    subject.send("one")
    subject.send("two")
    cancellable = nil
    subject.send("three")
    _ = cancellable
}
/// > [1, 2] finished [1, 2] finished
func replayRecord() {
    var recording = Record<Int, Never>.Recording()
    recording.receive(1)
    recording.receive(2)
    recording.receive(completion: .finished)
    let record = Record(recording: recording)
    for _ in 1...2 {
        _ = record.collect().sink(
            receiveCompletion: { print($0, terminator: " ") }, receiveValue: { print($0, terminator: " ") })
    }
    print()
}
/// > 1 2 stop
func breakpoint() {
    let neverRaises = [1, 2].publisher.breakpoint(receiveOutput: { $0 > 2 }).breakpointOnError()
    _ = neverRaises.sink(receiveCompletion: { _ in print("stop") }, receiveValue: { print($0, terminator: " ") })
}
/// > sum 6 finished
func erased() {
    func numbers() -> AnyPublisher<Int, Never> { [1, 2, 3].publisher.eraseToAnyPublisher() }
    let sum: AnyPublisher<String, Never> = numbers().reduce(0, +).map { "sum \($0)" }.eraseToAnyPublisher()
    _ = sum.sink(receiveCompletion: { print($0) }, receiveValue: { print($0, terminator: " ") })
}
/// > 1 2 3 4
func someSubject() {
    func fill(_ subject: some Subject<Int, Never>, with values: [Int]) {
        for value in values { subject.send(value) }
    }
    let passthrough = PassthroughSubject<Int, Never>()
    let current = CurrentValueSubject<Int, Never>(2)
    let a = passthrough.sink { print($0, terminator: " ") }
    fill(passthrough, with: [1])
    let b = current.sink { print($0, terminator: " ") }
    fill(current, with: [3, 4])
    a.cancel()
    b.cancel()
}
