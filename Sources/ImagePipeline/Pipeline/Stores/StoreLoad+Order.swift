import Streams

extension StoreLoad {
    /// The load begins, for which a server may be asked.
    ///
    /// - Parameter resource: The key of what its entry is of; nil for one that is of nothing but itself.
    func begin(of resource: CacheKey? = nil) -> WriteOrder.Load {
        tier.order.begin(key, of: resource ?? key)
    }

    /// Does something with the store that no load waits for, and whose failure only counts against the store.
    ///
    /// - Parameter end: Called when it is done, or has taken too long.
    func aside(_ body: @escaping @Sendable () throws -> Void, end: @escaping @Sendable () -> Void = {}) {
        let link = SingleAssignmentDisposable()
        link.set(
            tier.load(of: key, priority: priority).work(body)
                .sink(
                    receiveCompletion: { _ in
                        link.cancel()
                        end()
                    }, receiveValue: {}))
    }

    /// Does something with the store so, in the order of the places, and nothing where there is a newer one.
    func aside(at place: WriteOrder.Place, _ body: @escaping @Sendable () throws -> Void) {
        place.write { turn in
            aside { try withExtendedLifetime(turn) { if place.isNewest { try body() } } }
        }
    }

    /// Removes the entry in the order of the places. Begins at once, whoever waits for it.
    ///
    /// - Parameter isOutdated: Returns, on a thread of the store, whether another process has brought something newer, which stays.
    /// - Returns: Finishes without a value when that is done, has failed, is left to a newer place, or takes longer than a load may wait for
    ///   its store: the write before it may hang.
    func remove<Event>(
        at place: WriteOrder.Place, unless isOutdated: @escaping @Sendable () throws -> Bool = { false }
    ) -> AnyPublisher<Event, LoadError> {
        Future<Void, StoreFault> { promise in
            let removal = Removal { promise(.success(())) }
            place.write { turn in
                aside(
                    {
                        try withExtendedLifetime(turn) {
                            if place.isNewest, try !isOutdated() { try store.removeBody(for: key) }
                        }
                    },
                    end: { removal.end() })
            }
        }
        .answering(within: allowance, tier.clock, or: .timedOut).replaceError(with: ())
        .setFailureType(to: LoadError.self).flatMap { _ in Empty<Event, LoadError>() }.eraseToAnyPublisher()
    }

    /// Removes the entry, which its server has no more, unless something newer has come.
    func remove<Event>(as brought: WriteOrder.Load) -> AnyPublisher<Event, LoadError> {
        brought.place().map { remove(at: $0) } ?? Empty().eraseToAnyPublisher()
    }

    /// The error, behind the removal of an entry whose server has no such resource any more, unless it has had one since.
    func forgetting<Event>(_ error: LoadError, as brought: WriteOrder.Load) -> AnyPublisher<Event, LoadError> {
        let failure = Fail<Event, LoadError>(error: error).eraseToAnyPublisher()
        return error.saysThatItIsGone ? remove(as: brought).append(failure).eraseToAnyPublisher() : failure
    }

    /// A removal that is waited for. It is over, too, when it is let go of: nothing has been left to it.
    private final class Removal: Sendable {
        let end: @Sendable () -> Void

        init(_ end: @escaping @Sendable () -> Void) {
            self.end = end
        }

        deinit { end() }
    }
}
