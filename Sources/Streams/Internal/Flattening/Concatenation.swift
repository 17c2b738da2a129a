/// Publishers that follow each other, the first or the second of which may be such a pair itself: what becomes of a chain
/// of `append`s or `prepend`s that is erased as it grows. It is walked through with a stack of its own, so that neither
/// subscribing, nor the ends, nor letting go of it recurses, and a value passes one subscriber however long the chain is.
///
/// Unchecked because of its parts, which change only while it is let go of, when nobody else has it.
@usableFromInline
final class Concatenation<Output: Sendable, Failure: Error>: @unchecked Sendable {
    fileprivate enum Part: Sendable {
        case publisher(AnyPublisher<Output, Failure>)
        case chain(Concatenation)

        init(_ publisher: AnyPublisher<Output, Failure>) {
            self = publisher.chain.map { .chain($0) } ?? .publisher(publisher)
        }
    }

    private var first: Part?
    private var second: Part?

    /// - Returns: Nil where nothing in it has been erased: types say how long that is, and nest no deeper.
    init?<First: Publisher, Second: Publisher>(_ first: First, _ second: Second)
    where
        First.Output == Output, First.Failure == Failure, Second.Output == Output, Second.Failure == Failure
    {
        let (firstErased, secondErased) = (Self.erased(first), Self.erased(second))
        if firstErased == nil, secondErased == nil { return nil }
        self.first = Part(firstErased ?? AnyPublisher(first))
        self.second = Part(secondErased ?? AnyPublisher(second))
    }

    private static func erased<P: Publisher>(_ publisher: P) -> AnyPublisher<Output, Failure>? {
        if let erased = publisher as? AnyPublisher<Output, Failure> { return erased }
        return (publisher as? any ChainablePublisher)?.chained()
    }

    /// Takes apart what nobody else has, one after the other.
    deinit {
        var pending = takeChains()
        while var chain = pending.popLast() {
            if isKnownUniquelyReferenced(&chain) { pending += chain.takeChains() }
        }
    }

    private func takeChains() -> [Concatenation] {
        [first.take(), second.take()].compactMap { if case .chain(let chain) = $0 { chain } else { nil } }
    }

    fileprivate var parts: [Part] { [second, first].compactMap { $0 } }

    func receive(subscriber: AnySubscriber<Output, Failure>) {
        let arbiter = SubscriptionArbiter()
        subscriber.receive(subscription: arbiter)
        if !arbiter.isDone { ConcatenationWalk(self, subscriber, arbiter).next() }
    }
}

/// Two publishers that follow each other.
protocol ChainablePublisher: Publisher {
    /// The chain that they are, if they are one of these types.
    func chained<Value: Sendable, Error: Swift.Error>() -> AnyPublisher<Value, Error>?
}

/// One subscriber's way through the parts.
private final class ConcatenationWalk<Output: Sendable, Failure: Error>: Sendable {
    /// What is still to come, the next on top. The serial signals of the upstreams touch it.
    private let ahead: Serial<[Concatenation<Output, Failure>.Part]>
    private let downstream: AnySubscriber<Output, Failure>
    private let arbiter: SubscriptionArbiter

    init(
        _ chain: Concatenation<Output, Failure>, _ downstream: AnySubscriber<Output, Failure>,
        _ arbiter: SubscriptionArbiter
    ) {
        ahead = Serial([.chain(chain)])
        self.downstream = downstream
        self.arbiter = arbiter
    }

    func next() {
        arbiter.next {
            guard let publisher = takeNext() else { return }
            publisher.receive(
                subscriber: ArbitratedSubscriber(downstream: downstream, arbiter: arbiter) { [self] in ended($0) })
        }
    }

    private func ended(_ completion: Subscribers.Completion<Failure>) {
        guard case .finished = completion, !ahead.value.isEmpty else {
            return downstream.receive(last: completion, of: arbiter)
        }
        next()
    }

    private func takeNext() -> AnyPublisher<Output, Failure>? {
        while let part = ahead.value.popLast() {
            switch part {
            case .publisher(let publisher): return publisher
            case .chain(let chain): ahead.value += chain.parts
            }
        }
        return nil
    }
}
