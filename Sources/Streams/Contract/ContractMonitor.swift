/// A breach of the contract by a publisher.
public enum ContractViolation: String, Sendable, Hashable, CustomStringConvertible {
    /// A value or a completion came before the subscription.
    case signalBeforeSubscription
    /// A second subscription came.
    case secondSubscription
    /// A value came that was not requested.
    case valueBeyondDemand
    /// A signal came before the one before it had returned, on another thread or on the same.
    case overlappingSignals
    /// A signal came after the completion.
    case signalAfterCompletion
    /// A value or a completion came after `cancel()` had been called inside a signal.
    case signalAfterSerialCancel

    public var description: String { rawValue }
}

/// A record of the signals that a subscriber has received, and of those that broke the contract.
///
/// A value to keep behind a lock: tell it of each signal when it begins and when it has been dealt with, and of each
/// request before it is passed on. Each call takes constant time.
public struct ContractMonitor: Sendable {
    /// The publisher's breaches of the contract so far.
    public private(set) var violations: [ContractViolation] = []
    /// The demand that has not been met yet.
    public private(set) var open = Subscribers.Demand.none
    /// A Boolean value that indicates whether a subscription has arrived.
    public private(set) var hasSubscription = false

    private var hasEnded = false
    private var isInSignal = false
    private var isSeriallyCancelled = false

    /// Creates a record for a subscriber that has received nothing yet.
    public init() {}

    /// Records the arrival of a subscription.
    public mutating func receiveSubscription() {
        if hasSubscription { violations.append(.secondSubscription) }
        hasSubscription = true
    }

    /// Records a request.
    ///
    /// - Parameter demand: The number of values that are requested.
    public mutating func request(_ demand: Subscribers.Demand) {
        open += demand
    }

    /// Records that the subscriber cancels inside a signal: nothing may come any more.
    public mutating func cancelInSignal() {
        isSeriallyCancelled = true
    }

    /// Records the arrival of a value.
    public mutating func beginValue() {
        begin()
        if open > .none { open -= 1 } else { violations.append(.valueBeyondDemand) }
    }

    /// Records the arrival of a completion.
    public mutating func beginCompletion() {
        begin()
        hasEnded = true
    }

    /// Records that the subscriber has returned from a signal.
    ///
    /// - Parameter demand: The demand that the subscriber has returned.
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
