import Streams

/// What a fault in a subscriber makes of the demand that it returns, or adds up.
@usableFromInline func mutantNone(_ fault: Int, _ value: Subscribers.Demand) -> Subscribers.Demand {
    mutantIs(fault) ? .none : value
}
@usableFromInline func mutantPlus(
    _ fault: Int, _ left: Subscribers.Demand, _ right: Subscribers.Demand
) -> Subscribers.Demand {
    mutantIs(fault) ? left : left + right
}
