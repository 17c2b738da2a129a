import Streams

/// A value that turns a request into a publisher of events: the part that pipelines are built from.
///
/// A *decorator* is a source that wraps another one: a cache, a decoder, a coalescer. Subscribing to what `events`
/// returns starts the work; cancelling stops it.
public protocol Source<Request, Event>: Sendable {
    /// The type of the requests.
    associatedtype Request: Sendable
    /// The type of the events.
    associatedtype Event: Sendable

    /// Returns a publisher of the events of one load. Does nothing until it is subscribed to.
    ///
    /// - Parameter request: The request.
    func events(for request: Request) -> AnyPublisher<Event, LoadError>
}

/// A source that hides another's type, or is made of a closure.
public struct AnySource<Request: Sendable, Event: Sendable>: Source {
    private let make: @Sendable (Request) -> AnyPublisher<Event, LoadError>

    /// Creates a source from a closure.
    ///
    /// - Parameter make: Makes the publisher for a request; starts nothing.
    public init(_ make: @escaping @Sendable (Request) -> AnyPublisher<Event, LoadError>) {
        self.make = make
    }

    /// Hides the type of a source.
    ///
    /// - Parameter source: The source whose type to hide.
    public init(_ source: some Source<Request, Event>) {
        make = { source.events(for: $0) }
    }

    public func events(for request: Request) -> AnyPublisher<Event, LoadError> {
        make(request)
    }
}
