extension Publishers {
    /// Makes a resource for each subscriber, and releases it at the end: on completion, failure or cancel, exactly
    /// once.
    ///
    ///     Using { open() } publisher: { read($0) } dispose: { $0.close() }
    ///
    /// Demand, failure and thread are those of the publisher made of the resource. It is disposed of behind the
    /// completion, or with the cancel.
    @frozen
    public struct Using<Resource: Sendable, Content: Publisher>: Publisher {
        public typealias Output = Content.Output
        public typealias Failure = Content.Failure

        @usableFromInline let resource: @Sendable () -> Resource
        @usableFromInline let content: @Sendable (Resource) -> Content
        @usableFromInline let dispose: @Sendable (Resource) -> Void

        /// Creates a publisher that makes a resource for each subscriber.
        ///
        /// - Parameters:
        ///   - resource: Makes the resource, on the thread that subscribes.
        ///   - publisher: Makes the publisher of it.
        ///   - dispose: Lets go of the resource.
        @preconcurrency
        @inlinable
        public init(
            _ resource: @escaping @Sendable () -> Resource,
            publisher: @escaping @Sendable (Resource) -> Content,
            dispose: @escaping @Sendable (Resource) -> Void
        ) {
            self.resource = resource
            content = publisher
            self.dispose = dispose
        }

        @inlinable @inline(__always)
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            attach(AnySubscriber(subscriber))
        }

        @inlinable @inline(never)
        func attach(_ subscriber: AnySubscriber<Output, Failure>) {
            let made = resource()
            let disposal = Disposable { [dispose] in dispose(made) }
            content(made).handleEvents(receiveCancel: { disposal.cancel() })
                .receive(subscriber: DisposingSubscriber(downstream: subscriber, disposal: disposal))
        }
    }
}
