import Streams
import Synchronization

/// The number of loads that somebody waits for at this moment: what a ``Prefetcher`` gives way to.
///
///     let images = bytes.decoded(on: workers).coalesced().counted(in: activity).cached(in: memory)
public final class LoadActivity: Sendable {
    private let count = Mutex(0)
    private let idle = PassthroughSubject<Void, Never>()

    /// Creates an activity without loads.
    public init() {}

    /// The number of loads that are under way.
    public var loads: Int { count.withLock { $0 } }

    /// A publisher that delivers whenever the last load under way has ended.
    public var idles: AnyPublisher<Void, Never> { idle.eraseToAnyPublisher() }

    /// Counts a load until the result is cancelled.
    ///
    /// - Returns: What ends the load, exactly once however often it is cancelled.
    public func begin() -> any Cancellable {
        count.withLock { $0 += 1 }
        return Disposable { [self] in
            let isLast = count.withLock { count in
                count -= 1
                return count == 0
            }
            if isLast { idle.send(()) }
        }
    }
}

extension Source where Request == ImageRequest {
    /// Counts the loads under way that somebody waits for: all but those that begin at low priority.
    ///
    /// - Parameter activity: The place to count them in.
    public func counted(in activity: LoadActivity) -> some Source<ImageRequest, Event> {
        AnySource<ImageRequest, Event> { [self] request in
            guard request.priority.level > .low else { return events(for: request) }
            return Deferred {
                let load = activity.begin()
                return events(for: request).handleEvents(
                    receiveCompletion: { _ in load.cancel() }, receiveCancel: { load.cancel() })
            }
            .eraseToAnyPublisher()
        }
    }
}
