/// Sends on to a subject what it receives.
@frozen @usableFromInline
struct SubjectRelay<SubjectType: Subject>: Subscriber {
    @usableFromInline let subject: SubjectType
    @usableFromInline let slot: UpstreamSlot

    @inlinable @inline(__always)
    init(subject: SubjectType, slot: UpstreamSlot) {
        self.subject = subject
        self.slot = slot
    }

    @inlinable @inline(__always)
    func receive(subscription: any Subscription) {
        if slot.receive(subscription) { subject.send(subscription: slot) }
    }

    @inlinable @inline(__always)
    func receive(_ input: SubjectType.Output) -> Subscribers.Demand {
        if !slot.isDone { subject.send(input) }
        return .none
    }

    @inlinable @inline(__always)
    func receive(completion: Subscribers.Completion<SubjectType.Failure>) {
        if slot.finish() { subject.send(completion: completion) }
    }
}
