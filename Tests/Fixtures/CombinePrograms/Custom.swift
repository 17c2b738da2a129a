// Programs as tutorials show them for Combine in Swift 5 mode: publishers, operators, subjects and subscriptions of one's own.
// Models around them are in CustomModels.swift.
import Dispatch
import Foundation
import Streams

enum Trouble: Error { case bad }

// An event source with targets, and the publisher around it.

class Button {
    private var actions: [ObjectIdentifier: () -> Void] = [:]
    func addTarget(_ target: AnyObject, action: @escaping () -> Void) { actions[ObjectIdentifier(target)] = action }
    func removeTarget(_ target: AnyObject) { actions[ObjectIdentifier(target)] = nil }
    func tap() { actions.values.forEach { $0() } }
    var targets: Int { actions.count }

    struct TapPublisher: Publisher {
        typealias Output = Button
        typealias Failure = Never
        let button: Button

        func receive<S>(subscriber: S) where S: Subscriber, Never == S.Failure, Button == S.Input {
            let subscription = TapSubscription(subscriber: subscriber, button: button)
            subscriber.receive(subscription: subscription)
        }
    }

    private final class TapSubscription<S: Subscriber>: Subscription where S.Input == Button {
        private var subscriber: S?
        private weak var button: Button?

        init(subscriber: S, button: Button) {
            self.subscriber = subscriber
            self.button = button
            button.addTarget(self) { [weak self] in self?.tapped() }
        }
        func request(_ demand: Subscribers.Demand) {}
        func cancel() {
            button?.removeTarget(self)
            subscriber = nil
        }
        private func tapped() {
            guard let button = button else { return }
            _ = subscriber?.receive(button)
        }
    }

    var taps: TapPublisher { TapPublisher(button: self) }
}

/// > tapped tapped targets: 0
func controlPublisher() {
    let button = Button()
    let cancellable = button.taps.sink { _ in print("tapped", terminator: " ") }
    button.tap()
    button.tap()
    cancellable.cancel()
    button.tap()
    print("targets: \(button.targets)")
}

// An operator in the namespace of operators, with a subscriber that passes on.

extension Publishers {
    struct EveryOther<Upstream: Publisher>: Publisher {
        typealias Output = Upstream.Output
        typealias Failure = Upstream.Failure
        let upstream: Upstream

        func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.subscribe(Inner(downstream: subscriber))
        }

        private final class Inner<Downstream: Subscriber>: Subscriber
        where Downstream.Input == Output, Downstream.Failure == Failure {
            typealias Input = Upstream.Output
            typealias Failure = Upstream.Failure
            private let downstream: Downstream
            private var isOdd = false

            init(downstream: Downstream) { self.downstream = downstream }
            func receive(subscription: Subscription) { downstream.receive(subscription: subscription) }
            func receive(_ input: Input) -> Subscribers.Demand {
                isOdd.toggle()
                return isOdd ? downstream.receive(input) : .max(1)
            }
            func receive(completion: Subscribers.Completion<Failure>) { downstream.receive(completion: completion) }
        }
    }
}

extension Publisher {
    func everyOther() -> Publishers.EveryOther<Self> { Publishers.EveryOther(upstream: self) }

    func unwrapped<Wrapped>() -> Publishers.CompactMap<Self, Wrapped> where Output == Wrapped? { compactMap { $0 } }

    func asResult() -> AnyPublisher<Result<Output, Failure>, Never> {
        map { Result.success($0) }.catch { Just(.failure($0)) }.eraseToAnyPublisher()
    }

    func weakSink<Target: AnyObject>(_ target: Target, _ body: @escaping (Target, Output) -> Void) -> AnyCancellable
    where Failure == Never {
        sink { [weak target] value in
            if let target = target { body(target, value) }
        }
    }
}

/// > 1 3 5 finished
func operatorOfOnesOwn() {
    _ = (1...5).publisher.everyOther()
        .sink(receiveCompletion: { print($0) }, receiveValue: { print($0, terminator: " ") })
}
/// > 1 3
func operatorsMadeOfOthers() {
    _ = [1, nil, 3].publisher.unwrapped().sink { print($0, terminator: " ") }
}
/// > success(1) failure(Custom.Trouble.bad)
func resultsOfOnesOwn() {
    let subject = PassthroughSubject<Int, Trouble>()
    let cancellable = subject.asResult().sink { print($0, terminator: " ") }
    subject.send(1)
    subject.send(completion: .failure(.bad))
    cancellable.cancel()
}

// A subject that replays, as many have written it.

final class Replay<Output, Failure: Error>: Subject {
    private var buffer: [Output] = []
    private let size: Int
    private var subscriptions: [ReplaySubscription<Output, Failure>] = []
    private var completion: Subscribers.Completion<Failure>?
    private let lock = NSRecursiveLock()

    init(_ size: Int) { self.size = size }

    func send(subscription: Subscription) {
        lock.lock()
        defer { lock.unlock() }
        subscription.request(.unlimited)
    }

    func send(_ value: Output) {
        lock.lock()
        defer { lock.unlock() }
        buffer.append(value)
        buffer = buffer.suffix(size)
        subscriptions.forEach { $0.receive(value) }
    }

    func send(completion: Subscribers.Completion<Failure>) {
        lock.lock()
        defer { lock.unlock() }
        self.completion = completion
        subscriptions.forEach { $0.receive(completion: completion) }
    }

    func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Failure == Failure, Downstream.Input == Output {
        lock.lock()
        defer { lock.unlock() }
        let subscription = ReplaySubscription<Output, Failure>(downstream: AnySubscriber(subscriber))
        subscriber.receive(subscription: subscription)
        subscriptions.append(subscription)
        subscription.replay(buffer, completion: completion)
    }
}

final class ReplaySubscription<Output, Failure: Error>: Subscription {
    private let downstream: AnySubscriber<Output, Failure>
    private var isCompleted = false
    private var demand: Subscribers.Demand = .none

    init(downstream: AnySubscriber<Output, Failure>) { self.downstream = downstream }
    func request(_ newDemand: Subscribers.Demand) { demand += newDemand }
    func cancel() { isCompleted = true }

    func receive(_ value: Output) {
        guard !isCompleted, demand > 0 else { return }
        demand += downstream.receive(value)
        demand -= 1
    }
    func receive(completion: Subscribers.Completion<Failure>) {
        guard !isCompleted else { return }
        isCompleted = true
        downstream.receive(completion: completion)
    }
    func replay(_ values: [Output], completion: Subscribers.Completion<Failure>?) {
        guard !isCompleted else { return }
        values.forEach { receive($0) }
        if let completion = completion { receive(completion: completion) }
    }
}

/// > 2 3 4 finished
func subjectOfOnesOwn() {
    let replay = Replay<Int, Never>(2)
    (1...3).publisher.sink { replay.send($0) }.cancel()
    let cancellable =
        replay
        .sink(receiveCompletion: { print($0) }, receiveValue: { print($0, terminator: " ") })
    replay.send(4)
    replay.send(completion: .finished)
    cancellable.cancel()
}
/// > a:5 b:5
func multicastThroughSubjectOfOnesOwn() {
    let shared = Just(5).multicast(subject: Replay<Int, Never>(1)).autoconnect()
    let a = shared.sink { print("a:\($0)", terminator: " ") }
    let b = shared.sink { print("b:\($0)", terminator: " ") }
    a.cancel()
    b.cancel()
}
