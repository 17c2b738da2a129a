import ImagePipeline
import Streams
import StreamsTesting
import Synchronization

/// A source whose loads do what the test says, by hand or on virtual time, and keep a record.
///
///     let source = ScriptedSource<ImageRequest, ImageEvent>(on: clock) { request in
///         [.after(.milliseconds(10), .degraded(preview, quality: 0.5)), .after(.milliseconds(20), .final(photo, .network))]
///     }
///
/// A load that is sent more than was requested keeps it until it is requested, or conflates it to the newest, as its strategy says.
public final class ScriptedSource<Request: Sendable, Event: Sendable>: Source {
    /// A step of a load.
    public struct Step: Sendable {
        /// The time since the load began.
        public let time: VirtualTime.Stride
        let action: @Sendable (Load) -> Void

        /// Returns a step that sends an event.
        ///
        /// - Parameters:
        ///   - time: The time since the load began.
        ///   - event: The event to send.
        public static func after(_ time: VirtualTime.Stride, _ event: Event) -> Step {
            Step(time: time) { $0.send(event) }
        }

        /// Returns a step that ends the load.
        ///
        /// - Parameters:
        ///   - time: The time since the load began.
        ///   - completion: The end: finished, or a failure.
        public static func after(_ time: VirtualTime.Stride, _ completion: Subscribers.Completion<LoadError>) -> Step {
            Step(time: time) { $0.end(completion) }
        }
    }

    /// A load that has begun.
    public final class Load: Sendable {
        /// The request.
        public let request: Request
        private let emitter: Emitter<Event, LoadError>
        private let ending = Mutex<(isCancelled: Bool, isOver: Bool)>((false, false))

        fileprivate init(request: Request, emitter: Emitter<Event, LoadError>) {
            self.request = request
            self.emitter = emitter
        }

        /// A Boolean value that indicates whether the subscriber has cancelled the load.
        public var isCancelled: Bool { ending.withLock { $0.isCancelled } }
        /// A Boolean value that indicates whether the load goes on: it was neither ended nor cancelled.
        public var isOpen: Bool { ending.withLock { !$0.isCancelled && !$0.isOver } }
        /// The demand that has not been met yet.
        public var requested: Subscribers.Demand { emitter.requested }

        /// Sends an event.
        ///
        /// - Parameter event: The event to send.
        public func send(_ event: Event) {
            emitter.onNext(event)
        }

        /// Ends the load.
        ///
        /// - Parameter completion: The end: finished, or a failure.
        public func end(_ completion: Subscribers.Completion<LoadError> = .finished) {
            ending.withLock { $0.isOver = true }
            emitter.send(completion: completion)
        }

        fileprivate func close() {
            ending.withLock { $0.isCancelled = !$0.isOver }
        }
    }

    private let strategy: BackpressureStrategy<LoadError>
    private let begin: @Sendable (Load) -> Void
    private let begun = Mutex<[Load]>([])

    /// Creates a source whose loads the test drives by hand: see ``loads``.
    ///
    /// - Parameters:
    ///   - strategy: The treatment of events that have not been requested.
    ///   - begin: A closure that is called with each load as it begins.
    public init(
        _ strategy: BackpressureStrategy<LoadError> = .unbounded, begin: @escaping @Sendable (Load) -> Void = { _ in }
    ) {
        self.strategy = strategy
        self.begin = begin
    }

    /// Creates a source whose loads follow a script on virtual time.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler whose clock drives the script.
    ///   - strategy: The treatment of events that have not been requested.
    ///   - script: Returns the steps of a load, its end included; it goes on until it is ended or cancelled.
    public init(
        on scheduler: VirtualTimeScheduler, _ strategy: BackpressureStrategy<LoadError> = .latest,
        script: @escaping @Sendable (Request) -> [Step]
    ) {
        self.strategy = strategy
        begin = { load in
            for step in script(load.request) {
                // A step at the beginning comes within the subscription, as a hit in memory does.
                if step.time == .nanoseconds(0) {
                    step.action(load)
                } else {
                    scheduler.schedule(after: scheduler.now.advanced(by: step.time)) { step.action(load) }
                }
            }
        }
    }

    /// The loads that have begun, in their order.
    public var loads: [Load] { begun.withLock { $0 } }

    public func events(for request: Request) -> AnyPublisher<Event, LoadError> {
        AnyPublisher.create(strategy) { [self] emitter in
            let load = Load(request: request, emitter: emitter)
            begun.withLock { $0.append(load) }
            begin(load)
            return Disposable { load.close() }
        }
    }
}

extension ScriptedSource.Load {
    /// Sends the final value, and finishes.
    ///
    /// - Parameters:
    ///   - value: The final value.
    ///   - provenance: The stage that it comes from.
    public func finish<Value>(with value: Value, from provenance: Provenance = .network)
    where Event == LoadEvent<Value> {
        send(.final(value, provenance))
        end()
    }
}
