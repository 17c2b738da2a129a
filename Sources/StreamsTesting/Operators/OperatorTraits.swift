/// The traits of an operator that change what is checked.
public struct OperatorTraits: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The trait of an operator that may deliver other or fewer values under limited demand: what it delivers there is checked
    /// where the property has a queue, and else only the contract.
    public static var dependsOnDemand: OperatorTraits { OperatorTraits(rawValue: 1) }
    /// The trait of an operator whose output depends on upstreams that go on without it, so that only hot ones are
    /// used.
    public static var hotOnly: OperatorTraits { OperatorTraits(rawValue: 2) }
    /// The trait of an operator whose output depends on when it subscribes to its upstreams, so that only cold ones are
    /// used.
    public static var coldOnly: OperatorTraits { OperatorTraits(rawValue: 4) }
    /// The trait of an operator that is tested with simultaneous signals of its upstream.
    public static var bursty: OperatorTraits { OperatorTraits(rawValue: 8) }
    /// The trait of an operator whose other subscribers may keep an upstream after this one has left.
    public static var keepsUpstream: OperatorTraits { OperatorTraits(rawValue: 16) }
    /// The trait of an operator that delivers on its scheduler, when that gets to it, and not within its upstreams' signals.
    public static var deliversOnScheduler: OperatorTraits { OperatorTraits(rawValue: 128) }
    /// The trait of an operator whose timers do nothing that a subscriber or an upstream could notice, so that no case has
    /// to show them at work.
    public static var hasUnseenTimers: OperatorTraits { OperatorTraits(rawValue: 64) }
    /// The trait of an operator that requests values of its upstreams before its subscriber requests them: to keep them, to drop them, or to
    /// learn what to subscribe to.
    public static var asksAhead: OperatorTraits { OperatorTraits(rawValue: 256) }
    /// The trait of a publisher whose upstreams are subscribed to before its subscriber is there, so that none sends anything
    /// inside its subscription.
    public static var connectsEarly: OperatorTraits { OperatorTraits(rawValue: 512) }
}
