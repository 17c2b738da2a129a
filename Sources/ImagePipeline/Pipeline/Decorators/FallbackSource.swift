import Streams

extension Source {
    /// Loads from another source what this one fails to bring: from a bundle or a cache that is not asked for freshness when the network
    /// is away.
    ///
    ///     bytes.fallingBack(to: bundledPhotos)
    ///
    /// Events of the load that has failed stay delivered; the other one's response begins the body anew. If that fails too, its error
    /// is the load's. Demand: the other source gets what is left. Cancelling ends whichever is under way.
    ///
    /// - Parameters:
    ///   - other: The source that is loaded from instead.
    ///   - condition: Returns whether an error is one that the other source is for; by default those of a network or a server that may
    ///     be well again later.
    public func fallingBack(
        to other: some Source<Request, Event>,
        when condition: @escaping @Sendable (LoadError) -> Bool = { $0.isWorthRetrying }
    ) -> some Source<Request, Event> {
        AnySource<Request, Event> { [self] request in
            events(for: request).catch { error in
                condition(error) ? other.events(for: request) : Fail(error: error).eraseToAnyPublisher()
            }.eraseToAnyPublisher()
        }
    }

    /// Loads other requests, one after the other, when a load fails: the same picture at other URLs.
    ///
    ///     HTTPSource(transport).fallingBack(on: { request in
    ///         mirrors.map { mirror in ImageRequest("\(mirror)/\(request.identity ?? "")") }
    ///     })
    ///
    /// Below a cache the body is kept for the first request, whichever brought it. Events of a load that has failed stay delivered; the next
    /// one's response begins the body anew. If all fail, the error is that of the first, and those of the others are discarded.
    /// Demand: each attempt gets what is left. Cancelling ends the one that is under way.
    ///
    /// - Parameters:
    ///   - alternatives: Returns the requests to try, in their order.
    ///   - condition: Returns whether the next one is to be tried after an error; by default after any.
    public func fallingBack(
        on alternatives: @escaping @Sendable (Request) -> [Request],
        when condition: @escaping @Sendable (LoadError) -> Bool = { _ in true }
    ) -> some Source<Request, Event> {
        AnySource<Request, Event> { [self] request in
            @Sendable func attempt(_ request: Request, else rest: ArraySlice<Request>?, _ first: LoadError?)
                -> AnyPublisher<Event, LoadError>
            {
                events(for: request).catch { error -> AnyPublisher<Event, LoadError> in
                    let first = first ?? error
                    let rest = rest ?? alternatives(request)[...]
                    guard condition(error), let next = rest.first else {
                        return Fail(error: first).eraseToAnyPublisher()
                    }
                    return attempt(next, else: rest.dropFirst(), first)
                }.eraseToAnyPublisher()
            }
            return attempt(request, else: nil, nil)
        }
    }
}
