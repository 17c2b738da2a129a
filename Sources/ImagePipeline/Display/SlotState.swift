import Streams

/// The state of a slot: a value, changed under the slot's lock, that says what is to be done outside it.
struct SlotState: Sendable {
    /// A load that begins, and what there was of the one before: it is the user's, and released outside the lock.
    struct Beginning: Sendable {
        let load: Int
        let request: ImageRequest?
        let superseded: (subscription: (any Subscription)?, request: ImageRequest?)
    }

    /// The state that the slot has come to and has not shown yet. A newer one takes the place of an older one.
    enum Pending: Sendable {
        case beginning
        case progress
        case event(ImageEvent)
        case failure(LoadError)
    }

    var pending: Pending?
    private(set) var request: ImageRequest?
    private(set) var hasFailed = false
    var isScheduled = false

    private var load = 0
    private var subscription: (any Subscription)?
    private var isOver = true
    private var isDraining = false
    /// Whether an event was taken for which no further one has been requested yet.
    private var owesRequest = false
    private var progress: LoadProgress?
    /// The image of a request that is shown, if it may stay.
    private var kept: Image?
    private var shown = ImageSlot.Content(.empty)
    /// Whether something has been shown since the load began.
    private var hasShown = false

    mutating func begin(_ request: ImageRequest?, keepingImage: Bool) -> Beginning {
        let superseded = (subscription.take(), self.request)
        load += 1
        self.request = request
        isOver = request == nil
        hasFailed = false
        owesRequest = false
        progress = nil
        hasShown = false
        if !keepingImage { kept = nil }
        pending = .beginning
        return Beginning(load: load, request: request, superseded: superseded)
    }

    mutating func keep(_ subscription: any Subscription, of load: Int) -> Bool {
        guard load == self.load, !isOver, self.subscription == nil else { return false }
        self.subscription = subscription
        return true
    }

    /// - Returns: Whether the event is to be shown; another one may be requested then, when it was.
    mutating func receive(_ event: ImageEvent, of load: Int, reportsProgress: Bool) -> Bool {
        guard load == self.load, !isOver else { return false }
        switch event {
        case .progress(let progress):
            self.progress = progress
            guard reportsProgress else { return false }
            if pending == nil { pending = .progress }
        case .degraded:
            pending = .event(event)
        case .final:
            pending = .event(event)
            isOver = true
        }
        owesRequest = true
        return true
    }

    /// - Returns: What is to be released outside the lock.
    mutating func receive(_ completion: Subscribers.Completion<LoadError>, of load: Int) -> (any Subscription)? {
        guard load == self.load else { return nil }
        if !isOver {
            isOver = true
            hasFailed = true
            pending =
                switch completion {
                case .failure(let error): .failure(error)
                case .finished: .failure(.unsupported("the source has finished without a final image"))
                }
        }
        return subscription.take()
    }

    /// - Returns: Whether the caller is to drain; nobody else does until there is nothing left.
    mutating func startDraining() -> Bool {
        guard !isDraining, pending != nil else { return false }
        isDraining = true
        return true
    }

    /// - Returns: Whether the caller is to schedule a drain.
    mutating func scheduleDraining() -> Bool {
        guard !isDraining, !isScheduled, pending != nil else { return false }
        isScheduled = true
        return true
    }

    /// The next thing to show, and what it takes the place of, which is released outside the lock; where there is nothing,
    /// draining is over.
    mutating func nextContent(_ look: SlotLook) -> (content: ImageSlot.Content, before: ImageSlot.Content)? {
        guard let pending = pending.take() else {
            isDraining = false
            return nil
        }
        let before = shown
        switch pending {
        case .beginning where request == nil: shown = .init(.empty)
        case .beginning: shown = .init(.placeholder, image: kept ?? look.placeholder)
        case .progress where hasShown: break
        case .progress: shown = .init(.placeholder, image: kept ?? look.placeholder)
        case .event(.degraded(let image, let quality)): show(image, .degraded(quality: quality))
        case .event(.final(let image, let provenance)): show(image, .final(provenance))
        case .event(.progress): break
        case .failure(let error): shown = .init(.failed(error), image: kept ?? look.failureImage)
        }
        shown.request = request
        shown.progress = progress
        shown.cameAtOnce = !hasShown
        hasShown = true
        return (shown, before)
    }

    private mutating func show(_ image: Image, _ state: ImageSlot.State) {
        shown = .init(state, image: image)
        kept = image
    }

    /// The subscription to request another event of, if one is owed.
    mutating func nextRequest() -> (any Subscription)? {
        guard owesRequest, !isOver, pending == nil else { return nil }
        owesRequest = false
        return subscription
    }
}
