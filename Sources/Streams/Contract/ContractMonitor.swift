/// A breach of the contract by a publisher.
public enum ContractViolation: String, Sendable, Hashable, CustomStringConvertible {
    /// A value or a completion came before the subscription.
    case signalBeforeSubscription
    /// A second subscription came.
    case secondSubscription
    /// More values came than were requested.
    case valueBeyondDemand
    /// A signal came before the one before it had returned, on another thread or on the same.
    case overlappingSignals
    /// A signal came after the completion.
    case signalAfterCompletion
    /// A value or a completion came after `cancel()` had been called inside a signal: there was no race to lose.
    case signalAfterSerialCancel

    public var description: String { rawValue }
}

/// What a subscriber has seen of its publisher, and what of it was against the contract.
///
/// A value to keep behind a lock: tell it of each signal when it begins and when it has been dealt with, and of each
/// request before it is passed on. Each call takes constant time.
public struct ContractMonitor: Sendable {
    /// What the publisher did wrong so far.
    public private(set) var violations: [ContractViolation] = []
    /// What was requested and has not come yet.
    public private(set) var open = Subscribers.Demand.none
    /// Whether a subscription has come.
    public private(set) var hasSubscription = false

    private var hasEnded = false
    private var isInSignal = false
    private var isSeriallyCancelled = false

    public init() {}

    /// A subscription comes.
    public mutating func receiveSubscription() {
        if hasSubscription { violations.append(.secondSubscription) }
        hasSubscription = true
    }

    /// More is requested.
    public mutating func request(_ demand: Subscribers.Demand) {
        open += demand
    }

    /// The subscriber cancels inside a signal: nothing may come any more.
    public mutating func cancelInSignal() {
        isSeriallyCancelled = true
    }

    /// A value comes.
    public mutating func beginValue() {
        begin()
        if open > .none { open -= 1 } else { violations.append(.valueBeyondDemand) }
    }

    /// A completion comes.
    public mutating func beginCompletion() {
        begin()
        hasEnded = true
    }

    /// The signal has been dealt with.
    ///
    /// - Parameter demand: What was requested in return for it.
    public mutating func endSignal(adding demand: Subscribers.Demand = .none) {
        isInSignal = false
        open += demand
    }

    private mutating func begin() {
        if !hasSubscription { violations.append(.signalBeforeSubscription) }
        if hasEnded { violations.append(.signalAfterCompletion) }
        if isSeriallyCancelled { violations.append(.signalAfterSerialCancel) }
        if isInSignal { violations.append(.overlappingSignals) }
        isInSignal = true
    }
}
