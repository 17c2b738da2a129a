import Streams
import StreamsTesting
import Synchronization

/// A value that does something to the stream when it is let go of: under a lock of the stream's, that never comes back.
final class Charge: Sendable, Hashable, Comparable, Codable {
    let number: Int
    private let onRelease: (@Sendable (Int) -> Void)?

    init(_ number: Int, onRelease: (@Sendable (Int) -> Void)? = nil) {
        self.number = number
        self.onRelease = onRelease
    }

    convenience init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(Int.self))
    }

    deinit {
        onRelease?(number)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }

    static func == (lhs: Charge, rhs: Charge) -> Bool { lhs.number == rhs.number }
    static func < (lhs: Charge, rhs: Charge) -> Bool { lhs.number < rhs.number }
    func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// A failure that holds one.
struct ChargedError: Error {
    let charge: Charge
}

/// What happens to a stream of charges, and in it when they are let go of.
struct ChargedScenario: Sendable {
    enum Step: Sendable {
        case send(input: Int), finish(input: Int), fail(input: Int)
        case request(Subscribers.Demand), cancel
        case advance(milliseconds: Int)
    }

    var steps: [Step]
    /// What a released charge does, by its number.
    var reactions: [Step]
    /// What the subscriber returns, by the number of the value.
    var returned: [Subscribers.Demand]
    var kind: Int

    private static func step(_ choices: inout Choices) -> Step {
        let input = choices.int(in: 0...1)
        return switch choices.int(in: 0...11) {
        case 0...5: .send(input: input)
        case 6: .request(.max(choices.int(in: 1...3)))
        case 7: .request(.unlimited)
        case 8: .advance(milliseconds: choices.int(in: 1...40))
        case 9: .finish(input: input)
        case 10: .fail(input: input)
        default: .cancel
        }
    }

    static let random = Gen { choices in
        ChargedScenario(
            steps: choices.array(upTo: 16) { step(&$0) }, reactions: choices.array(upTo: 6) { step(&$0) },
            returned: choices.array(upTo: 4) { .max($0.int(in: 0...2)) }, kind: choices.int(in: 0...2))
    }
}

/// An operator, as a stream that comes of two streams of charges.
struct ChargedOperator: Sendable {
    typealias Source = AnyPublisher<Charge, ChargedError>

    let names: [String]
    private let subscribe: @Sendable (Source, Source, VirtualTimeScheduler, ChargedSubscriber) -> Void

    init<P: Publisher>(_ names: String, _ make: @escaping @Sendable (Source, Source, VirtualTimeScheduler) -> P) {
        self.names = names.split(separator: " ").map(String.init)
        subscribe = { make($0, $1, $2).receive(subscriber: $3.erased()) }
    }

    /// One that knows no time and needs no other stream.
    init<P: Publisher>(_ names: String, _ make: @escaping @Sendable (Source) -> P) {
        self.init(names) { source, _, _ in make(source) }
    }

    /// Plays a scenario through. There is nothing to be returned: what is wrong stops the program or never comes back.
    func play(_ scenario: ChargedScenario) {
        let scheduler = VirtualTimeScheduler()
        let subscriber = ChargedSubscriber(returned: scenario.returned)
        let stage = ChargedStage(scenario, scheduler, subscriber)
        let inputs = stage.inputs
        subscribe(inputs[0], inputs[1], scheduler, subscriber)
        for step in scenario.steps { stage.take(step) }
        subscriber.cancel()
        scheduler.advance(by: .seconds(1))
        stage.end()
    }
}

/// Takes values without keeping them, and asks for more as the scenario says.
final class ChargedSubscriber: Sendable {
    private let subscription = Mutex<(any Subscription)?>(nil)
    private let count = Atomic(0)
    private let returned: [Subscribers.Demand]

    init(returned: [Subscribers.Demand]) {
        self.returned = returned
    }

    func erased<Value: Sendable, Failure: Error>() -> AnySubscriber<Value, Failure> {
        AnySubscriber(
            receiveSubscription: { new in
                let old = self.subscription.withLock { held in
                    defer { held = new }
                    return held
                }
                withExtendedLifetime(old) {}
            },
            receiveValue: { _ in
                let count = self.count.wrappingAdd(1, ordering: .relaxed).oldValue
                return self.returned.isEmpty ? .none : self.returned[count % self.returned.count]
            })
    }

    func request(_ demand: Subscribers.Demand) {
        subscription.withLock { $0 }?.request(demand)
    }

    func cancel() {
        subscription.withLock { $0 }?.cancel()
    }
}

/// The two sources, and what is done to them and to the subscriber.
final class ChargedStage: Sendable {
    private let subjects: Mutex<[any Subject<Charge, ChargedError>]>
    private let scenario: ChargedScenario
    private let scheduler: VirtualTimeScheduler
    private let subscriber: ChargedSubscriber
    private let count = Atomic(0)
    /// How many reactions there may still be: one may lead to the next, for ever.
    private let reactions = Atomic(40)

    init(_ scenario: ChargedScenario, _ scheduler: VirtualTimeScheduler, _ subscriber: ChargedSubscriber) {
        self.scenario = scenario
        self.scheduler = scheduler
        self.subscriber = subscriber
        subjects = Mutex(
            (0..<2).map { _ in
                switch scenario.kind {
                case 0: PassthroughSubject<Charge, ChargedError>()
                case 1: CurrentValueSubject<Charge, ChargedError>(Charge(0))
                default: ReplaySubject<Charge, ChargedError>(bufferSize: 2)
                }
            })
    }

    var inputs: [ChargedOperator.Source] {
        subjects.withLock { $0 }.map { subject in
            ChargedSource(upstream: Self.erase(subject)) { [weak self] in self?.charge() }.eraseToAnyPublisher()
        }
    }

    private static func erase(_ subject: some Subject<Charge, ChargedError>) -> ChargedOperator.Source {
        subject.eraseToAnyPublisher()
    }

    func take(_ step: ChargedScenario.Step) {
        let subjects = subjects.withLock { $0 }
        switch step {
        case .send(let input): if input < subjects.count { subjects[input].send(charge()) }
        case .finish(let input): if input < subjects.count { subjects[input].send(completion: .finished) }
        case .fail(let input):
            if input < subjects.count { subjects[input].send(completion: .failure(ChargedError(charge: charge()))) }
        case .request(let demand): subscriber.request(demand)
        case .cancel: subscriber.cancel()
        case .advance(let milliseconds): scheduler.advance(by: .milliseconds(milliseconds))
        }
    }

    private func charge() -> Charge {
        Charge(count.wrappingAdd(1, ordering: .relaxed).newValue) { [weak self] in self?.react($0) }
    }

    private func react(_ number: Int) {
        guard !scenario.reactions.isEmpty, reactions.wrappingSubtract(1, ordering: .relaxed).newValue > 0 else {
            return
        }
        let step = scenario.reactions[number % scenario.reactions.count]
        // Virtual time is moved by one at a time.
        if case .advance = step {
            scheduler.schedule { [weak self] in self?.subscriber.request(.max(1)) }
        } else {
            take(step)
        }
    }

    /// Lets go of the sources.
    func end() {
        let left = subjects.withLock { subjects in
            defer { subjects = [] }
            return subjects
        }
        withExtendedLifetime(left) {}
    }
}
