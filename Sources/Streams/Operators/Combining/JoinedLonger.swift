/// Three channels: two and one more.
@frozen @usableFromInline
struct JoinedTriple<Failure: Error, A: Sendable, B: Sendable, C: Sendable>: JoinedLonger {
    @usableFromInline typealias Row = (A, B, C)

    @usableFromInline let front: JoinedPair<Failure, A, B>
    @usableFromInline let last: SignalChannel<C, Failure>

    @inlinable @inline(__always)
    init(_ front: JoinedPair<Failure, A, B>, _ last: SignalChannel<C, Failure>) {
        self.front = front
        self.last = last
    }

    @inlinable @inline(__always)
    static func row(_ front: (A, B), _ last: C) -> (A, B, C) { (front.0, front.1, last) }
}

/// Four channels: three and one more.
@frozen @usableFromInline
struct JoinedQuadruple<Failure: Error, A: Sendable, B: Sendable, C: Sendable, D: Sendable>: JoinedLonger {
    @usableFromInline typealias Row = (A, B, C, D)

    @usableFromInline let front: JoinedTriple<Failure, A, B, C>
    @usableFromInline let last: SignalChannel<D, Failure>

    @inlinable @inline(__always)
    init(_ front: JoinedTriple<Failure, A, B, C>, _ last: SignalChannel<D, Failure>) {
        self.front = front
        self.last = last
    }

    @inlinable @inline(__always)
    static func row(_ front: (A, B, C), _ last: D) -> (A, B, C, D) { (front.0, front.1, front.2, last) }
}

/// A row and one channel more.
@usableFromInline
protocol JoinedLonger: JoinedRow where Failure == Front.Failure {
    associatedtype Front: JoinedRow
    associatedtype Last: Sendable

    var front: Front { get }
    var last: SignalChannel<Last, Failure> { get }

    static func row(_ front: Front.Row, _ last: Last) -> Row
}

extension JoinedLonger {
    @inlinable @inline(__always)
    var failure: Failure? { front.failure ?? last.failure }

    @inlinable @inline(__always)
    var areReady: Bool { front.areReady && last.hasValue }

    @inlinable @inline(__always)
    var isAnyFinished: Bool { front.isAnyFinished || last.isFinished }

    @inlinable @inline(__always)
    var areAllFinished: Bool { front.areAllFinished && last.isFinished }

    @inlinable @inline(__always)
    var isAnyMute: Bool { front.isAnyMute || last.isMute }

    @inlinable @inline(__always)
    func takeFirst() -> Row { Self.row(front.takeFirst(), last.takeKnown()) }

    @inlinable @inline(__always)
    var firstTurn: UInt? { Self.earlier(front.firstTurn, last.firstTurn) }

    @inlinable @inline(__always)
    func takeLatest(at turn: UInt) {
        if last.firstTurn == turn { _ = last.takeLatest() } else { front.takeLatest(at: turn) }
    }

    @inlinable @inline(__always)
    var areAllThere: Bool { front.areAllThere && last.latest != nil }

    @inlinable @inline(__always)
    func latest() throws(NoValue) -> Row { Self.row(try front.latest(), try last.kept()) }
}
