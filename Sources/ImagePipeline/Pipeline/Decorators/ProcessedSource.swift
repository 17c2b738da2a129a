import Streams

extension Source where Request == ImageRequest, Event == ImageEvent {
    /// Applies each request's processors, in their order, to its images, degraded ones included; a request without
    /// processors passes straight through.
    ///
    /// A cancel is noticed before each step, and by those that take long between rows.
    ///
    /// - Parameter scheduler: The scheduler that runs processors; one load's images are processed one after the other.
    public func processed<Context: Scheduler>(on scheduler: Context) -> some Source<ImageRequest, ImageEvent> {
        processed(in: WorkQueue(on: scheduler))
    }

    /// Applies each request's processors, in their order, to its images, degraded ones included, by the priority of their loads; a request
    /// without processors passes straight through.
    ///
    /// - Parameter queue: The queue that the work of processing waits in.
    public func processed<Context: Scheduler>(in queue: WorkQueue<Context>) -> some Source<ImageRequest, ImageEvent> {
        ProcessedSource(upstream: self, queue: queue)
    }
}

private struct ProcessedSource<Upstream: Source<ImageRequest, ImageEvent>, Context: Scheduler>: Source {
    let upstream: Upstream
    let queue: WorkQueue<Context>

    func events(for request: ImageRequest) -> AnyPublisher<ImageEvent, LoadError> {
        let events = upstream.events(for: request)
        guard !request.rendition.processors.isEmpty else { return events }
        let steps = Processors.Composition(request.rendition.processors)
        return Deferred { [queue] in
            let interest = SingleAssignmentDisposable()
            return events.receive(on: queue.turn(request.priority))
                .flatMap(maxPublishers: .max(1)) { event in
                    Self.process(event, steps, isCancelled: { interest.isCancelled }).publisher
                }
                .handleEvents(receiveCancel: { interest.cancel() })
        }
        .eraseToAnyPublisher()
    }

    private static func process(
        _ event: ImageEvent, _ steps: Processors.Composition, isCancelled: () -> Bool
    ) -> Result<ImageEvent, LoadError> {
        do throws(ProcessingError) {
            switch event {
            case .progress: return .success(event)
            case .degraded(let image, let quality):
                return .success(.degraded(try steps.process(image, isCancelled: isCancelled), quality: quality))
            case .final(let image, let provenance):
                return .success(.final(try steps.process(image, isCancelled: isCancelled), provenance))
            }
        } catch {
            return .failure(.processing(error))
        }
    }
}
