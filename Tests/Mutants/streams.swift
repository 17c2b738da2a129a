/// What a fault in a subscriber makes of the demand that it returns.
@usableFromInline func mutantNone(_ fault: Int, _ value: Subscribers.Demand) -> Subscribers.Demand {
    mutantIs(fault) ? .none : value
}
