extension Publisher {
    /// Writes a line for each signal, request and cancel, and changes none of them.
    ///
    ///     upstream      1---2|
    ///     print("a")    1---2|
    ///
    /// Demand, failure and thread are the upstream's; lines are written on the thread of the signal, one at a time, in
    /// Combine's words: `a: receive value: (1)`, `a: request max: (2)`, and with `(synchronous)` behind it what a
    /// subscriber returns for a value.
    ///
    /// - Parameters:
    ///   - prefix: The text in front of each line.
    ///   - stream: The stream that lines are written to; nil for the standard output.
    @inlinable
    public func print(
        _ prefix: String = "", to stream: (any TextOutputStream & Sendable)? = nil
    ) -> Publishers.Print<Self> {
        Publishers.Print(upstream: self, prefix: prefix, to: stream)
    }

    /// Hands a line for each signal, request and cancel to a closure, and changes none of them.
    ///
    ///     upstream                  1---2|
    ///     debug("a") { log($0) }    1---2|
    ///
    /// Demand, failure and thread are the upstream's; the closure is called on the thread of the signal. Lines are those of
    /// `print`.
    ///
    /// - Parameters:
    ///   - label: The text in front of each line.
    ///   - log: Takes a line.
    @_disfavoredOverload
    @preconcurrency
    @inlinable
    public func debug(_ label: String, log: @escaping @Sendable (String) -> Void) -> Publishers.Print<Self> {
        Publishers.Print(upstream: self, prefix: label, log: log)
    }
}

extension Publishers {
    /// Writes a line for each signal.
    public struct Print<Upstream: Publisher>: DeliveringAsUpstream, FailingAsUpstream {
        /// The upstream publisher.
        public let upstream: Upstream
        /// The text in front of each line.
        public let prefix: String
        /// The stream that lines are written to; nil for the standard output, and where a closure takes them.
        public let stream: (any TextOutputStream & Sendable)?
        @usableFromInline let log: @Sendable (String) -> Void

        /// Creates a publisher that writes lines to a stream.
        ///
        /// - Parameters:
        ///   - upstream: The upstream publisher.
        ///   - prefix: The text in front of each line.
        ///   - stream: The stream that lines are written to; nil for the standard output.
        public init(upstream: Upstream, prefix: String, to stream: (any TextOutputStream & Sendable)? = nil) {
            let lines = LineWriter(stream)
            self.init(upstream: upstream, prefix: prefix, to: stream) { lines.write($0) }
        }

        @usableFromInline
        init(
            upstream: Upstream, prefix: String, to stream: (any TextOutputStream & Sendable)? = nil,
            log: @escaping @Sendable (String) -> Void
        ) {
            self.upstream = upstream
            self.prefix = prefix
            self.stream = stream
            let start = prefix.isEmpty ? "" : "\(prefix): "
            self.log = { log(start + $0) }
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S)
        where S.Input == Upstream.Output, S.Failure == Upstream.Failure {
            attach(AnySubscriber(subscriber))
        }

        @usableFromInline
        func attach(_ subscriber: AnySubscriber<Upstream.Output, Upstream.Failure>) {
            upstream.receive(subscriber: PrintingSubscriber(upstream, downstream: subscriber, log: log))
        }
    }
}

private struct PrintingSubscriber<Upstream: Publisher>: Subscriber {
    typealias Input = Upstream.Output
    typealias Failure = Upstream.Failure

    let upstream: Upstream
    let downstream: AnySubscriber<Input, Failure>
    let log: @Sendable (String) -> Void
    let observed: ObservedSubscription

    init(
        _ upstream: Upstream, downstream: AnySubscriber<Input, Failure>, log: @escaping @Sendable (String) -> Void
    ) {
        self.upstream = upstream
        self.downstream = downstream
        self.log = log
        observed = ObservedSubscription(
            onRequest: { log("request \($0.words)") }, onCancel: { log("receive cancel") })
    }

    func receive(subscription: any Subscription) {
        guard observed.receive(subscription) else { return }
        log("receive subscription: (\(subscription.words(from: upstream)))")
        downstream.receive(subscription: observed)
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        if observed.isOver { return .none }
        log("receive value: (\(input))")
        let demand = downstream.receive(input)
        if demand > .none { log("request \(demand.words) (synchronous)") }
        return demand
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        if observed.isOver { return }
        observed.finish()
        switch completion {
        case .finished: log("receive finished")
        case .failure(let failure): log("receive error: (\(failure))")
        }
        downstream.receive(completion: completion)
    }
}

extension Subscribers.Demand {
    /// The demand in a line of `print`.
    fileprivate var words: String {
        max.map { "max: (\($0))" } ?? "unlimited"
    }
}

extension Subscription {
    /// The subscription in a line of `print`: itself if it is a user's, or else the publisher that it comes from.
    fileprivate func words<Upstream: Publisher>(from upstream: Upstream) -> String {
        guard String(reflecting: Self.self).hasPrefix("Streams.") else { return "\(self)" }
        switch upstream {
        case let source as any PublisherOfElements: return source.elements
        case let transform as any SubscriptionPassing: return words(from: transform.upstream)
        case let named as any NamedInCombine: return named.nameInCombine
        default:
            // Without its parameters: a name such as Filter, or that of a stage such as RemoveDuplicates.
            let type: Any.Type = (upstream as? any StageOrFold)?.logicType ?? Upstream.self
            return String("\(type)".prefix { $0 != "<" })
        }
    }
}

/// A publisher whose subscription has another name in Combine than its type has here.
private protocol NamedInCombine: Publisher {
    var nameInCombine: String { get }
}

extension Fail: NamedInCombine {
    var nameInCombine: String { "Empty" }
}

extension Optional.Publisher: NamedInCombine {
    var nameInCombine: String { "Optional" }
}

extension Result.Publisher: NamedInCombine {
    var nameInCombine: String { "Once" }
}

extension Published.Publisher: NamedInCombine {
    var nameInCombine: String { "PublishedSubject" }
}

extension Publishers.MergeMany: NamedInCombine {
    var nameInCombine: String { "Merge" }
}

extension Publishers.Joined: NamedInCombine {
    var nameInCombine: String { Rule.nameInCombine }
}

extension Publishers.Joined3: NamedInCombine {
    var nameInCombine: String { Rule.nameInCombine }
}

extension Publishers.Joined4: NamedInCombine {
    var nameInCombine: String { Rule.nameInCombine }
}

extension Joins.Rule {
    fileprivate static var nameInCombine: String { Self.self == Joins.Zip.self ? "Zip" : "CombineLatest" }
}

/// A publisher whose subscription is described by its elements.
private protocol PublisherOfElements: Publisher {
    var elements: String { get }
}

extension Publishers.Sequence: PublisherOfElements {
    var elements: String { "\(sequence)" }
}

/// A publisher that hands on its upstream's subscription.
private protocol SubscriptionPassing<Upstream>: Publisher {
    associatedtype Upstream: Publisher
    var upstream: Upstream { get }
}

extension Publishers.Map: SubscriptionPassing {}
extension Publishers.MapError: SubscriptionPassing {}
extension Publishers.SetFailureType: SubscriptionPassing {}

/// An operator that is one type with different logic.
private protocol StageOrFold: Publisher {
    var logicType: Any.Type { get }
}

extension Publishers.Staged: StageOrFold {
    var logicType: Any.Type { Logic.self }
}

extension Publishers.Folded: StageOrFold {
    var logicType: Any.Type { (Logic.self as? any RuledFold.Type)?.rule ?? Logic.self }
}

/// A logic that serves several operators, which have a rule each.
private protocol RuledFold {
    static var rule: Any.Type { get }
}

extension Folds.Decision: RuledFold {
    static var rule: Any.Type { Rule.self }
}
