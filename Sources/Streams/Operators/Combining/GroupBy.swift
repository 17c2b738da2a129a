extension Publisher {
    /// Delivers a publisher for each key, which delivers the values that have it.
    ///
    ///     upstream              1-----2-----3---4|
    ///     groupBy { $0 % 2 }    (1)---(0)--------|
    ///     group 1               1-----------3----|
    ///     group 0               ------2---------4|
    ///
    /// Demand: requests everything of the upstream. What has not been requested of a group waits there, the first of it for
    /// the first subscriber, as `strategy` says; a further subscriber of a group gets what comes after it. When the last
    /// subscriber of a group has cancelled, the next value with its key begins a new group: so
    /// `groupBy(key).flatMap { $0.first() }` passes every value. A group that was let go of without ever having had a
    /// subscriber keeps nothing, and further values with its key are dropped.
    ///
    /// Failure: the upstream's, of every group too, behind what waits there. Groups end in the order in which they have
    /// begun. Thread: the upstream's, or that of the request. Cancellation ends the upstream for all groups. Memory: a group
    /// for each key, and what waits.
    ///
    /// - Parameters:
    ///   - strategy: The treatment of values that have not been requested of their group; by default all are kept.
    ///   - key: A closure that returns the key of a value.
    @_disfavoredOverload
    @preconcurrency
    @inlinable
    public func groupBy<Key: Hashable & Sendable>(
        buffering strategy: BackpressureStrategy<Failure> = .unbounded, _ key: @escaping @Sendable (Output) -> Key
    ) -> Publishers.GroupBy<Self, Key> {
        Publishers.GroupBy(upstream: self, buffering: strategy, key: key)
    }
}

/// The values of one key; see `groupBy`.
public struct GroupedPublisher<Key: Hashable & Sendable, Output: Sendable, Failure: Error>: Publisher {
    /// The key that all of its values have.
    public let key: Key
    @usableFromInline let values: StreamPartHandle<Output, Failure>

    @inlinable
    init(key: Key, values: StreamPartHandle<Output, Failure>) {
        self.key = key
        self.values = values
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        attach(AnySubscriber(subscriber))
    }

    @inlinable @inline(never)
    func attach(_ subscriber: AnySubscriber<Output, Failure>) {
        values.receive(subscriber: subscriber)
    }
}

extension Publishers {
    /// Delivers a publisher for each key.
    public struct GroupBy<Upstream: Publisher, Key: Hashable & Sendable>: Publisher {
        public typealias Output = GroupedPublisher<Key, Upstream.Output, Upstream.Failure>
        public typealias Failure = Upstream.Failure

        /// The upstream publisher.
        public let upstream: Upstream
        /// The treatment of values that have not been requested of their group.
        public let strategy: BackpressureStrategy<Failure>
        /// The closure that returns the key of a value.
        public let key: @Sendable (Upstream.Output) -> Key

        /// Creates a publisher that delivers a publisher for each key.
        ///
        /// - Parameters:
        ///   - upstream: The upstream publisher.
        ///   - strategy: The treatment of values that nobody has requested of their group; by default all are kept.
        ///   - key: A closure that returns the key of a value.
        @preconcurrency
        @inlinable
        public init(
            upstream: Upstream, buffering strategy: BackpressureStrategy<Failure> = .unbounded,
            key: @escaping @Sendable (Upstream.Output) -> Key
        ) {
            self.upstream = upstream
            self.strategy = strategy
            self.key = key
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            attach(AnySubscriber(subscriber))
        }

        @inlinable @inline(never)
        func attach(_ subscriber: AnySubscriber<Output, Failure>) {
            let slot = UpstreamSlot()
            EmitterCore(subscriber, strategy: .unbounded).start(cancelling: slot) { [strategy, key] emitter in
                let groups = Serial(Groups())
                let values = ClosureSubscriber<Upstream.Output, Failure>(
                    slot: slot,
                    receiveCompletion: { completion in
                        for group in groups.value.takeAll() { group.send(completion: completion) }
                        emitter.send(completion: completion)
                    },
                    receiveValue: { value in
                        let key = key(value)
                        if let group = groups.value.parts[key], group.part.send(value) { return }
                        let part = Part(strategy)
                        groups.value.add(part, key)
                        emitter.send(GroupedPublisher(key: key, values: StreamPartHandle(part)))
                        _ = part.send(value)
                    })
                upstream.receive(subscriber: values)
            }
        }

        @usableFromInline typealias Part = StreamPart<Upstream.Output, Failure>

        /// The newest group of each key, and how many have begun before it.
        @usableFromInline
        struct Groups: Sendable {
            @usableFromInline var parts: [Key: (part: Part, age: Int)] = [:]
            @usableFromInline var begun = 0

            @inlinable
            init() {}

            @inlinable
            mutating func add(_ part: Part, _ key: Key) {
                parts[key] = (part, begun)
                begun += 1
            }

            /// All of them, in the order in which they have begun.
            @inlinable
            mutating func takeAll() -> [Part] {
                defer { parts = [:] }
                return parts.values.sorted { $0.age < $1.age }.map(\.part)
            }
        }
    }
}
