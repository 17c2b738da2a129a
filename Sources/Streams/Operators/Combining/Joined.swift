/// The namespace of the rules by which the values of several publishers come together.
public enum Joins {
    /// A rule by which the values of several publishers come together: that of `zip` or that of `combineLatest`.
    public protocol Rule: Sendable {
        /// A Boolean value that determines whether a value waits for its partners; if not, it goes with the latest values
        /// of the others.
        static var waitsForAll: Bool { get }
    }

    /// The rule of `zip`: first with first, second with second.
    public enum Zip: Rule {
        @inlinable @inline(__always)
        public static var waitsForAll: Bool { true }
    }

    /// The rule of `combineLatest`: each value with the latest of the others.
    public enum Latest: Rule {
        @inlinable @inline(__always)
        public static var waitsForAll: Bool { false }
    }
}

extension Joins.Rule {
    /// What is requested of each upstream at once; what waits for partners is requested as it is of the join.
    @inlinable @inline(__always)
    static var demand: Subscribers.Demand { waitsForAll ? .none : .unlimited }

    /// A place for an upstream's subscription; what waits for partners comes in no more than windows.
    @inlinable @inline(__always)
    static func slot() -> UpstreamSlot { waitsForAll ? PacedSlot() : UpstreamSlot() }

    /// A subscription to the upstreams that are behind these slots.
    @inlinable @inline(__always)
    static func subscription(_ slots: [UpstreamSlot]) -> DrainedSubscription {
        DrainedSubscription(upstreams: slots, demanded: waitsForAll ? slots.count : 0, failsAsOne: true)
    }
}

extension Publishers {
    /// Delivers values of two publishers together.
    @frozen
    public struct Joined<A: Publisher, B: Publisher, Rule: Joins.Rule>: Publisher where A.Failure == B.Failure {
        public typealias Output = (A.Output, B.Output)
        public typealias Failure = A.Failure

        /// The first upstream publisher.
        public let a: A
        /// The second upstream publisher.
        public let b: B

        /// Creates a publisher that delivers the values of two others together.
        ///
        /// - Parameters:
        ///   - a: The first upstream publisher.
        ///   - b: The second upstream publisher.
        @inlinable @inline(__always)
        public init(_ a: A, _ b: B) {
            self.a = a
            self.b = b
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            attach(subscriber)
        }

        @inlinable @inline(never)
        func attach<S: Subscriber>(_ subscriber: S) where S.Input == Output, S.Failure == Failure {
            let inputs = (SignalChannel<A.Output, Failure>(), SignalChannel<B.Output, Failure>())
            let slots = (Rule.slot(), Rule.slot())
            let join = Rule.subscription([slots.0, slots.1])
            subscriber.receive(subscription: join)
            join.join(by: Rule.self, JoinedPair(inputs.0, inputs.1), to: subscriber)
            join.startFirst(a, inputs.0, slots.0, by: Rule.self, demand: Rule.demand)
            join.start(b, inputs.1, slots.1, by: Rule.self, demand: Rule.demand)
        }
    }

    /// Delivers values of three publishers together.
    @frozen
    public struct Joined3<A: Publisher, B: Publisher, C: Publisher, Rule: Joins.Rule>: Publisher
    where A.Failure == B.Failure, A.Failure == C.Failure {
        public typealias Output = (A.Output, B.Output, C.Output)
        public typealias Failure = A.Failure

        /// The first upstream publisher.
        public let a: A
        /// The second upstream publisher.
        public let b: B
        /// The third upstream publisher.
        public let c: C

        /// Creates a publisher that delivers the values of three others together.
        ///
        /// - Parameters:
        ///   - a: The first upstream publisher.
        ///   - b: The second upstream publisher.
        ///   - c: The third upstream publisher.
        @inlinable @inline(__always)
        public init(_ a: A, _ b: B, _ c: C) {
            self.a = a
            self.b = b
            self.c = c
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            attach(subscriber)
        }

        @inlinable @inline(never)
        func attach<S: Subscriber>(_ subscriber: S) where S.Input == Output, S.Failure == Failure {
            let front = (SignalChannel<A.Output, Failure>(), SignalChannel<B.Output, Failure>())
            let last = SignalChannel<C.Output, Failure>()
            let slots = [Rule.slot(), Rule.slot(), Rule.slot()]
            let join = Rule.subscription(slots)
            subscriber.receive(subscription: join)
            join.join(by: Rule.self, JoinedTriple(JoinedPair(front.0, front.1), last), to: subscriber)
            join.startFirst(a, front.0, slots[0], by: Rule.self, demand: Rule.demand)
            join.start(b, front.1, slots[1], by: Rule.self, demand: Rule.demand)
            join.start(c, last, slots[2], by: Rule.self, demand: Rule.demand)
        }
    }

    /// Delivers values of four publishers together.
    @frozen
    public struct Joined4<A: Publisher, B: Publisher, C: Publisher, D: Publisher, Rule: Joins.Rule>: Publisher
    where A.Failure == B.Failure, A.Failure == C.Failure, A.Failure == D.Failure {
        public typealias Output = (A.Output, B.Output, C.Output, D.Output)
        public typealias Failure = A.Failure

        /// The first upstream publisher.
        public let a: A
        /// The second upstream publisher.
        public let b: B
        /// The third upstream publisher.
        public let c: C
        /// The fourth upstream publisher.
        public let d: D

        /// Creates a publisher that delivers the values of four others together.
        ///
        /// - Parameters:
        ///   - a: The first upstream publisher.
        ///   - b: The second upstream publisher.
        ///   - c: The third upstream publisher.
        ///   - d: The fourth upstream publisher.
        @inlinable @inline(__always)
        public init(_ a: A, _ b: B, _ c: C, _ d: D) {
            self.a = a
            self.b = b
            self.c = c
            self.d = d
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            attach(subscriber)
        }

        @inlinable @inline(never)
        func attach<S: Subscriber>(_ subscriber: S) where S.Input == Output, S.Failure == Failure {
            let front = (SignalChannel<A.Output, Failure>(), SignalChannel<B.Output, Failure>())
            let middle = SignalChannel<C.Output, Failure>()
            let last = SignalChannel<D.Output, Failure>()
            let slots = [Rule.slot(), Rule.slot(), Rule.slot(), Rule.slot()]
            let join = Rule.subscription(slots)
            subscriber.receive(subscription: join)
            let triple = JoinedTriple(JoinedPair(front.0, front.1), middle)
            join.join(by: Rule.self, JoinedQuadruple(triple, last), to: subscriber)
            join.startFirst(a, front.0, slots[0], by: Rule.self, demand: Rule.demand)
            join.start(b, front.1, slots[1], by: Rule.self, demand: Rule.demand)
            join.start(c, middle, slots[2], by: Rule.self, demand: Rule.demand)
            join.start(d, last, slots[3], by: Rule.self, demand: Rule.demand)
        }
    }

    /// Delivers values of any number of publishers of one type together, as arrays.
    @frozen
    public struct JoinedMany<Upstream: Publisher, Rule: Joins.Rule>: Publisher {
        public typealias Output = [Upstream.Output]
        public typealias Failure = Upstream.Failure

        /// The upstream publishers.
        public let upstreams: [Upstream]

        /// Creates a publisher that delivers the values of others of one type together, as arrays.
        ///
        /// - Parameter upstreams: The upstream publishers; if there are none, it finishes at once.
        @inlinable
        public init(_ upstreams: some Swift.Sequence<Upstream>) {
            self.upstreams = Array(upstreams)
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            attach(subscriber)
        }

        @inlinable @inline(never)
        func attach<S: Subscriber>(_ subscriber: S) where S.Input == Output, S.Failure == Failure {
            let inputs = JoinedList<Failure, Upstream.Output>(count: upstreams.count)
            let slots = upstreams.map { _ in Rule.slot() }
            let join = Rule.subscription(slots)
            subscriber.receive(subscription: join)
            guard !upstreams.isEmpty else {
                _ = join.end { subscriber.receive(completion: .finished) }
                return
            }
            join.join(by: Rule.self, inputs, to: subscriber)
            for (index, upstream) in upstreams.enumerated() {
                join.start(upstream, inputs.channels[index], slots[index], by: Rule.self, demand: Rule.demand)
                if index == 0 { join.drain() }
            }
        }
    }
}

extension Publishers.Joined: Equatable where A: Equatable, B: Equatable {}
extension Publishers.Joined3: Equatable where A: Equatable, B: Equatable, C: Equatable {}
extension Publishers.Joined4: Equatable where A: Equatable, B: Equatable, C: Equatable, D: Equatable {}
extension Publishers.JoinedMany: Equatable where Upstream: Equatable {}
