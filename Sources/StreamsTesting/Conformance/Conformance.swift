import Streams

/// Checks operators and publishers of any library against the rules of the contract, one named result a rule.
///
///     try Conformance.operator("myOperator") { $0.myOperator() }.verify()
///
/// Nothing is asked of the values that come out, so any operator can be checked.
public struct Conformance<Output: Sendable>: Sendable {
    /// The name of the operator or publisher that is checked.
    public let name: String
    /// The number of its upstreams; 0 for a publisher that has none.
    public let inputs: Int
    /// The rules that do not apply.
    public let exceptions: Set<ConformanceRule>

    /// The closure that makes the operator's publisher of its upstreams.
    public let make: @Sendable ([AnyPublisher<Int, TestFailure>]) -> AnyPublisher<Output, any Error>

    /// Creates the checks of an operator.
    ///
    /// - Parameters:
    ///   - name: The name, for reports.
    ///   - inputs: The number of upstreams.
    ///   - exceptions: The rules that are not checked: say why where you name them.
    ///   - make: Makes the operator of its upstreams.
    public init<P: Publisher>(
        _ name: String, inputs: Int, except exceptions: Set<ConformanceRule> = [],
        make: @escaping @Sendable ([AnyPublisher<Int, TestFailure>]) -> P
    ) where P.Output == Output {
        self.name = name
        self.inputs = inputs
        self.exceptions = exceptions
        self.make = { make($0).mapError { $0 as any Error }.eraseToAnyPublisher() }
    }

    /// Returns the checks of an operator with one upstream.
    ///
    /// - Parameters:
    ///   - name: The name, for reports.
    ///   - exceptions: The rules that are not checked: say why where you name them.
    ///   - make: A closure that makes the operator's publisher of its upstreams.
    public static func `operator`<P: Publisher>(
        _ name: String, except exceptions: Set<ConformanceRule> = [],
        make: @escaping @Sendable (AnyPublisher<Int, TestFailure>) -> P
    ) -> Conformance where P.Output == Output {
        Conformance(name, inputs: 1, except: exceptions) { make($0[0]) }
    }

    /// Returns the checks of a publisher without an upstream. It should deliver some values and finish.
    ///
    /// - Parameters:
    ///   - name: The name, for reports.
    ///   - exceptions: The rules that are not checked: say why where you name them.
    ///   - make: A closure that makes the publisher.
    public static func publisher<P: Publisher>(
        _ name: String, except exceptions: Set<ConformanceRule> = [], make: @escaping @Sendable () -> P
    ) -> Conformance where P.Output == Output {
        Conformance(name, inputs: 0, except: exceptions) { _ in make() }
    }

    /// The rules that apply; those about upstreams don't where there are none.
    public var rules: [ConformanceRule] {
        ConformanceRule.allCases.filter { rule in
            if exceptions.contains(rule) { return false }
            switch rule {
            case .completionNeedsNoDemand, .failureNeedsNoDemand, .lateValueIsDropped, .secondSubscriptionIsCancelled,
                .cancelReachesUpstreamOnce, .earlyEndCancelsUpstream, .oneCompletion,
                .completionEndsAll, .keepsPace, .asksForNoMore:
                return inputs > 0
            case .signalsAreSerial: return inputs > 1
            default: return true
            }
        }
    }

    /// Checks each rule, and with several upstreams for each of them, and returns the results.
    public func results() -> [ConformanceResult] {
        rules.map { rule in
            for input in 0..<max(inputs, 1) {
                if let breach = check(rule, input) {
                    return ConformanceResult(
                        rule: rule, breach: inputs > 1 ? "\(breach) (input \(input + 1))" : breach)
                }
            }
            return ConformanceResult(rule: rule, breach: nil)
        }
    }

    /// Checks every rule.
    ///
    /// - Throws: `ConformanceFailure` where a rule is broken.
    public func verify() throws {
        let broken = results().filter(\.isBroken)
        if !broken.isEmpty { throw ConformanceFailure(name: name, broken: broken) }
    }

    func check(_ rule: ConformanceRule, _ input: Int) -> String? {
        switch rule {
        case .subscriptionComesFirst: subscriptionComesFirst(input)
        case .demandIsHonoured: demandIsHonoured(input)
        case .nothingWithoutDemand: nothingWithoutDemand(input)
        case .demandAddsUp: demandAddsUp(input)
        case .demandSaturates: demandSaturates(input)
        case .oneCompletion: oneCompletion(input)
        case .completionEndsAll: completionEndsAll(input)
        case .completionNeedsNoDemand: completionNeedsNoDemand(input)
        case .failureNeedsNoDemand: failureNeedsNoDemand(input)
        case .lateValueIsDropped: lateValueIsDropped(input)
        case .secondSubscriptionIsCancelled: secondSubscriptionIsCancelled(input)
        case .requestInsideSignals: requestInsideSignals(input)
        case .boundedRecursion: boundedRecursion(input)
        case .cancelReachesUpstreamOnce: cancelReachesUpstreamOnce(input)
        case .cancelInsideValue: cancelInsideValue(input)
        case .requestAfterCancel: requestAfterCancel(input)
        case .subscriberIsReleased: subscriberIsReleased(input)
        case .subscriptionIsReleased: subscriptionIsReleased()
        case .earlyEndCancelsUpstream: earlyEndCancelsUpstream(input)
        case .cancelInsideSubscription: cancelInsideSubscription()
        case .keepsPace: keepsPace(input)
        case .asksForNoMore: asksForNoMore(input)
        case .signalsAreSerial: signalsAreSerial()
        }
    }
}
