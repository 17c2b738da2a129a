/// What doesn't hold for every operator.
public struct OperatorTraits: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Under limited demand it may leave out values or deliver others, so that only the contract is checked.
    public static var dependsOnDemand: OperatorTraits { OperatorTraits(rawValue: 1) }
    /// What it does depends on the upstreams' going on without it: only hot ones.
    public static var hotOnly: OperatorTraits { OperatorTraits(rawValue: 2) }
    /// What it does depends on when it subscribes to its upstreams: only cold ones.
    public static var coldOnly: OperatorTraits { OperatorTraits(rawValue: 4) }
    /// Signals of the upstream may come at the same moment.
    public static var bursty: OperatorTraits { OperatorTraits(rawValue: 8) }
    /// Other subscribers may keep an upstream after this one has left.
    public static var keepsUpstream: OperatorTraits { OperatorTraits(rawValue: 16) }
    /// Under limited demand too it ends where it does with everything requested: it never waits for ever for a value that
    /// it has left out.
    public static var endsUnderDemand: OperatorTraits { OperatorTraits(rawValue: 32) }
}
