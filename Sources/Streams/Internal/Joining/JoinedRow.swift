/// The channels of several upstreams that are joined, seen by the one who drains them.
@usableFromInline
protocol JoinedRow<Row> {
    /// A value of each.
    associatedtype Row: Sendable
    associatedtype Failure: Error

    /// The failure of one that has failed.
    var failure: Failure? { get }
    /// Whether each has a value waiting.
    var areReady: Bool { get }
    /// Whether one has finished and has no value left.
    var isAnyFinished: Bool { get }
    /// Whether all have finished and have no value left.
    var areAllFinished: Bool { get }
    /// Whether one has finished without ever having had a value.
    var isAnyMute: Bool { get }
    /// The first value of each, taken out; `areReady` has found them there.
    func takeFirst() -> Row
    /// The turn of the value that has come first; nil when there is none.
    var firstTurn: UInt? { get }
    /// Takes the value of that turn and keeps it as the latest of its channel.
    func takeLatest(at turn: UInt)
    /// Whether each has a latest value.
    var areAllThere: Bool { get }
    /// The latest value of each.
    func latest() throws(NoValue) -> Row
}

extension JoinedRow {
    /// Takes the value that has come first and keeps it as the latest of its channel.
    ///
    /// - Returns: Whether there was one.
    @inlinable @inline(__always)
    func takeAny() -> Bool {
        guard var turn = firstTurn else { return false }
        // A value that came before it may have been looked for before it was there.
        while turn != 0, let earlier = firstTurn, earlier < turn { turn = earlier }
        takeLatest(at: turn)
        return true
    }

    @inlinable @inline(__always)
    static func earlier(_ a: UInt?, _ b: UInt?) -> UInt? {
        guard let a, let b else { return a ?? b }
        return Swift.min(a, b)
    }
}

/// Two channels. Written out, because a pack of two is handled at run time and costs ten times as much.
@frozen @usableFromInline
struct JoinedPair<Failure: Error, A: Sendable, B: Sendable>: JoinedRow {
    @usableFromInline let a: SignalChannel<A, Failure>
    @usableFromInline let b: SignalChannel<B, Failure>

    @inlinable @inline(__always)
    init(_ a: SignalChannel<A, Failure>, _ b: SignalChannel<B, Failure>) {
        self.a = a
        self.b = b
    }

    @inlinable @inline(__always)
    var failure: Failure? { a.failure ?? b.failure }

    @inlinable @inline(__always)
    var areReady: Bool { a.hasValue && b.hasValue }

    @inlinable @inline(__always)
    var isAnyFinished: Bool { a.isFinished || b.isFinished }

    @inlinable @inline(__always)
    var areAllFinished: Bool { a.isFinished && b.isFinished }

    @inlinable @inline(__always)
    var isAnyMute: Bool { a.isMute || b.isMute }

    @inlinable @inline(__always)
    func takeFirst() -> (A, B) { (a.takeKnown(), b.takeKnown()) }

    @inlinable @inline(__always)
    var firstTurn: UInt? { Self.earlier(a.firstTurn, b.firstTurn) }

    @inlinable @inline(__always)
    func takeLatest(at turn: UInt) { _ = a.firstTurn == turn ? a.takeLatest() : b.takeLatest() }

    @inlinable @inline(__always)
    var areAllThere: Bool { a.latest != nil && b.latest != nil }

    @inlinable @inline(__always)
    func latest() throws(NoValue) -> (A, B) {
        (try a.kept(), try b.kept())
    }
}

/// Channels of different types, any number.
@usableFromInline
struct JoinedPack<Failure: Error, each Value: Sendable>: JoinedRow {
    @usableFromInline typealias Row = (repeat each Value)

    @usableFromInline let channels: (repeat SignalChannel<each Value, Failure>)

    @inlinable @inline(__always)
    init(_ channel: repeat SignalChannel<each Value, Failure>) {
        channels = (repeat each channel)
    }

    @inlinable @inline(__always)
    var failure: Failure? {
        for channel in repeat each channels {
            if let failure = channel.failure { return failure }
        }
        return nil
    }

    @inlinable @inline(__always)
    var areReady: Bool {
        for channel in repeat each channels {
            if !channel.hasValue { return false }
        }
        return true
    }

    @inlinable @inline(__always)
    var isAnyFinished: Bool {
        for channel in repeat each channels {
            if channel.isFinished { return true }
        }
        return false
    }

    @inlinable @inline(__always)
    var areAllFinished: Bool {
        for channel in repeat each channels {
            if !channel.isFinished { return false }
        }
        return true
    }

    @inlinable @inline(__always)
    var isAnyMute: Bool {
        for channel in repeat each channels {
            if channel.isMute { return true }
        }
        return false
    }

    @inlinable @inline(__always)
    func takeFirst() -> Row {
        (repeat (each channels).takeKnown())
    }

    @inlinable @inline(__always)
    var firstTurn: UInt? {
        var first: UInt?
        for channel in repeat each channels { first = Self.earlier(first, channel.firstTurn) }
        return first
    }

    @inlinable @inline(__always)
    func takeLatest(at turn: UInt) {
        for channel in repeat each channels {
            if channel.firstTurn == turn {
                _ = channel.takeLatest()
                return
            }
        }
    }

    @inlinable @inline(__always)
    var areAllThere: Bool {
        for channel in repeat each channels {
            if channel.latest == nil { return false }
        }
        return true
    }

    @inlinable @inline(__always)
    func latest() throws(NoValue) -> Row {
        (repeat try (each channels).kept())
    }
}

/// Channels of one type.
@usableFromInline
struct JoinedList<Failure: Error, Value: Sendable>: JoinedRow {
    @usableFromInline let channels: [SignalChannel<Value, Failure>]

    @inlinable
    init(count: Int) {
        channels = (0..<count).map { _ in SignalChannel() }
    }

    @inlinable
    var failure: Failure? {
        for channel in channels {
            if let failure = channel.failure { return failure }
        }
        return nil
    }

    @inlinable
    var areReady: Bool { channels.allSatisfy(\.hasValue) }

    @inlinable
    var isAnyFinished: Bool { channels.contains(where: \.isFinished) }

    @inlinable
    var areAllFinished: Bool { channels.allSatisfy(\.isFinished) }

    @inlinable
    var isAnyMute: Bool { channels.contains(where: \.isMute) }

    @inlinable
    func takeFirst() -> [Value] { channels.map { $0.takeKnown() } }

    @inlinable
    var firstTurn: UInt? { channels.lazy.compactMap(\.firstTurn).min() }

    @inlinable
    func takeLatest(at turn: UInt) {
        _ = channels.first { $0.firstTurn == turn }?.takeLatest()
    }

    @inlinable
    var areAllThere: Bool { channels.allSatisfy { $0.latest != nil } }

    @inlinable
    func latest() throws(NoValue) -> [Value] {
        try channels.map { channel throws(NoValue) in try channel.kept() }
    }
}
