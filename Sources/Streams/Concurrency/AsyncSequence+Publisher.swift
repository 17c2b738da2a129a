extension AsyncSequence where Self: Sendable, Element: Sendable {
    /// Delivers the sequence's elements, each subscriber an iteration of its own.
    ///
    ///     for await …     1---2---3|
    ///     publisher       1---2---3|
    ///
    /// Demand: the next element is awaited when it has been requested. Failure: what the sequence throws. Cancellation
    /// cancels the task that iterates. Thread: that of the task.
    public var publisher: Publishers.Asynchronous<Self> {
        Publishers.Asynchronous(self)
    }
}

extension Publishers {
    /// Delivers an asynchronous sequence's elements.
    public struct Asynchronous<Elements: AsyncSequence & Sendable>: Publisher where Elements.Element: Sendable {
        public typealias Output = Elements.Element
        public typealias Failure = Elements.Failure

        /// The asynchronous sequence whose elements are delivered.
        public let sequence: Elements

        /// Creates a publisher that delivers an asynchronous sequence's elements.
        ///
        /// - Parameter sequence: The sequence, which each subscriber iterates anew.
        public init(_ sequence: Elements) {
            self.sequence = sequence
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            attach(AnySubscriber(subscriber))
        }

        @usableFromInline
        func attach(_ subscriber: AnySubscriber<Output, Failure>) {
            EmitterCore(subscriber, strategy: .unbounded).start { [sequence] emitter in
                let demand = AwaitedDemand()
                emitter.onRequest { demand.add($0) }
                let task = Task {
                    var iterator = sequence.makeAsyncIterator()
                    do throws(Failure) {
                        while await demand.takeOne() {
                            guard let element = try await iterator.next(isolation: nil) else { break }
                            emitter.send(element)
                        }
                        emitter.send(completion: .finished)
                    } catch {
                        emitter.send(completion: .failure(error))
                    }
                }
                return Disposable {
                    task.cancel()
                    demand.end()
                }
            }
        }
    }
}
