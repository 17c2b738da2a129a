/// A rule of the contract, after the Reactive Streams specification, whose numbers stand in brackets.
public enum ConformanceRule: String, Sendable, CaseIterable, CustomStringConvertible {
    /// The subscription comes first, and only once [1.9].
    case subscriptionComesFirst
    /// The publisher delivers no more values than were requested [1.1].
    case demandIsHonoured
    /// The publisher delivers nothing while nothing is requested, and a request for nothing does nothing.
    case nothingWithoutDemand
    /// Requests add up [3.8].
    case demandAddsUp
    /// The sum of requests stops at unlimited instead of overflowing [3.17].
    case demandSaturates
    /// A stream delivers at most one completion, and nothing after it, though the upstream may not have noticed its
    /// cancel yet [1.7].
    case oneCompletion
    /// A completion ends the subscription as a cancel does: requests and cancels after it reach nothing [1.6].
    case completionEndsAll
    /// A completion needs no demand, unless a value has to go before it [2.9].
    case completionNeedsNoDemand
    /// A failure needs no demand [2.10].
    case failureNeedsNoDemand
    /// A value that the upstream sends after the cancel is dropped [2.8].
    case lateValueIsDropped
    /// A second subscription that the upstream hands over is cancelled [2.5].
    case secondSubscriptionIsCancelled
    /// A request inside the subscription signal or a value signal is fine [3.2].
    case requestInsideSignals
    /// Requests one by one inside value signals don't grow the stack [3.3].
    case boundedRecursion
    /// A cancel reaches the upstream at once, and once, however often it is called [3.5].
    case cancelReachesUpstreamOnce
    /// A cancel inside a value stops everything: nothing follows, not even a completion.
    case cancelInsideValue
    /// A cancel inside the subscription signal keeps every upstream from being subscribed to, and nothing comes.
    case cancelInsideSubscription
    /// Requests after the cancel do nothing [3.6].
    case requestAfterCancel
    /// The subscriber is released after a cancel, and after a completion [3.13].
    case subscriberIsReleased
    /// The subscriptions of those who have cancelled are released though others stay: no more than half of them are held.
    case subscriptionIsReleased
    /// An operator that ends a stream before its upstream does cancels the upstream first.
    case earlyEndCancelsUpstream
    /// A source that delivers inside the request has made no more than a window of values beyond those delivered when
    /// the subscriber cancels: it is not run dry into a queue.
    case keepsPace
    /// A source that delivers inside the request makes no more than a window of values beyond those that were
    /// requested.
    case asksForNoMore
    /// Signals of several upstreams come one at a time, also when one sends while another's value is delivered [1.3].
    case signalsAreSerial

    public var description: String { rawValue }
}

/// The outcome of one rule's check.
public struct ConformanceResult: Sendable, CustomStringConvertible {
    /// The rule.
    public let rule: ConformanceRule
    /// A description of the breach; nil if the rule is kept.
    public let breach: String?

    /// A Boolean value that indicates whether the rule is broken.
    public var isBroken: Bool { breach != nil }

    public var description: String {
        breach.map { "\(rule): \($0)" } ?? "\(rule): kept"
    }
}

/// An error that lists the rules that a conformance check found broken.
public struct ConformanceFailure: Error, CustomStringConvertible {
    /// The name of the operator or publisher that was checked.
    public let name: String
    /// The broken rules.
    public let broken: [ConformanceResult]

    public var description: String {
        "\(name) breaks the contract:\n" + broken.map { "    \($0)" }.joined(separator: "\n")
    }
}
