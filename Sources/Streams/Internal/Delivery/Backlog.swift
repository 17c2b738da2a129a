/// The values sent and not yet delivered: the state machine behind `create`, `buffer` and `ReplaySubject`, which says
/// what becomes of each value. All of it is decided under one lock; demand is the gate's, for the sake of values that
/// find nobody before them and never come here.
///
/// The outcome is that of deliveries that take no time: it depends on the order of sends, requests and the end alone,
/// and not on who was delivering meanwhile.
///
/// State: `demand`, what is requested and not yet taken; `ready`, values that have taken their demand; `kept`, values
/// that have found none; `end`.
///
/// - **Request**, from another thread, from inside a delivery, or returned by one: adds to `demand`. Values in `kept` move
///   to `ready` for it, the oldest first, each taking one.
/// - **Send**: dropped where there is an `end`. Takes one off `demand` and goes to `ready`, or to the subscriber at once
///   where nobody is delivering. Where there is no demand it goes to `kept` if that holds fewer than the limit; otherwise
///   the strategy drops it, or the oldest in `kept`, or ends the stream.
/// - **End**: the first counts. It is delivered when `ready` and `kept` are empty. One that does not wait for `kept`
///   discards that; what is `ready` comes before any end.
/// - **Delivery**, by the owner of the gate: `ready` in order, then the end. A value in flight is in none of the four.
///
/// Two invariants make it work: whoever holds the lock finds `kept` empty or `demand` zero, after `settle`; and the owner
/// leaves the gate only when `ready` is empty and the one or the other holds, while nobody has marked it. So an idle gate
/// with demand has nothing queued, and a value that enters it overtakes none. What a request added just now may be still
/// to settle, and a value that was queued may be still unmarked, but then that call has not returned either.
@usableFromInline
struct Backlog<Output: Sendable, Failure: Error>: Sendable {
    @usableFromInline
    enum End: Sendable {
        case completion(Subscribers.Completion<Failure>)
        /// The strategy's failure. Its closure is the user's, and not to be called under a lock.
        case overflow
    }

    /// The next step of the gate's owner.
    @usableFromInline
    enum Step: Sendable {
        /// Deliver the batch.
        case values
        case end(End)
        case idle
    }

    @usableFromInline var ready = Deque<Output>()
    @usableFromInline var kept = Deque<Output>()
    /// The values that an end has discarded: to be released, but not under the lock.
    @usableFromInline var discarded = Deque<Output>()
    @usableFromInline var end: End?
    /// Whether what is sent is taken: there has been no end, nor a cancel.
    @usableFromInline var isOpen = true

    @inlinable
    init() {}

    /// Lets values that were kept have the demand that has come since.
    @inlinable
    mutating func settle(_ gate: borrowing DemandGate) {
        guard !kept.isEmpty else { return }
        let count = gate.take(upTo: kept.count)
        if count == kept.count, ready.isEmpty { return swap(&ready, &kept) }
        for _ in 0..<count {
            if let value = kept.popFirst() { ready.append(value) }
        }
    }

    /// Takes a value.
    ///
    /// - Returns: Whether there is something new for the owner of the gate, and a value to let go of outside the lock.
    @inlinable
    mutating func offer(
        _ value: Output, _ gate: borrowing DemandGate, _ strategy: borrowing BackpressureStrategy<Failure>
    ) -> (isNews: Bool, dropped: Output?) {
        guard isOpen else { return (false, nil) }
        settle(gate)
        if kept.isEmpty, gate.take(upTo: 1) == 1 {
            ready.append(value)
            return (true, nil)
        }
        if kept.count < strategy.limit {
            kept.append(value)
            return (true, nil)
        }
        switch strategy.overflow {
        case .dropNewest: return (false, nil)
        case .dropOldest:
            kept.append(value)
            return (true, kept.popFirst())
        case .fail:
            finish(.overflow, discardingKept: true, gate)
            return (true, nil)
        }
    }

    /// Takes the end, if it is the first.
    @inlinable
    mutating func finish(_ end: End, discardingKept discardsKept: Bool, _ gate: borrowing DemandGate) {
        guard isOpen else { return }
        settle(gate)
        isOpen = false
        self.end = end
        if discardsKept { swap(&kept, &discarded) }
    }

    /// What is requested beyond what was sent.
    @inlinable
    mutating func demand(_ gate: borrowing DemandGate) -> Int {
        settle(gate)
        return isOpen ? gate.demand : 0
    }

    /// Gives away all that is queued, to be released outside the lock, and takes nothing any more.
    @inlinable
    mutating func close() -> Backlog {
        defer {
            self = Backlog()
            isOpen = false
        }
        return self
    }

    /// As the owner of the gate: takes what is to be delivered.
    ///
    /// - Parameter batch: Empty, and filled where there are values.
    @inlinable
    mutating func next(into batch: inout Deque<Output>, _ gate: borrowing DemandGate) -> Step {
        settle(gate)
        if !ready.isEmpty {
            swap(&ready, &batch)
            return .values
        }
        if kept.isEmpty, let end { return .end(end) }
        return .idle
    }
}
