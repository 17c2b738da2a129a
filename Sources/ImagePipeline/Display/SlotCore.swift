import Streams
import Synchronization

/// The images that a slot shows where it has none of the request.
struct SlotLook: Sendable {
    var placeholder: Image?
    var failureImage: Image?
    var reportsProgress: Bool
}

/// The machine of a slot. Loads and signals may come from any thread; they leave the newest thing to show in the state,
/// and whoever is in the context, or is scheduled there, takes it out and shows it.
///
/// Everything that belongs to a load carries its number: what belongs to an older one than the newest is dropped under the lock
/// that the newest was numbered under. User code runs outside it.
final class SlotCore: Sendable {
    private let source: AnySource<ImageRequest, ImageEvent>
    private let look: SlotLook
    private let context: SlotContext
    private let show: @Sendable (ImageSlot.Content) -> Void
    private let state = Mutex(SlotState())

    init(
        source: AnySource<ImageRequest, ImageEvent>, look: SlotLook, context: SlotContext,
        show: @escaping @Sendable (ImageSlot.Content) -> Void
    ) {
        self.source = source
        self.look = look
        self.context = context
        self.show = show
    }

    /// - Parameter request: nil for none.
    func load(_ request: ImageRequest?, keepingImage: Bool, isolation: (any Actor)?) {
        begin(isolation) { $0.begin(request, keepingImage: keepingImage) }
    }

    func retry(isolation: (any Actor)?) {
        begin(isolation) { state in
            guard state.hasFailed, let request = state.request else { return nil }
            return state.begin(request, keepingImage: true)
        }
    }

    /// Cancels what there is. Nothing is shown any more.
    func end() {
        let old = state.withLock { state in
            defer { state.pending = nil }
            return state.begin(nil, keepingImage: false)
        }
        old.superseded.subscription?.cancel()
    }

    private func begin(_ isolation: (any Actor)?, _ body: (inout SlotState) -> SlotState.Beginning?) {
        let isInContext = isolation.map(context.isActor) ?? false
        // Whoever drains already takes this up as well: a load inside `show`, or beside it.
        let (beginning, drains) = state.withLock { state -> (SlotState.Beginning?, Bool) in
            let beginning = body(&state)
            return (beginning, beginning != nil && isInContext && state.startDraining())
        }
        guard let beginning else { return }
        beginning.superseded.subscription?.cancel()
        if let request = beginning.request {
            source.events(for: request).subscribe(SlotSubscriber(core: self, load: beginning.load))
        }
        if drains { drain() } else { scheduleDrain() }
    }

    // Signals of a load's subscriber.

    fileprivate func receive(_ subscription: any Subscription, of load: Int) {
        let isWelcome = state.withLock { $0.keep(subscription, of: load) }
        if isWelcome { subscription.request(.max(1)) } else { subscription.cancel() }
    }

    fileprivate func receive(_ event: ImageEvent, of load: Int) -> Subscribers.Demand {
        let isToShow = state.withLock { $0.receive(event, of: load, reportsProgress: look.reportsProgress) }
        guard isToShow else { return .max(1) }
        scheduleDrain()
        return .none
    }

    fileprivate func receive(_ completion: Subscribers.Completion<LoadError>, of load: Int) {
        let released = state.withLock { $0.receive(completion, of: load) }
        withExtendedLifetime(released) {}
        scheduleDrain()
    }

    // Work that runs in the context.

    private func scheduleDrain() {
        guard state.withLock({ $0.scheduleDraining() }) else { return }
        context.schedule { [self] in
            let drains = state.withLock { state in
                state.isScheduled = false
                return state.startDraining()
            }
            if drains { drain() }
        }
    }

    /// Shows what there is until there is nothing; the caller has started it.
    private func drain() {
        while let (content, before) = state.withLock({ $0.nextContent(look) }) {
            show(content)
            withExtendedLifetime(before) {}
            state.withLock { $0.nextRequest() }?.request(.max(1))
        }
    }
}

private struct SlotSubscriber: Subscriber {
    let core: SlotCore
    let load: Int

    func receive(subscription: any Subscription) {
        core.receive(subscription, of: load)
    }

    func receive(_ input: ImageEvent) -> Subscribers.Demand {
        core.receive(input, of: load)
    }

    func receive(completion: Subscribers.Completion<LoadError>) {
        core.receive(completion, of: load)
    }
}
