extension Publisher {
    /// Delivers a publisher for each key, which delivers the values that have it.
    ///
    ///     upstream              1-----2-----3---4|
    ///     groupBy { $0 % 2 }    (1)---(0)--------|
    ///     group 1               1-----------3----|
    ///     group 0               ------2---------4|
    ///
    /// A group is a subject: values that come without a subscriber, or without demand, are lost; subscribe when it is
    /// delivered, and ask for everything. Demand: requests everything of the upstream; a group that was not requested
    /// waits, and what comes for it meanwhile is lost. Failure: the upstream's, of every group
    /// too. Groups end in the order in which they have begun. Thread: the upstream's. Cancellation ends the upstream for all groups. Memory: one subject for each key.
    ///
    /// - Parameter key: A closure that returns the key of a value.
    @preconcurrency
    @inlinable
    public func groupBy<Key: Hashable & Sendable>(
        _ key: @escaping @Sendable (Output) -> Key
    ) -> Publishers.GroupBy<Self, Key> {
        Publishers.GroupBy(upstream: self, key: key)
    }

    /// Delivers a publisher for each stretch of values: a new one begins whenever another publisher delivers a value.
    ///
    ///     upstream                1-2---3-4|
    ///     boundary                ----x----|
    ///     window(by: boundary)    w---w----|
    ///     window 0                1-2------|
    ///     window 1                ------3-4|
    ///
    /// Each window finishes when the next begins. Demand, failure, thread and cancellation as `groupBy`; everything of the
    /// boundary, whose end is ignored.
    ///
    /// - Parameter boundary: The publisher whose values begin new windows.
    @inlinable
    public func window<Boundary: Publisher>(by boundary: Boundary) -> Publishers.Window<Self, Boundary>
    where Boundary.Failure == Never {
        Publishers.Window(upstream: self, boundary: boundary)
    }
}

/// The values of one key; see `groupBy`.
public struct GroupedPublisher<Key: Hashable & Sendable, Output: Sendable, Failure: Error>: Publisher {
    /// The key that all of its values have.
    public let key: Key
    @usableFromInline let subject: PassthroughSubject<Output, Failure>

    @inlinable
    init(key: Key, subject: PassthroughSubject<Output, Failure>) {
        self.key = key
        self.subject = subject
    }

    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        attach(AnySubscriber(subscriber))
    }

    @inlinable @inline(never)
    func attach(_ subscriber: AnySubscriber<Output, Failure>) {
        subject.receive(subscriber: subscriber)
    }
}

extension Publishers {
    /// Delivers a publisher for each key.
    public struct GroupBy<Upstream: Publisher, Key: Hashable & Sendable>: Publisher {
        public typealias Output = GroupedPublisher<Key, Upstream.Output, Upstream.Failure>
        public typealias Failure = Upstream.Failure

        /// The upstream publisher.
        public let upstream: Upstream
        /// The closure that returns the key of a value.
        public let key: @Sendable (Upstream.Output) -> Key

        @inlinable
        public init(upstream: Upstream, key: @escaping @Sendable (Upstream.Output) -> Key) {
            self.upstream = upstream
            self.key = key
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            attach(AnySubscriber(subscriber))
        }

        @inlinable @inline(never)
        func attach(_ subscriber: AnySubscriber<Output, Failure>) {
            let slot = UpstreamSlot()
            EmitterCore(subscriber, strategy: .unbounded).start(cancelling: slot) { [key] emitter in
                let groups = Serial(Groups())
                let values = ClosureSubscriber<Upstream.Output, Failure>(
                    slot: slot,
                    receiveCompletion: { completion in
                        for subject in groups.value.subjects { subject.send(completion: completion) }
                        emitter.send(completion: completion)
                    },
                    receiveValue: { value in
                        let key = key(value)
                        if let index = groups.value.indices[key] { return groups.value.subjects[index].send(value) }
                        let subject = PassthroughSubject<Upstream.Output, Failure>()
                        groups.value.indices[key] = groups.value.subjects.count
                        groups.value.subjects.append(subject)
                        emitter.send(GroupedPublisher(key: key, subject: subject))
                        subject.send(value)
                    })
                upstream.receive(subscriber: values)
            }
        }

        /// The subjects in the order in which their keys have first come, which is that of their ends too.
        @usableFromInline
        struct Groups: Sendable {
            @usableFromInline var indices: [Key: Int] = [:]
            @usableFromInline var subjects: [PassthroughSubject<Upstream.Output, Failure>] = []

            @inlinable
            init() {}
        }
    }

    /// Delivers a publisher for each stretch of values.
    public struct Window<Upstream: Publisher, Boundary: Publisher>: Publisher where Boundary.Failure == Never {
        public typealias Output = AnyPublisher<Upstream.Output, Upstream.Failure>
        public typealias Failure = Upstream.Failure

        /// The upstream publisher.
        public let upstream: Upstream
        /// The publisher whose values begin new windows.
        public let boundary: Boundary

        @inlinable
        public init(upstream: Upstream, boundary: Boundary) {
            self.upstream = upstream
            self.boundary = boundary
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            attach(AnySubscriber(subscriber))
        }

        @inlinable @inline(never)
        func attach(_ subscriber: AnySubscriber<Output, Failure>) {
            let slot = UpstreamSlot()
            EmitterCore(subscriber, strategy: .unbounded).start(cancelling: slot) { emitter in
                let window = Serial(PassthroughSubject<Upstream.Output, Failure>())
                emitter.send(window.value.eraseToAnyPublisher())
                // Merged, so that values and boundaries come one after the other; nil is a boundary.
                let signals = ClosureSubscriber<Signal<Upstream.Output, Failure>?, Never>(
                    slot: slot, receiveCompletion: { _ in },
                    receiveValue: { signal in
                        switch signal {
                        case .value(let value): window.value.send(value)
                        case nil:
                            window.value.send(completion: .finished)
                            window.value = PassthroughSubject()
                            emitter.send(window.value.eraseToAnyPublisher())
                        case .finished:
                            // The boundaries are left before anybody learns of the end.
                            slot.cancel()
                            window.value.send(completion: .finished)
                            emitter.send(completion: .finished)
                        case .failure(let failure):
                            slot.cancel()
                            window.value.send(completion: .failure(failure))
                            emitter.send(completion: .failure(failure))
                        }
                    })
                upstream.materialize().map { Signal<Upstream.Output, Failure>?.some($0) }
                    .merge(with: boundary.map { _ in nil }).receive(subscriber: signals)
            }
        }
    }
}
